import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';

const format =
  'Write a reference instead of the secret itself: env:NAME, file:PATH, or "stored" to keep the stored secret';

export const storedSecret = 'stored';

const referenceMax = 1_000;

export const secretReference = z
  .string(format)
  .max(referenceMax, format)
  .regex(/^(?:env:[A-Za-z_][A-Za-z0-9_]*|file:\S.*|stored)$/, format);

const secretBytesMax = 64 * 1024;

export type Secret =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly problem: string };

export interface Secrets {
  /** Relative paths start at the folder of the file that contains the reference. */
  read(reference: string, fromFile: string): Secret;
}

export function createSecrets(env: Readonly<Record<string, string | undefined>>): Secrets {
  return {
    read(reference, fromFile) {
      if (reference.startsWith('env:')) return readVariable(env, reference.slice('env:'.length));
      return readSecretFile(resolve(dirname(fromFile), reference.slice('file:'.length)));
    },
  };
}

function readVariable(env: Readonly<Record<string, string | undefined>>, name: string): Secret {
  const value = env[name]?.trim();
  return value ? { ok: true, value } : { ok: false, problem: `The environment variable ${name} is not set` };
}

/** Accepts only a small regular file, and trims the secret. */
export function readSecretFile(path: string): Secret {
  try {
    const stats = statSync(path);
    // Rejects devices and pipes, which may never end.
    if (!stats.isFile()) return { ok: false, problem: `${path} is not a regular file` };
    if (stats.size > secretBytesMax)
      return { ok: false, problem: `The file ${path} is too large for a secret: at most 64 KiB` };
    const value = readFileSync(path, 'utf8').trim();
    return value ? { ok: true, value } : { ok: false, problem: `The file ${path} is empty` };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { ok: false, problem: `The file ${path} cannot be read (${code})` };
  }
}
