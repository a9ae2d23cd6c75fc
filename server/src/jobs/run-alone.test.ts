import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPool } from '#db/pool.ts';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { systemClock } from '#platform/clock.ts';
import { createLogger } from '#platform/logger.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createClockJobs } from './clock-jobs.ts';
import type { SteppedJob } from './job.ts';
import { runAlone } from './run-alone.ts';
import { findNextRun, planJobs } from './schedule.ts';

const log = createLogger('silent');
const clockJobs = createClockJobs(postgresRequestLog);
let database: TestDatabase;
let system: SystemDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
});
afterAll(() => database.close());

function createStepped(name: string, runInSteps: SteppedJob['runInSteps']): SteppedJob {
  return { name, pattern: '11 2 * * *', runInSteps };
}
const readSchedule = async (name: string) =>
  (
    await database.pool.query(
      'SELECT next_at <= now() AS due, run_id, leased_until FROM job_schedules WHERE name = $1',
      [name],
    )
  ).rows[0];

it('every job runs with a pool of one connection', async () => {
  const pool = createPool(database.connectionString, 1, 'sluice-test', { connectMs: 2_000, isFair: true });
  const single = createSystemDatabase(pool);
  for (const job of clockJobs) expect(await runAlone(single, job, log), job.name).toBe(true);
  const { rows } = await database.pool.query('SELECT name FROM job_runs WHERE succeeded_at IS NOT NULL');
  expect(rows.map(({ name }) => name).toSorted()).toEqual(clockJobs.map(({ name }) => name).toSorted());
  await pool.end();
});

it('runAlone runs a stepped job on one node at a time, and its lease ends with the run', async () => {
  const started = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let runs = 0;
  const job = createStepped('alone', async () => {
    runs++;
    started.resolve();
    await gate.promise;
  });
  const first = runAlone(system, job, log);
  await started.promise;
  expect(await runAlone(system, job, log)).toBe(false);
  gate.resolve();
  expect(await first).toBe(true);
  expect(runs).toBe(1);
  expect(await readSchedule('alone')).toEqual({ due: false, run_id: null, leased_until: null });
});

it('runAlone runs a stepped job again once the lease of its dead node has expired', async () => {
  const job = createStepped('orphan', () => undefined as never);
  await planJobs(system, [job], systemClock);
  const lease = (seconds: number) =>
    database.pool.query(
      "UPDATE job_schedules SET run_id = gen_random_uuid(), leased_until = now() + $1 * interval '1 second' WHERE name = 'orphan'",
      [seconds],
    );
  await lease(60);
  expect(await runAlone(system, job, log)).toBe(false);
  await lease(-1);
  expect(await runAlone(system, job, log)).toBe(true);
});

it('runAlone leaves a stepped job due if a draining node interrupts it', async () => {
  const draining = new AbortController();
  const job = createStepped('interrupted', async ({ database: steps }) => {
    await steps.execute(sql`SELECT 1`);
    draining.abort();
  });
  await planJobs(system, [job], systemClock);
  await system.execute(sql`UPDATE job_schedules SET next_at = now() WHERE name = 'interrupted'`);
  await runAlone(system, job, log, { signal: draining.signal });
  expect(await readSchedule('interrupted')).toEqual({ due: true, run_id: null, leased_until: null });
});

it('findNextRun spreads jobs with the same pattern over different times', () => {
  const nowMs = Date.UTC(2026, 0, 1, 12);
  const byPattern = Map.groupBy(clockJobs, ({ pattern }) => pattern);
  for (const [pattern, jobs] of byPattern) {
    const starts = new Set(jobs.map((job) => findNextRun(job, nowMs).waitMs));
    expect(starts.size, pattern).toBe(jobs.length);
  }
});

it('planJobs leaves a missed run due and moves a job that became more frequent forward', async () => {
  const job = createStepped('moved', () => undefined as never);
  await planJobs(system, [job], systemClock);
  await planJobs(system, [{ ...job, pattern: '* * * * *' }], systemClock);
  const { rows } = await database.pool.query(
    "SELECT next_at < now() + interval '2 minutes' AS soon, interval_seconds FROM job_schedules WHERE name = 'moved'",
  );
  expect(rows).toEqual([{ soon: true, interval_seconds: 60 }]);
  await system.execute(
    sql`UPDATE job_schedules SET next_at = now() - interval '1 hour' WHERE name = 'moved'`,
  );
  await planJobs(system, [job], systemClock);
  expect(await readSchedule('moved')).toMatchObject({ due: true });
});
