import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { waitForFileLock } from '#platform/file-lock.ts';

const credential = z.object({
  access_token: z.string(),
  issued_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  refresh_token: z.string(),
  task: z.object({ id: z.number(), title: z.string() }),
  user: z.object({ name: z.string(), email: z.string() }),
});

export type Credential = z.infer<typeof credential>;

const stored = z.object({
  current: z.string().nullable(),
  installations: z.record(z.string(), credential),
});

export type StoredCredentials = z.infer<typeof stored>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the path of the credentials file, below `XDG_CONFIG_HOME` or else in `~/.config`. */
export function credentialsFile(env: Environment): string {
  const folder = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
  return join(folder, 'sluice', 'credentials.json');
}

const lockWaitMs = 30_000;

/**
 * Runs `work` while holding a lock on the credentials file. A refresh token works only once, so two concurrent
 * renewals would sign out the tool.
 */
export async function withCredentials<Result>(
  env: Environment,
  work: (file: CredentialsFile) => Promise<Result>,
): Promise<Result> {
  const path = credentialsFile(env);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const lock = await waitForFileLock(`${path}.lock`, 'The credential file', (_held, waitedMs) => {
    return waitedMs < lockWaitMs;
  });
  try {
    chmodSync(lock.path, 0o600);
    return await work(openFile(path));
  } finally {
    lock.release();
  }
}

export interface CredentialsFile {
  read(): StoredCredentials;
  /** Replaces the file atomically, so that the previous file survives a crash. */
  write(credentials: StoredCredentials): void;
}

function openFile(path: string): CredentialsFile {
  return {
    read: () => readCredentials(path),
    write(credentials) {
      const draft = `${path}.${process.pid}`;
      try {
        writeFileSync(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
        renameSync(draft, path);
      } finally {
        rmSync(draft, { force: true });
      }
    },
  };
}

/** @throws Error if the file is not a credential file */
function readCredentials(path: string): StoredCredentials {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { current: null, installations: {} };
    throw error;
  }
  try {
    return stored.parse(JSON.parse(text));
  } catch {
    throw new Error(`${path} is not a valid Sluice credentials file. Delete it and sign in again.`);
  }
}
