import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createSnapshot, type Snapshot } from './snapshot.ts';

const keyring = createKeyring('a secret of this test');
let database: TestDatabase;
let person: Principal;
let snapshot: Snapshot;
beforeEach(async () => {
  database = await createTestDatabase();
  await syncRegistry(createSystemDatabase(database.pool));
  person = await addPerson(database.pool, await addTenant(database.pool, 'Acme'), 'user', 'ann@example.com');
  snapshot = createSnapshot(database.pool, () => null);
  await snapshot.load();
});
afterEach(() => database.close());

const run = async (statement: string, values: unknown[] = []): Promise<number> => {
  const { rows } = await database.pool.query(statement, values);
  return rows[0]?.id;
};
const hash = keyring.hashApiKey('a key').toString('base64');
const addKey = () =>
  run(
    `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes) VALUES ($1, $2, 'k', $3, 'abcd', '{models}') RETURNING id`,
    [person.tenantId, person.userId, Buffer.from(hash, 'base64')],
  );
const addInstance = (name: string, sealedApiKey: Buffer | null = null) =>
  run(
    `INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name, sealed_api_key, enabled_models)
     SELECT $1, id, $2, $3, '{m}' FROM provider_registry WHERE provider_key = 'custom' RETURNING id`,
    [person.tenantId, name, sealedApiKey],
  );
const addGrant = (instanceId: number) =>
  run(
    `INSERT INTO user_provider_access (tenant_id, user_id, llm_provider_id, allowed_models) VALUES ($1, $2, $3, '{m}') RETURNING id`,
    [person.tenantId, person.userId, instanceId],
  );

describe('snapshot', () => {
  it('snapshot contains the rows that the gateway needs, found by their lookup keys', async () => {
    const [keyId, instanceId] = [await addKey(), await addInstance('one')];
    const grantId = await addGrant(instanceId);
    await snapshot.load();
    expect(snapshot.tenants.get(person.tenantId)).toMatchObject({ name: 'Acme', status: 'active' });
    expect(snapshot.users.get(person.userId)).toMatchObject({
      role: 'user',
      isActive: true,
      blockedReason: null,
    });
    expect(snapshot.apiKeys.find(hash)).toMatchObject([
      { id: keyId, userId: person.userId, scopes: ['models'] },
    ]);
    expect(snapshot.instances.find(person.tenantId)).toMatchObject([
      { id: instanceId, name: 'one', isActive: true },
    ]);
    expect(snapshot.grants.find(person.userId)).toEqual([
      { id: grantId, userId: person.userId, instanceId, models: new Set(['m']) },
    ]);
    expect([snapshot.apiKeys.find('other'), snapshot.grants.find(0), snapshot.instances.get(0)]).toEqual([
      [],
      [],
      undefined,
    ]);
  });

  it('snapshot re-reads single rows: new, changed and deleted', async () => {
    const id = await addKey();
    expect(snapshot.apiKeys.size).toBe(0);
    await snapshot.refresh('api_keys', [String(id)]);
    expect(snapshot.apiKeys.find(hash)).toHaveLength(1);
    await run("UPDATE api_keys SET scopes = '{completions}' WHERE id = $1", [id]);
    await snapshot.refresh('api_keys', [String(id)]);
    expect(snapshot.apiKeys.find(hash)).toMatchObject([{ scopes: ['completions'] }]);
    await run('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id]);
    await snapshot.refresh('api_keys', [String(id), '999']);
    expect([snapshot.apiKeys.find(hash), snapshot.apiKeys.size]).toEqual([[], 0]);
  });

  it('snapshot finds a row only under its new key after the key has changed', async () => {
    const id = await addKey();
    await snapshot.load();
    const other = keyring.hashApiKey('another key');
    await run('UPDATE api_keys SET key_hash = $2 WHERE id = $1', [id, other]);
    await snapshot.refresh('api_keys', [String(id)]);
    expect(snapshot.apiKeys.find(hash)).toEqual([]);
    expect(snapshot.apiKeys.find(other.toString('base64'))).toHaveLength(1);
  });

  it('a full read removes rows whose deletion the snapshot missed', async () => {
    const grantId = await addGrant(await addInstance('one'));
    await snapshot.load();
    await run('DELETE FROM user_provider_access WHERE id = $1', [grantId]);
    await run('DELETE FROM llm_providers');
    expect(snapshot.grants.find(person.userId)).toHaveLength(1);
    await snapshot.load();
    expect([snapshot.grants.size, snapshot.instances.size]).toEqual([0, 0]);
  });

  it('snapshot contains sessions that ended early, but no expired keys or open sessions', async () => {
    await addKey();
    await run("UPDATE api_keys SET expires_at = now() - interval '1 s'");
    await run(
      `INSERT INTO sessions (id, tenant_id, user_id, address, user_agent, expires_at, ended_at)
       SELECT gen_random_uuid(), $1, $2, 'a', 'b', now() + interval '1 h', ended
       FROM unnest(ARRAY[NULL, now()]) ended`,
      [person.tenantId, person.userId],
    );
    await snapshot.load();
    expect([snapshot.apiKeys.size, snapshot.endedSessions.size]).toEqual([0, 1]);
  });

  it('snapshot deactivates only the instance whose key cannot be decrypted', async () => {
    await addInstance('sealed', Buffer.from('not sealed by us'));
    await addInstance('open');
    await snapshot.load();
    const states = snapshot.instances.find(person.tenantId).map(({ name, isActive }) => [name, isActive]);
    expect(Object.fromEntries(states)).toEqual({ sealed: false, open: true });
  });

  it('snapshot ignores a table that it does not mirror', async () => {
    await snapshot.refresh('installation', ['true']);
    expect(snapshot.users.size).toBe(1);
  });
});

describe('snapshot with two concurrent reads', () => {
  const holdFirstAnswer = () => {
    const answered = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    let isHeld = false;
    const query = async (statement: string | pg.QueryConfig) => {
      const answer = await database.pool.query(statement);
      const text = typeof statement === 'string' ? statement : statement.text;
      if (!isHeld && text.includes('user_provider_access')) {
        isHeld = true;
        answered.resolve();
        await held.promise;
      }
      return answer;
    };
    // safe because the snapshot uses no other methods of a pool
    const pool = { query } as unknown as TestDatabase['pool'];
    return { racing: createSnapshot(pool, () => null), answered: answered.promise, letGo: held.resolve };
  };

  it.each<[what: string, read: (racing: Snapshot, id: string) => Promise<void>]>([
    ['a row', (racing, id) => racing.refresh('user_provider_access', [id])],
    ['everything', (racing) => racing.load()],
  ])(
    'snapshot does not restore deleted rows from the earlier of two concurrent reads of %s',
    async (_, read) => {
      const id = String(await addGrant(await addInstance('one')));
      const { racing, answered, letGo } = holdFirstAnswer();
      const earlier = read(racing, id);
      await answered;
      await run('DELETE FROM user_provider_access');
      const later = racing.refresh('user_provider_access', [id]);
      await Promise.race([later, pause(200)]);
      letGo();
      await Promise.all([earlier, later]);
      expect(racing.grants.size).toBe(0);
    },
  );
});
