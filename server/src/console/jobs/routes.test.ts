import { jobsRoutes } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import type { Job } from '#jobs/job.ts';
import { runAlone } from '#jobs/run-alone.ts';
import { planJobs } from '#jobs/schedule.ts';
import { systemClock } from '#platform/clock.ts';
import { createLogger } from '#platform/logger.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createJobsHandlers } from './routes.ts';

const log = createLogger('silent');
let database: TestDatabase;
let system: SystemDatabase;
let operator: Principal;
let isBroken = false;
const nightly: Job = {
  name: 'nightly',
  // The next regular run is twelve hours ahead, so that no retry is due after it.
  pattern: `11 ${(new Date().getUTCHours() + 12) % 24} * * *`,
  async run(tx) {
    await tx.execute(sql`SELECT 1`);
    if (isBroken) throw new Error('the disk is full');
  },
};

beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
  operator = await addPerson(
    database.pool,
    await addTenant(database.pool, 'One'),
    'super_admin',
    'op@one.test',
  );
  await planJobs(system, [nightly], systemClock);
});
afterAll(() => database.close());

const call = () =>
  createTestConsole(database.pool, jobsRoutes, createJobsHandlers({ system }))({ principal: operator });
const find = async () => (await call().listJobs()).find(({ name }) => name === 'nightly');
const secondsUntilNext = async () => (Date.parse((await find())?.next_at ?? '') - Date.now()) / 1_000;

it('listJobs lists a planned job that has not run', async () => {
  expect(await find()).toMatchObject({
    is_running: false,
    started_at: null,
    succeeded_at: null,
    failures: 0,
  });
});

it('runJob makes a job due immediately and returns 404 for an unknown name', async () => {
  expect(await runAlone(system, nightly, log, { isDueOnly: true })).toBe(false);
  const answer = await call().runJob({ params: { name: 'nightly' } });
  expect(Date.parse(answer.next_at ?? '')).toBeLessThanOrEqual(Date.now() + 1_000);
  expect(await runAlone(system, nightly, log, { isDueOnly: true })).toBe(true);
  expect(await find()).toMatchObject({ succeeded_at: expect.any(String), last_error: null });
  await expect(call().runJob({ params: { name: 'no-such-job' } })).rejects.toMatchObject({ status: 404 });
});

it('a failing nightly job is retried with growing delays, and a success schedules the next night', async () => {
  isBroken = true;
  const waits: number[] = [];
  for (let attempt = 0; attempt < 7; attempt++) {
    await expect(runAlone(system, nightly, log)).rejects.toThrow('the disk is full');
    waits.push(await secondsUntilNext());
  }
  for (const [index, seconds] of [10, 30, 120, 600, 1_800, 1_800, 1_800].entries())
    expect(Math.abs((waits[index] ?? 0) - seconds)).toBeLessThan(5);
  expect(await find()).toMatchObject({ failures: 7, last_error: 'the disk is full' });
  isBroken = false;
  await runAlone(system, nightly, log);
  expect(await secondsUntilNext()).toBeGreaterThan(1_800);
  expect(await find()).toMatchObject({ failures: 7, last_error: null });
});
