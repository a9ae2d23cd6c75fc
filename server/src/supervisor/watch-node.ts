import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type UnreadyReason, unreadyReasons } from '@sluice/contract';
import type { Logger } from '#platform/logger.ts';

const intervalMs = 500;
/** Minimum free space: the size of two journal files. With less space, a request may not fit. */
const roomMinBytes = 16 * 2 ** 20;
const unshippedMaxMs = 30_000;
const probeName = '.write-probe';

export interface WatchNodeOptions {
  readonly journalDir: string;
  readonly isListening: () => boolean;
  /** Returns the monotonic time at which the slowest shipper last shipped a batch or had nothing left to ship. */
  readonly shippedAtMs: () => number;
  /**
   * Called with the reason why no worker of the node should receive requests, or with `null` once workers may receive
   * requests again.
   */
  readonly onChange: (reason: UnreadyReason | null) => void;
  readonly log: Logger;
}

/** Checks twice a second. Returns a function that stops the checks. */
export function watchNode(options: WatchNodeOptions): () => Promise<void> {
  const { log, onChange } = options;
  const stopping = new AbortController();
  const watching = (async () => {
    let reason: UnreadyReason | null = null;
    while (!stopping.signal.aborted) {
      const found = await findReason(options);
      if (found !== reason && found !== null) log.error({ reason: found }, unreadyReasons[found]);
      if (found !== reason && found === null) log.warn({ reason }, 'This node is ready again.');
      if (found !== reason) onChange(found);
      reason = found;
      await pause(intervalMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return () => {
    stopping.abort();
    return watching;
  };
}

async function findReason({
  isListening,
  journalDir,
  shippedAtMs,
}: WatchNodeOptions): Promise<UnreadyReason | null> {
  if (!isListening()) return 'not_listening';
  if (!(await hasRoom(journalDir))) return 'data_folder_full';
  if (performance.now() - shippedAtMs() > unshippedMaxMs) return 'journal_unshipped';
  return null;
}

/** The number of free blocks shows low space; a test write also detects quotas and disks that reject writes. */
async function hasRoom(folder: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(folder);
    const path = join(folder, probeName);
    await writeFile(path, Buffer.alloc(4096));
    await writeFile(path, '');
    return bavail * bsize >= roomMinBytes;
  } catch {
    return false;
  }
}
