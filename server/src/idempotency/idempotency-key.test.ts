import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createPool } from '#db/pool.ts';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { createRunInTenant } from '#db/tenant.ts';
import { deleteExpiredIdempotencyKeys } from '#jobs/delete-old-rows.ts';
import { runAlone } from '#jobs/run-alone.ts';
import { createLogger } from '#platform/logger.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createRunIdempotent, type KeyedRequest } from './idempotency-key.ts';

let database: TestDatabase;
let pool: pg.Pool;
let system: SystemDatabase;
let tenantId: number;
let other: number;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool(database.connectionString, 4, 'test');
  system = createSystemDatabase(pool);
  tenantId = await addTenant(database.pool, 'One');
  other = await addTenant(database.pool, 'Two');
  await database.pool.query(
    'CREATE TABLE effects (n serial); GRANT ALL ON effects, effects_n_seq TO sluice_tenant',
  );
});
afterAll(async () => {
  await pool.end();
  await database.close();
});
beforeEach(() => database.pool.query('TRUNCATE effects, idempotency_keys'));

const countEffects = async () => (await database.pool.query('SELECT * FROM effects')).rowCount;
let replays = 0;
const request = (more: Partial<KeyedRequest> = {}): KeyedRequest => ({
  key: 'k',
  tenantId,
  actorId: 1,
  route: 'recharge',
  input: { amount: 5 },
  sealingKey: { current: Buffer.alloc(32, 7), all: [Buffer.alloc(32, 7)] },
  onReplay: () => replays++,
  ...more,
});
const send = (more: Partial<KeyedRequest> = {}, work?: () => Promise<unknown>) =>
  system.transaction((tx) =>
    createRunIdempotent(request(more))(tx, async () => {
      const { rows } = await tx.execute<{ before: number }>(sql`SELECT count(*)::int AS before FROM effects`);
      await tx.execute(sql`INSERT INTO effects DEFAULT VALUES`);
      return work ? work() : { before: rows[0]!.before };
    }),
  );

it('runIdempotent runs the work a single time per key and replays the first response', async () => {
  replays = 0;
  expect([await send(), await send(), await send()]).toEqual([{ before: 0 }, { before: 0 }, { before: 0 }]);
  expect(await countEffects()).toBe(1);
  expect(replays).toBe(2);
});

it('runIdempotent runs the work every time if there is no key', async () => {
  await send({ key: undefined });
  await send({ key: undefined });
  expect(await countEffects()).toBe(2);
});

it('runIdempotent scopes a key to its caller, tenant and route', async () => {
  for (const more of [{}, { actorId: 2 }, { tenantId: other }, { route: 'refund' }, { key: 'other' }])
    await send(more);
  expect(await countEffects()).toBe(5);
});

it('runIdempotent rejects a key that was used for another request', async () => {
  await send();
  await expect(send({ input: { amount: 6 } })).rejects.toMatchObject({ status: 422 });
  expect(await countEffects()).toBe(1);
});

it('runIdempotent replays a response while both master keys are available, and returns 409 once the previous one is gone', async () => {
  const [former, current] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
  const first = await send();
  expect(await send({ sealingKey: { current, all: [current, former] } })).toEqual(first);
  const late = send({ sealingKey: { current, all: [current] } });
  await expect(late).rejects.toMatchObject({ status: 409, message: expect.stringContaining('no longer') });
  expect(await countEffects()).toBe(1);
});

it('runIdempotent stores nothing for work that failed, so that it can be retried', async () => {
  const failing = send({}, () => Promise.reject(new Error('the database refused')));
  await expect(failing).rejects.toThrow('the database refused');
  expect(await countEffects()).toBe(0);
  expect(await send()).toEqual({ before: 0 });
});

it('runIdempotent rejects a repeated request while the first is running, and replays it afterwards', async () => {
  const started = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const first = send({}, async () => {
    started.resolve();
    await gate.promise;
    return 'first';
  });
  await started.promise;
  await expect(send()).rejects.toMatchObject({ status: 409, retryAfterSeconds: 1 });
  gate.resolve();
  expect(await first).toBe('first');
  expect(await send()).toBe('first');
});

it('runIdempotent runs the work once for fifty concurrent requests', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => send()));
  expect(await countEffects()).toBe(1);
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') expect(outcome.value).toEqual({ before: 0 });
    else expect(outcome.reason).toMatchObject({ status: 409 });
  }
});

it('runIdempotent commits its effect and its key together, or neither, if its connection dies', async () => {
  const client = await database.pool.connect();
  const doomed = system.transaction((tx) =>
    createRunIdempotent(request())(tx, async () => {
      await tx.execute(sql`INSERT INTO effects DEFAULT VALUES`);
      const { rows } = await tx.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
      await client.query('SELECT pg_terminate_backend($1, 5000)', [rows[0]!.pid]);
      return 'lost';
    }),
  );
  await expect(doomed).rejects.toThrow();
  client.release();
  expect(await countEffects()).toBe(0);
  expect(await send()).toEqual({ before: 0 });
});

it('a key can be used again after 24 hours, and deleteExpiredIdempotencyKeys deletes it', async () => {
  await send();
  const age = (hours: number) =>
    database.pool.query('UPDATE idempotency_keys SET created_at = now() - make_interval(hours => $1)', [
      hours,
    ]);
  await age(23);
  await send();
  expect(await countEffects()).toBe(1);
  await age(25);
  expect(await send({ input: 'anything else' })).toEqual({ before: 1 });
  await age(25);
  await runAlone(system, deleteExpiredIdempotencyKeys, createLogger('silent'));
  expect((await database.pool.query('SELECT * FROM idempotency_keys')).rows).toEqual([]);
});

it('runIdempotent works under the tenant role, which cannot see the keys of other tenants', async () => {
  const runInTenant = createRunInTenant(database.pool, postgresRequestLog.openTenant);
  const work = async () => 'done';
  await runInTenant(tenantId, (tx) => createRunIdempotent(request())(tx, work));
  expect(await runInTenant(tenantId, (tx) => createRunIdempotent(request())(tx, async () => 'again'))).toBe(
    'done',
  );
  const seen = await runInTenant(other, (tx) => tx.execute(sql`SELECT * FROM idempotency_keys`));
  expect(seen.rows).toEqual([]);
});
