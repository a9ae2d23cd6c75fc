import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type UnreadyReason, unreadyReasons } from '@sluice/contract';
import type { Logger } from '#platform/logger.ts';

const intervalMs = 500;
/** Two files of a journal: with less it cannot be said that a request finds room. */
const roomMinBytes = 16 * 2 ** 20;
const unshippedMaxMs = 30_000;
/** Left in the folder, empty but for the moment of a write. */
const probeName = '.write-probe';

export interface WatchNodeOptions {
  /** Where journals are written. */
  readonly journalDir: string;
  readonly isListening: () => boolean;
  /** Monotonic; when the shipper that is furthest behind has last shipped something, or found that nothing is left. */
  readonly shippedAtMs: () => number;
  /** Hears why no worker of this node should get requests, and `null` once they should. */
  readonly onChange: (reason: UnreadyReason | null) => void;
  readonly log: Logger;
}

/** Looks twice a second at what all workers of the node share. Returns the function that ends it. */
export function watchNode(options: WatchNodeOptions): () => Promise<void> {
  const { log, onChange } = options;
  const stopping = new AbortController();
  const watching = (async () => {
    let reason: UnreadyReason | null = null;
    while (!stopping.signal.aborted) {
      const found = await findReason(options);
      if (found !== reason && found !== null) log.error({ reason: found }, unreadyReasons[found]);
      if (found !== reason && found === null)
        log.warn({ reason }, 'What kept this node from being ready is over.');
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

/** Counted blocks tell what runs short; a write tells of quotas, and of a disk that takes none any more. */
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
