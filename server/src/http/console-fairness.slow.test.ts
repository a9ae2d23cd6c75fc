import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { signSessionToken } from '#platform/tokens.ts';
import { masterSecret, startGateway, type TestGateway } from '#test/console/gateway.ts';

const { sessionKey } = createKeyring(masterSecret);
type Person = Principal & { apiKey: string };
let loud: Person;
let louder: Person;
let calm: Person;
let gateway: TestGateway;
/** Leases every job forever, since a job that reads the locked table would use the last of the three connections. */
const withoutJobs = "ALTER TABLE job_schedules ALTER leased_until SET DEFAULT 'infinity'";
/** Releases the lock after a failed test. With the lock, the gateway could not stop. */
let unlockLogs: () => Promise<void> = async () => undefined;
beforeEach(async () => {
  gateway = await startGateway({
    seed: async (seed) => {
      loud = await seed.addPerson({ name: 'loud' });
      louder = await seed.addPerson({ name: 'louder', tenantId: await seed.addTenant('Louder') });
      calm = await seed.addPerson({ name: 'calm', tenantId: await seed.addTenant('Calm') });
      await seed.pool.query(withoutJobs);
    },
  });
});
afterEach(async () => {
  await unlockLogs();
  await gateway.stop();
});

async function open(person: Person) {
  const claims = { userId: person.userId, sessionId: crypto.randomUUID(), tokenVersion: 1 };
  const token = await signSessionToken(sessionKey, claims, Date.now());
  return async (path: string) => {
    const answer = await fetch(gateway.origin + path, { headers: { authorization: `Bearer ${token}` } });
    const { detail } = z
      .object({ detail: z.unknown() })
      .catch({ detail: null })
      .parse(await answer.json());
    return { status: answer.status, detail, retryAfter: answer.headers.get('retry-after') };
  };
}

/** Also blocks the database connection of each query. */
async function lockLogs() {
  const client = await gateway.pool.connect();
  await client.query('BEGIN; LOCK TABLE request_logs');
  let isLocked = true;
  const unlock = async () => {
    if (!isLocked) return;
    isLocked = false;
    await client.query('ROLLBACK');
    client.release();
  };
  unlockLogs = unlock;
  return unlock;
}

async function untilLocked(count: number) {
  const statement =
    "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await expect.poll(async () => (await gateway.pool.query(statement)).rows).toHaveLength(count);
}

const readRequest = async ({ apiKey }: Person) => {
  const answer = await fetch(`${gateway.origin}/api/v1/requests/${crypto.randomUUID()}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return {
    status: answer.status,
    error: z.object({ error: z.unknown() }).parse(await answer.json()).error,
    retryAfter: answer.headers.get('retry-after'),
  };
};

it('400 blocked requests of one user leave a connection to another tenant', async () => {
  const [ofLoud, ofCalm] = [await open(loud), await open(calm)];
  const unlock = await lockLogs();
  const held = Array.from({ length: 400 }, () => ofLoud('/api/v1/admin/logs'));
  await untilLocked(2);
  for (let call = 0; call < 5; call++)
    expect(await ofCalm('/api/v1/admin/users')).toMatchObject({ status: 200 });
  await unlock();
  const statuses = new Set((await Promise.all(held)).map(({ status }) => status));
  expect([...statuses].filter((status) => ![200, 503].includes(status))).toEqual([]);
});

it('50 blocked reads with one API key leave a connection to another tenant', async () => {
  const ofCalm = await open(calm);
  const unlock = await lockLogs();
  const held = Array.from({ length: 50 }, () => readRequest(loud));
  await untilLocked(2);
  expect(await ofCalm('/api/v1/admin/users')).toMatchObject({ status: 200 });
  await unlock();
  expect(new Set((await Promise.all(held)).map(({ status }) => status))).toEqual(new Set([404]));
});

it('both planes return 503 with Retry-After, and never 500, if all connections are blocked', async () => {
  const [ofLoud, ofLouder, ofCalm] = [await open(loud), await open(louder), await open(calm)];
  const unlock = await lockLogs();
  const held = [ofLoud, ofLouder].flatMap((ask) =>
    Array.from({ length: 4 }, () => ask('/api/v1/admin/logs')),
  );
  await untilLocked(3);
  const refused = { status: 503, retryAfter: expect.stringMatching(/^[1-9]\d*$/) };
  const [screen, request] = await Promise.all([ofCalm('/api/v1/admin/users'), readRequest(calm)]);
  expect(screen).toMatchObject(refused);
  expect(request).toMatchObject({ ...refused, error: { code: 'overloaded' } });
  await unlock();
  for (const answer of await Promise.all(held)) expect([200, 503]).toContain(answer.status);
});

it('a user above the limit of waiting requests gets 429 with Retry-After, and other users are served', async () => {
  const [ofLoud, ofCalm] = [await open(loud), await open(calm)];
  const unlock = await lockLogs();
  const held = Array.from({ length: 1_010 }, () => ofLoud('/api/v1/admin/logs'));
  const refusal = await Promise.race(held);
  expect(refusal).toMatchObject({
    status: 429,
    retryAfter: '2',
    detail: expect.stringContaining('Too many'),
  });
  // On a busy machine the first call may wait longer than 5 s, since the callers share the process.
  await expect.poll(() => ofCalm('/api/v1/admin/users')).toMatchObject({ status: 200 });
  await unlock();
  await Promise.all(held);
});
