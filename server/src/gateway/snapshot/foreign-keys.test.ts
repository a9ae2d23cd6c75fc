import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createPrincipals, type Principals } from './principals.ts';
import { createSnapshot, type Snapshot } from './snapshot.ts';

const keyring = createKeyring('a secret of this test');
const lookUp = vi.fn(async () => undefined);
let nowMs: number;
let database: TestDatabase;
let snapshot: Snapshot;
let principals: Principals;
let mara: Principal;

beforeEach(async () => {
  nowMs = Date.now();
  lookUp.mockClear();
  database = await createTestDatabase();
  mara = await addPerson(database.pool, await addTenant(database.pool, 'Acme'), 'user', 'mara@example.com');
  snapshot = createSnapshot(database.pool, () => null);
  await addKey('sk-1234');
  await snapshot.load();
  principals = createPrincipals(snapshot, keyring, () => nowMs, { read: lookUp });
});
afterEach(() => database.close());

const digestOf = (apiKey: string) => createHash('sha256').update(apiKey).digest('hex');
const addKey = (apiKey: string) =>
  database.pool.query(
    `INSERT INTO api_keys (tenant_id, user_id, name, kind, origin, key_hash, last4, scopes)
     VALUES ($1, $2, 'imported', 'named', 'litellm', $3, $4, '{completions}')`,
    [mara.tenantId, mara.userId, keyring.hashForeignApiKey(digestOf(apiKey)), apiKey.slice(-4)],
  );
const ask = async (apiKey: string, address = '203.0.113.7') => principals.ofApiKey(apiKey, {}, address);
const guess = async (address: string, count = 20) => {
  for (let index = 0; index < count; index++) await ask(`sk-guess-${address}-${index}`, address);
};

it('an imported key identifies its user by its SHA-256, without the checksum of native keys', async () => {
  expect(await ask('sk-1234')).toMatchObject({ userId: mara.userId, credential: { name: 'imported' } });
});

it.each(['sk-1235', digestOf('sk-1234'), `sha256:${digestOf('sk-1234')}`, 'sk-', 'slc_1234'])(
  'ofApiKey rejects %s without a query',
  async (credential) => {
    expect(await ask(credential)).toBeNull();
    expect(lookUp).not.toHaveBeenCalled();
  },
);

it('a network that tried 20 unknown keys is rejected for 10 minutes, and other networks are not', async () => {
  await guess('203.0.113.9');
  await expect(ask('sk-1234', '203.0.113.9')).rejects.toMatchObject({
    code: 'invalid_api_key',
    status: 429,
    retryAfterMs: 600_000,
  });
  expect(await ask('sk-1234', '198.51.100.1')).not.toBeNull();
  nowMs += 600_001;
  expect(await ask('sk-1234', '203.0.113.9')).not.toBeNull();
});

it('a key that a network has used before remains valid while unknown keys of this network are rejected', async () => {
  await ask('sk-1234', '203.0.113.9');
  await guess('203.0.113.9');
  expect(await ask('sk-1234', '203.0.113.9')).not.toBeNull();
  await expect(ask('sk-other', '203.0.113.9')).rejects.toMatchObject({ status: 429 });
});

it('a client that repeats one unknown key does not use up the attempts of its network', async () => {
  for (let index = 0; index < 100; index++) expect(await ask('sk-mistyped')).toBeNull();
  expect(await ask('sk-1234')).not.toBeNull();
});
