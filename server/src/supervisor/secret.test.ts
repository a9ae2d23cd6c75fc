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

test('the first start makes a secret of 32 random bytes that only its owner can read, and later starts keep it', async () => {
  const secret = await load({});
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600);
  expect(await load({ inUse: true })).toBe(secret);
});

test('a secret is never made for a database already in use', async () => {
  await expect(load({ inUse: true })).rejects.toThrow(/set SLUICE_SECRET, or put back .*secret/);
  expect(() => statSync(join(dataDir, 'secret'))).toThrow('ENOENT');
});

test('the configured secret wins and is not written to disk', async () => {
  expect(await load({ configured: 'from the environment', inUse: true })).toBe('from the environment');
  expect(() => statSync(join(dataDir, 'secret'))).toThrow('ENOENT');
});

test('an empty secret file is refused instead of being taken for a key or replaced', async () => {
  writeFileSync(join(dataDir, 'secret'), '\n');
  await expect(load({})).rejects.toThrow('is empty');
  expect(readFileSync(join(dataDir, 'secret'), 'utf8')).toBe('\n');
});
