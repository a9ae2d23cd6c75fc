import type { Clock } from '#platform/clock.ts';
import type { RequestRecord } from './request-record.ts';

const windowMs = 60_000;

/**
 * Prevents repeated rejections of one caller from filling the log. Writes one row immediately, then one per minute
 * for the repeats.
 */
export interface RefusalAggregator {
  add(record: RequestRecord): void;
  /** Writes the rows of past minutes. `isFinal` also writes the rows of the current minute. */
  flush(isFinal?: boolean): void;
}

interface Window {
  endsAtMs: number;
  latest: RequestRecord | null;
  repeats: number;
}

/** Call `flush` every few seconds and at shutdown. */
export function createRefusalAggregator(
  write: (record: RequestRecord) => void,
  clock: Clock,
): RefusalAggregator {
  const windows = new Map<string, Window>();
  const close = (key: string, { latest, repeats }: Window) => {
    windows.delete(key);
    if (latest) write({ ...latest, repeats });
  };
  return {
    add(record) {
      const key = `${record.userId} ${record.apiKeyId} ${record.errorCode}`;
      let window = windows.get(key);
      if (window && window.endsAtMs <= clock()) {
        close(key, window);
        window = undefined;
      }
      if (window) {
        window.latest = record;
        window.repeats++;
      } else {
        windows.set(key, { endsAtMs: clock() + windowMs, latest: null, repeats: 0 });
        write(record);
      }
    },
    flush(isFinal = false) {
      for (const [key, window] of windows) if (isFinal || window.endsAtMs <= clock()) close(key, window);
    },
  };
}
