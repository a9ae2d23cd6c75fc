import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Options {
  configured: string | null;
  dataDir: string;
  /** Returns whether the database contains data that was encrypted with an existing secret. */
  isDatabaseInUse: () => Promise<boolean>;
}

const secretBytes = 32;

/** Returns the configured key, or the key in `<dataDir>/secret`, which the first start creates. */
export async function loadSecret({ configured, dataDir, isDatabaseInUse }: Options): Promise<string> {
  const path = secretFile(dataDir);
  const known = findSecret(configured, dataDir);
  if (known !== null) return known;
  if (await isDatabaseInUse()) {
    throw new Error(
      `the database is in use, but its master key was not found: set SLUICE_SECRET, or restore ${path}`,
    );
  }
  const secret = randomBytes(secretBytes).toString('base64url');
  writeSecret(path, secret);
  return secret;
}

export function keepSecret(dataDir: string, secret: string): void {
  writeSecret(secretFile(dataDir), secret);
}

/** Returns `null` before the first start. */
export function findSecret(configured: string | null, dataDir: string): string | null {
  return configured ?? readSecret(secretFile(dataDir));
}

const secretFile = (dataDir: string) => join(dataDir, 'secret');

function readSecret(path: string): string | null {
  try {
    const secret = readFileSync(path, 'utf8').trim();
    if (secret === '') throw new Error(`${path} is empty: restore the master key, or set SLUICE_SECRET`);
    return secret;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Syncs the secret to disk before any data is encrypted with it. */
function writeSecret(path: string, secret: string): void {
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', 0o600);
  writeSync(file, `${secret}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(draft, path);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
