import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const lockFileName = 'postmaster.pid';

const statusLine = 7;

/** What a PostgreSQL server writes into its cluster about itself; null when there is no such file. */
export function readLockFile(clusterDir: string): { pid: number; isReady: boolean } | null {
  try {
    const lines = readFileSync(join(clusterDir, lockFileName), 'utf8').split('\n');
    return { pid: Number(lines[0]), isReady: lines[statusLine]?.trim() === 'ready' };
  } catch {
    return null;
  }
}
