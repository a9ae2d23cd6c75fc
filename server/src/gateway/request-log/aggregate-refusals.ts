import type { Clock } from '#platform/clock.ts';
import type { RequestRecord } from './request-record.ts';

const windowMs = 60_000;

/** Keeps a caller who is refused over and over from filling the log: one row at once, one more for each minute's repeats. */
export interface RefusalAggregator {
  add(record: RequestRecord): void;
  /** Writes the rows of minutes that are over; `isFinal` writes those of running ones too. */
  flush(isFinal?: boolean): void;
}

interface Window {
  endsAtMs: number;
  latest: RequestRecord | null;
  repeats: number;
}

/** `write` receives the rows; `flush` is to be called every few seconds and at the end. */
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
