import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { createRunInTenant } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { createFollowPayments } from '#jobs/follow-payments.ts';
import type { Job } from '#jobs/job.ts';
import { createSendAlerts } from '#jobs/send-alerts.ts';
import { createMailbox, mailWords } from '#mail/mailbox.ts';
import { sendDueMails } from '#mail/start-sending.ts';
import type { ProviderIntent } from '#payments/payment-provider.ts';
import { createSimulatedProvider } from '#payments/simulated-provider.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';

type Effect = () => Promise<void>;

interface Queue {
  readonly table: string;
  readonly retries: number;
  readonly isDone: string;
  readonly isGivenUp: string;
  add(number: number): Promise<unknown>;
  run(effect: Effect, signal: AbortSignal): Promise<unknown>;
}

const log = createLogger('silent');
const keyring = createKeyring('test');
let database: TestDatabase;
let system: SystemDatabase;
let admin: Principal;
beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
});
afterAll(() => database.close());
beforeEach(async () => {
  await emptyTables(database, 'tenants', 'outbound_counts', 'mails', 'banners', 'alerts', 'webhook_events');
  admin = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'ada@one.test');
});

const runSteps = (job: Job, signal: AbortSignal) => {
  if (!('runInSteps' in job)) throw new Error(`the job ${job.name} runs in one transaction`);
  return Promise.resolve(job.runInSteps({ database: system, log, signal }));
};

const pendingIntent: ProviderIntent = {
  id: 'pi_1',
  clientSecret: 'secret',
  status: 'pending',
  amountCents: 100,
  failure: null,
  refunds: [],
  disputes: [],
  foreignCurrencies: [],
};

const queues: readonly Queue[] = [
  {
    table: 'alerts',
    retries: 5,
    isDone: 'is_delivered AND ended_at IS NOT NULL',
    isGivenUp: 'NOT is_delivered AND ended_at IS NOT NULL',
    add: (number) =>
      database.pool.query(
        "INSERT INTO banners (id, severity, message, audience) VALUES ($1, 'error', 'Broken', 'admin')",
        [`banner-${number}`],
      ),
    run(effect, signal) {
      const post = async () => {
        await effect();
        return 204;
      };
      return runSteps(createSendAlerts({ secret: 'secret of the alerts', post }), signal);
    },
  },
  {
    table: 'mails',
    retries: 6,
    isDone: "status = 'sent'",
    isGivenUp: "status = 'failed'",
    add: () =>
      createRunInTenant(database.pool, postgresRequestLog.openTenant)(admin.tenantId, (tx) =>
        createMailbox({ keyring, hasServer: true }).put(tx, {
          tenantId: admin.tenantId,
          to: 'mara@one.test',
          effect: 'invitation',
          subject: mailWords`Invitation`,
          body: mailWords`Ada invites you.`,
          action: 'Accept',
          link: { origin: 'https://sluice.test', path: '/invitation/token' },
          opensRole: 'user',
          expiresAt: new Date(Date.now() + 3_600_000),
        }),
      ),
    run(effect, signal) {
      const transport = { send: effect, close: () => undefined };
      return sendDueMails(
        { database: system, keyring, transport, publicUrl: 'https://sluice.test', log },
        signal,
      );
    },
  },
  {
    table: 'webhook_events',
    retries: 10,
    isDone: "status = 'completed'",
    isGivenUp: "status = 'failed' AND retry_count = 10",
    async add(number) {
      await database.pool.query(
        `INSERT INTO payments (tenant_id, provider, intent_id, amount_nano_usd, description)
         VALUES ($1, 'simulated', $2, 1000, 'Credits')`,
        [admin.tenantId, `pi_${number}`],
      );
      await database.pool.query(
        "INSERT INTO webhook_events (event_id, event_type, intent_id, payload) VALUES ($1, 'paid', $2, '{}')",
        [`evt_${number}`, `pi_${number}`],
      );
    },
    run(effect, signal) {
      const readIntent = async (id: string) => {
        await effect();
        return { ...pendingIntent, id };
      };
      const provider = { ...createSimulatedProvider(system), readIntent };
      return runSteps(createFollowPayments(provider), signal);
    },
  },
];

const running = new AbortController().signal;
const fails: Effect = () => Promise.reject(new Error('the receiver is busy'));
const becomeDue = ({ table }: Queue) => database.pool.query(`UPDATE ${table} SET next_attempt_at = now()`);
const readRows = async ({ table }: Queue) =>
  (await database.pool.query(`SELECT to_jsonb(row) AS row FROM ${table} row ORDER BY id`)).rows;
const countRows = async ({ table }: Queue, condition: string) =>
  (await database.pool.query(`SELECT FROM ${table} WHERE ${condition}`)).rowCount;

