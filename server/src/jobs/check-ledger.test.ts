import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listBanners } from '#banners/banners.ts';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { postEntries } from '#ledger/post.ts';
import { createLogger } from '#platform/logger.ts';
import { addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { checkLastEntries, checkLedgerSums } from './check-ledger.ts';
import type { Job } from './job.ts';
import { runAlone } from './run-alone.ts';
import { startJobs } from './start-jobs.ts';

const log = createLogger('silent');
let database: TestDatabase;
let system: SystemDatabase;
let tenantId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
  tenantId = await addTenant(database.pool, 'One');
  const draft = {
    tenantId,
    kind: 'recharge',
    amount: 5n,
    source: 'test',
    description: 'x',
    actorId: null,
  } as const;
  await system.transaction((tx) => postEntries(tx, [draft]));
});
afterAll(() => database.close());

/** Changes a balance without a ledger entry, which only the table owner can do. */
const moveBalance = (by: number) =>
  database.pool.query(`
    ALTER TABLE allowances DISABLE TRIGGER allowances_prove_credits;
    UPDATE allowances SET settled = settled - (${by}) WHERE kind = 'credits';
    ALTER TABLE allowances ENABLE TRIGGER allowances_prove_credits`);
const bannersOf = async (role: 'super_admin' | 'admin') =>
  (await listBanners(system, role)).map(({ id, severity, message }) => ({ id, severity, message }));

it('checkLedgerSums raises a banner for operators while a balance differs from its ledger', async () => {
  const run = async (job: Job) => {
    await runAlone(system, job, log);
    return bannersOf('super_admin');
  };
  expect(await run(checkLastEntries)).toEqual([]);
  await moveBalance(1);
  const raised = [
    { id: 'ledger-drift', severity: 'error', message: expect.stringContaining(`ledger: ${tenantId}.`) },
  ];
  expect(await run(checkLastEntries)).toEqual(raised);
  expect(await run(checkLedgerSums)).toEqual(raised);
  expect(await bannersOf('admin')).toEqual([]);
  await moveBalance(-1);
  expect(await run(checkLastEntries)).toEqual(raised);
  expect(await run(checkLedgerSums)).toEqual([]);
});

it('runAlone runs a job on one node at a time', async () => {
  let runs = 0;
  const gate = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const job: Job = {
    name: 'slow',
    pattern: '0 0 1 1 *',
    async run() {
      runs++;
      started.resolve();
      await gate.promise;
    },
  };
  const first = runAlone(system, job, log);
  await started.promise;
  await runAlone(system, job, log);
  expect(runs).toBe(1);
  gate.resolve();
  await first;
  await runAlone(system, job, log);
  expect(runs).toBe(2);
});

it('runAlone leaves nothing of a job whose node dies, and the next node runs it once: 20 times', async () => {
  await database.pool.query('CREATE TABLE steps_done (round integer)');
  for (let round = 0; round < 20; round++) {
    const started = Promise.withResolvers<number>();
    const dead = Promise.withResolvers<void>();
    let runs = 0;
    const job: Job = {
      name: 'step',
      pattern: '0 0 1 1 *',
      async run(tx) {
        const isFirst = runs++ === 0;
        await tx.execute(sql`INSERT INTO steps_done VALUES (${round})`);
        if (!isFirst) return;
        const { rows } = await tx.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
        started.resolve(rows[0]?.pid ?? 0);
        await dead.promise;
      },
    };
    const first = runAlone(system, job, log);
    await database.pool.query('SELECT pg_terminate_backend($1, 5000)', [await started.promise]);
    await runAlone(system, job, log);
    dead.resolve();
    await expect(first).rejects.toThrow();
    expect(runs).toBe(2);
  }
  const { rows } = await database.pool.query('SELECT count(*)::int AS done FROM steps_done GROUP BY round');
  expect(rows.map(({ done }) => done)).toEqual(Array.from({ length: 20 }, () => 1));
});

it('startJobs retries a failed job, and stop waits for the running job', async () => {
  let runs = 0;
  const second = Promise.withResolvers<void>();
  let hasEnded = false;
  const jobs = startJobs(
    system,
    [
      {
        name: 'often',
        pattern: '* * * * * *',
        async run() {
          runs++;
          if (runs === 1) throw new Error('once');
          second.resolve();
          await Promise.resolve();
          hasEnded = true;
        },
      },
    ],
    log,
  );
  await second.promise;
  await jobs.stop();
  expect(hasEnded).toBe(true);
});
