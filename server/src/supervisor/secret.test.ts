import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSecret } from './secret.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'secret-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const load = (options: { configured?: string; inUse?: boolean }) =>
  loadSecret({
    configured: options.configured ?? null,
    dataDir,
    isDatabaseInUse: async () => options.inUse ?? false,
  });

test('loadSecret creates a secret of 32 random bytes that only its owner can read, and later starts keep it', async () => {
  const secret = await load({});
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600);
  expect(await load({ inUse: true })).toBe(secret);
});

test('loadSecret never creates a secret for a database that is in use', async () => {
  await expect(load({ inUse: true })).rejects.toThrow(/set SLUICE_SECRET, or restore .*secret/);
  expect(() => statSync(join(dataDir, 'secret'))).toThrow('ENOENT');
});

test('loadSecret prefers the configured secret and does not write it to disk', async () => {
  expect(await load({ configured: 'from the environment', inUse: true })).toBe('from the environment');
  expect(() => statSync(join(dataDir, 'secret'))).toThrow('ENOENT');
});

test('loadSecret rejects an empty secret file and does not replace it', async () => {
  writeFileSync(join(dataDir, 'secret'), '\n');
  await expect(load({})).rejects.toThrow('is empty');
  expect(readFileSync(join(dataDir, 'secret'), 'utf8')).toBe('\n');
});