/** Resolves once the attempt is running. `end` makes the attempt succeed or fail. */
async function startAttempt(queue: Queue) {
  const started = Promise.withResolvers<void>();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const round = queue.run(() => {
    started.resolve();
    return promise;
  }, running);
  await started.promise;
  return {
    succeed: () => {
      resolve();
      return round;
    },
    fail: () => {
      reject(new Error('the connection was reset'));
      return round;
    },
  };
}

it('every table with a time of the next attempt has a queue in this test', async () => {
  const { rows } = await database.pool.query(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'next_attempt_at' ORDER BY table_name`,
  );
  expect(rows.map(({ name }) => name)).toEqual(queues.map(({ table }) => table));
});

it.each(queues)('a due row of $table is attempted by one of several concurrent rounds', async (queue) => {
  await queue.add(1);
  const first = await startAttempt(queue);
  let others = 0;
  const count = async () => {
    others++;
  };
  await Promise.all([queue.run(count, running), queue.run(count, running)]);
  expect(others).toBe(0);
  await first.succeed();
  expect(await countRows(queue, queue.isDone)).toBe(1);
});

it.each(queues)('a row of $table whose attempt never ended is attempted again later', async (queue) => {
  await queue.add(1);
  await startAttempt(queue);
  await becomeDue(queue);
  await queue.run(async () => undefined, running);
  expect(await countRows(queue, queue.isDone)).toBe(1);
});

it.each(queues)(
  'the failure of an expired attempt of $table leaves the row to the next attempt',
  async (queue) => {
    await queue.add(1);
    const late = await startAttempt(queue);
    await becomeDue(queue);
    const next = await startAttempt(queue);
    const before = await readRows(queue);
    await late.fail();
    expect(await readRows(queue)).toEqual(before);
    await next.succeed();
    expect(await countRows(queue, queue.isDone)).toBe(1);
  },
);

it.each(queues)('the success of an expired attempt of $table is final', async (queue) => {
  await queue.add(1);
  const late = await startAttempt(queue);
  await becomeDue(queue);
  const next = await startAttempt(queue);
  await late.succeed();
  expect(await countRows(queue, queue.isDone)).toBe(1);
  await next.fail();
  expect(await countRows(queue, queue.isDone)).toBe(1);
});

it.each(queues)(
  'a row of $table that always fails is given up after $retries retries with growing delays',
  async (queue) => {
    await queue.add(1);
    let attempts = 0;
    const delays: number[] = [];
    const count = () => {
      attempts++;
      return fails();
    };
    for (let retry = 0; retry < queue.retries; retry++) {
      await queue.run(count, running);
      const { rows } = await database.pool.query(
        `SELECT extract(epoch FROM next_attempt_at - now())::float8 AS seconds FROM ${queue.table}`,
      );
      delays.push(rows[0].seconds);
      expect(await countRows(queue, queue.isGivenUp)).toBe(0);
      await becomeDue(queue);
    }
    expect(delays[0]).toBeGreaterThan(5);
    expect(delays).toEqual(delays.toSorted((one, other) => one - other));
    await queue.run(count, running);
    expect(await countRows(queue, queue.isGivenUp)).toBe(1);
    await becomeDue(queue);
    await queue.run(count, running);
    expect(attempts).toBe(queue.retries + 1);
  },
);

it.each(queues)('a round of $table starts no attempt after its signal has aborted', async (queue) => {
  for (const number of [1, 2, 3]) await queue.add(number);
  const stopping = new AbortController();
  let attempts = 0;
  await queue.run(async () => {
    attempts++;
    stopping.abort();
  }, stopping.signal);
  expect(attempts).toBe(1);
  expect(await countRows(queue, queue.isDone)).toBe(1);
});

it.each(queues)('an attempt of $table uses no database connection', async (queue) => {
  await queue.add(1);
  const { pool } = database;
  const held: number[] = [];
  await queue.run(async () => {
    held.push(pool.totalCount - pool.idleCount);
  }, running);
  expect(held).toEqual([0]);
});

it('an alert beyond the hourly limit stays due and its attempts are not counted', async () => {
  const alerts = queues.find(({ table }) => table === 'alerts') as Queue;
  await alerts.add(1);
  await alerts.run(fails, running);
  await becomeDue(alerts);
  await database.pool.query('UPDATE outbound_counts SET used = 1000');
  let attempts = 0;
  await alerts.run(async () => {
    attempts++;
  }, running);
  expect(attempts).toBe(0);
  expect(await countRows(alerts, 'attempts = 1 AND next_attempt_at <= now()')).toBe(1);
});
