import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mustSetUpSecondFactor } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { signSessionToken } from '#platform/tokens.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createMissingKeys } from './missing-keys.ts';
import { createPrincipals, type Principals } from './principals.ts';
import { createSnapshot, type Snapshot } from './snapshot.ts';

const keyring = createKeyring('a secret of this test');
const nowMs = Date.UTC(2026, 10, 20);
let database: TestDatabase;
let principals: Principals;
let tenantId: number;
let snapshot: Snapshot;

beforeEach(async () => {
  database = await createTestDatabase();
  tenantId = await addTenant(database.pool, 'Acme');
  snapshot = createSnapshot(database.pool, () => null);
  await snapshot.load();
  const missingKeys = createMissingKeys({
    pool: database.pool,
    snapshot,
    changes: { catchUp: async () => {} },
    clock: () => nowMs,
  });
  principals = createPrincipals(snapshot, keyring, () => nowMs, missingKeys);
});
afterEach(() => database.close());

const sign = (userId: number, tokenVersion: number) =>
  signSessionToken(keyring.sessionKey, { userId, sessionId: randomUUID(), tokenVersion }, nowMs);

describe('a session opened by another node', () => {
  it('a session from another node is valid immediately, even before its user was announced', async () => {
    const { userId } = await addPerson(database.pool, tenantId, 'user', 'ann@example.com');
    expect(await principals.ofSession(await sign(userId, 1))).toMatchObject({ userId, tenantId });
  });

  it('a session from another node is valid immediately after a change that ended all earlier sessions, which are then invalid here too', async () => {
    const { userId } = await addPerson(database.pool, tenantId, 'user', 'ann@example.com');
    const earlier = await sign(userId, 1);
    expect(await principals.ofSession(earlier)).toMatchObject({ userId });
    await database.pool.query('UPDATE users SET token_version = 2 WHERE id = $1', [userId]);
    expect(await principals.ofSession(await sign(userId, 2))).toMatchObject({ userId });
    expect(await principals.ofSession(earlier)).toBeNull();
  });

  it('the user of a session is looked up only while the session is new', async () => {
    const { userId } = await addPerson(database.pool, tenantId, 'user', 'ann@example.com');
    const claims = { userId, sessionId: randomUUID(), tokenVersion: 1 };
    const old = await signSessionToken(keyring.sessionKey, claims, nowMs - 60_000);
    expect(await principals.ofSession(old)).toBeNull();
    expect(await principals.ofSession(await sign(userId, 1))).toMatchObject({ userId });
  });

  it('a session counts as started at an identity provider only if its token says so', async () => {
    const { userId } = await addPerson(database.pool, tenantId, 'user', 'ann@example.com');
    const claims = { userId, sessionId: randomUUID(), tokenVersion: 1 };
    const token = await signSessionToken(keyring.sessionKey, { ...claims, isFromProvider: true }, nowMs);
    const { sessionId } = claims;
    expect((await principals.ofSession(token))?.credential).toEqual({
      kind: 'session',
      sessionId,
      isFromProvider: true,
    });
    const local = await signSessionToken(keyring.sessionKey, claims, nowMs);
    expect((await principals.ofSession(local))?.credential).toEqual({ kind: 'session', sessionId });
  });

  it.each([
    ['user', false],
    ['admin', false],
    ['super_admin', true],
  ] as const)(
    'a session of the role %s that started at an identity provider must set up a second factor: %s',
    async (role, isBound) => {
      await database.pool.query("UPDATE tenants SET second_factor_roles = '{user,admin}'");
      await database.pool.query('UPDATE platform_settings SET requires_super_admin_second_factor = true');
      await snapshot.refresh('tenants', [String(tenantId)]);
      await snapshot.refresh('platform_settings', ['1']);
      const { userId } = await addPerson(database.pool, tenantId, role, 'ann@example.com');
      const holderOf = async (isFromProvider: boolean) => {
        const claims = { userId, sessionId: randomUUID(), tokenVersion: 1, isFromProvider };
        const token = await signSessionToken(keyring.sessionKey, claims, nowMs);
        return principals.ofSession(token);
      };
      expect(mustSetUpSecondFactor((await holderOf(false)) ?? {})).toBe(true);
      expect(mustSetUpSecondFactor((await holderOf(true)) ?? {})).toBe(isBound);
    },
  );

  it('a session of a user that does not exist is invalid', async () => {
    expect(await principals.ofSession(await sign(987_654, 1))).toBeNull();
  });
});
