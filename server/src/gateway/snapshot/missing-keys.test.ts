import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { addPerson, addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createMissingKeys, type MissingKeys } from './missing-keys.ts';
import { createSnapshot, type Snapshot } from './snapshot.ts';

let database: TestDatabase;
let snapshot: Snapshot;
let lookup: MissingKeys;
let tenantId: number;
let statements: number;
let running: number;
let mostRunning: number;
let isAway: boolean;
let nowMs: number;
let catchingUp: () => Promise<void>;

beforeEach(async () => {
  database = await createTestDatabase();
  tenantId = await addTenant(database.pool, 'Acme');
  snapshot = createSnapshot(database.pool, () => null);
  await snapshot.load();
  [statements, running, mostRunning, isAway, nowMs] = [0, 0, 0, false, 0];
  catchingUp = async () => {};
  const query = async (statement: pg.QueryConfig) => {
    if (isAway) throw new Error('the database is away');
    statements++;
    running++;
    mostRunning = Math.max(mostRunning, running);
    return database.pool.query(statement).finally(() => running--);
  };
  // safe because the lookup uses no other methods of a pool
  const pool = { query } as unknown as pg.Pool;
  const catchUp = () => catchingUp();
  const times = { unknownMs: 5_000, intervalMs: 1 };
  lookup = createMissingKeys({ pool, snapshot, changes: { catchUp }, clock: () => nowMs, times });
});
afterEach(() => database.close());

const makeHash = () => randomBytes(32).toString('base64');
const strangers = (count: number) => Array.from({ length: count }, makeHash);
const outcomes = async (reads: readonly Promise<void>[]) => {
  const results = await Promise.allSettled(reads);
  return Map.groupBy(results, (result) => (result.status === 'rejected' ? result.reason.code : 'read'));
};
let people = 0;
const addKey = async () => {
  const { userId } = await addPerson(database.pool, tenantId, 'user', `person-${people++}@example.com`);
  const hash = makeHash();
  await database.pool.query(
    `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes) VALUES ($1, $2, 'k', $3, 'abcd', '{models}')`,
    [tenantId, userId, Buffer.from(hash, 'base64')],
  );
  return { userId, hash };
};
const isKnown = ({ hash, userId }: { hash: string; userId: number }) =>
  snapshot.apiKeys.find(hash).length === 1 && snapshot.users.get(userId) !== undefined;

it('missingKeys.read adds a new key and its user to the snapshot', async () => {
  const key = await addKey();
  expect(isKnown(key)).toBe(false);
  await lookup.read(key.hash);
  expect(isKnown(key)).toBe(true);
});

it('missingKeys.read resolves for a new key only after the changes before it have been read', async () => {
  const key = await addKey();
  const changes = Promise.withResolvers<void>();
  catchingUp = vi.fn(() => changes.promise);
  const outcome = Promise.race([
    lookup.read(key.hash).then(() => 'read'),
    changes.promise.then(() => 'changes'),
  ]);
  await vi.waitFor(() => expect(catchingUp).toHaveBeenCalledOnce());
  changes.resolve();
  expect(await outcome).toBe('changes');
  await lookup.read(makeHash());
  expect(catchingUp).toHaveBeenCalledOnce();
});

it('missingKeys.read sends at most two statements for 600 concurrent lookups', async () => {
  const keys = [await addKey(), await addKey()];
  const reads = keys.flatMap(({ hash }) => Array.from({ length: 50 }, () => lookup.read(hash)));
  await Promise.all([...reads, ...strangers(500).map(lookup.read)]);
  expect(keys.map(isKnown)).toEqual([true, true]);
  expect(statements).toBeLessThanOrEqual(2);
});

it('missingKeys.read does not query an unknown key again for some seconds', async () => {
  const [hash = ''] = strangers(1);
  for (let count = 0; count < 10; count++) await lookup.read(hash);
  expect(statements).toBe(1);
  nowMs += 5_001;
  await lookup.read(hash);
  expect(statements).toBe(2);
});

it('missingKeys.read still finds valid keys among many unknown ones, one statement at a time', async () => {
  const crowd = strangers(9_000).map(lookup.read);
  const key = await addKey();
  await lookup.read(key.hash);
  expect(isKnown(key)).toBe(true);
  expect([...(await outcomes(crowd)).keys()]).toEqual(['read']);
  expect(mostRunning).toBe(1);
  expect(statements).toBeLessThanOrEqual(11);
});

it('missingKeys.read rejects with not_ready when too many lookups wait, and finds the key afterward', async () => {
  const key = await addKey();
  const found = await outcomes([...strangers(11_500), key.hash].map(lookup.read));
  expect([...found.keys()].toSorted()).toEqual(['not_ready', 'read']);
  await lookup.read(key.hash);
  expect(isKnown(key)).toBe(true);
});

it('missingKeys.read rejects while the database is unavailable, and queries again afterward', async () => {
  const key = await addKey();
  isAway = true;
  await expect(lookup.read(key.hash)).rejects.toMatchObject({ code: 'not_ready', status: 503 });
  isAway = false;
  await lookup.read(key.hash);
  expect(isKnown(key)).toBe(true);
});
