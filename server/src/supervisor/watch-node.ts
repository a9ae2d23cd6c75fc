import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type UnreadyReason, unreadyReasons } from '@sluice/contract';
import type { Logger } from '#platform/logger.ts';

const intervalMs = 500;
/** Size of two journal files; with less free space, a request may not fit. */
const roomMinBytes = 16 * 2 ** 20;
const unshippedMaxMs = 30_000;
/** Remains in the folder; empty except during a write. */
const probeName = '.write-probe';

export interface WatchNodeOptions {
  /** Folder that journals are written to. */
  readonly journalDir: string;
  readonly isListening: () => boolean;
  /** Monotonic time at which the slowest shipper last shipped a batch or had nothing left to ship. */
  readonly shippedAtMs: () => number;
  /** Called with the reason why no worker of this node should get requests, or `null` when they may get them again. */
  readonly onChange: (reason: UnreadyReason | null) => void;
  readonly log: Logger;
}

/** Checks twice a second the state that all workers of the node share. Returns a function that stops the checks. */
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

/** Free blocks reveal low space; a test write also detects quotas and disks that reject writes. */
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
