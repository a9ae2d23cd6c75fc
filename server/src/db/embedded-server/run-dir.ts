import {
  chownSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAccessRules } from './access.ts';
import type { Account } from './account.ts';

/** The folder of the server's socket and access rules, new for each start so that it holds nothing stale. */
export interface RunDir {
  path: string;
  remove(): void;
}

const ownerFile = 'data-folder';
// The kernel limits socket paths to 104 to 108 bytes; the names of our folder and the socket take 35.
const maxParentBytes = 65;

const linkIn = (dataDir: string) => join(dataDir, 'postgres-run');

/** Returns the run folder of the server on the data folder. */
export const readRunDir = (dataDir: string): string => readlinkSync(linkIn(dataDir));

/** Creates the folder and links `<dataDir>/postgres-run` to it; removes the one of a killed process. */
export function createRunDir(dataDir: string, account: Account): RunDir {
  const link = linkIn(dataDir);
  const remove = () => removeLinked(link, dataDir);
  remove();
  const path = mkdtempSync(join(chooseParent(account), 'sluice-'));
  writeFileSync(join(path, ownerFile), dataDir);
  writeAccessRules(path);
  if (account) chownSync(path, account.uid, account.gid);
  symlinkSync(path, link);
  return { path, remove };
}

// Another account may be unable to reach root's own temporary folder.
function chooseParent(account: Account): string {
  return account || Buffer.byteLength(tmpdir()) > maxParentBytes ? '/tmp' : tmpdir();
}

/** Removes only the folder of this data folder: in a copy, the link points to the socket of the original. */
function removeLinked(link: string, dataDir: string): void {
  try {
    const path = readlinkSync(link);
    if (readFileSync(join(path, ownerFile), 'utf8') === dataDir) rmSync(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  rmSync(link, { force: true });
}
