import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const lockFileName = 'postmaster.pid';

const statusLine = 7;

/** Reads the lock file that a PostgreSQL server writes into its cluster; `null` if there is none. */
export function readLockFile(clusterDir: string): { pid: number; isReady: boolean } | null {
  try {
    const lines = readFileSync(join(clusterDir, lockFileName), 'utf8').split('\n');
    return { pid: Number(lines[0]), isReady: lines[statusLine]?.trim() === 'ready' };
  } catch {
    return null;
  }
}
