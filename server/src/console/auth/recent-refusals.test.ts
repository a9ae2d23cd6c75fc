import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConsoleError } from '#errors/console-error.ts';
import { type RunningServer, startWorker } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createRecentRefusals } from './attempt-throttle.ts';

let database: TestDatabase;
let worker: RunningServer;
beforeAll(async () => {
  database = await createTestDatabase();
  worker = await startWorker({ connectionString: database.connectionString });
});
afterAll(async () => {
  await worker.close();
  await database.close();
});

const signIn = async () => {
  const body = new URLSearchParams({ username: 'nobody@one.test', password: 'wrong' });
  return (await fetch(`${worker.origin}/api/v1/auth/login`, { method: 'POST', body })).status;
};

it('logIn repeats a recent rejection without a query', async () => {
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429) statuses.push(await signIn());
  expect(statuses).toHaveLength(11);
  // Lock the table, so that any query would wait.
  const client = await database.pool.connect();
  await client.query('BEGIN; LOCK TABLE login_attempts, users IN ACCESS EXCLUSIVE MODE');
  try {
    for (let count = 0; count < 50; count++) expect(await signIn()).toBe(429);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

it('createRecentRefusals keeps a rejection for less than 5 seconds, never beyond its expiry, and at most 10,000 rejections', () => {
  let nowMs = 0;
  const refusals = createRecentRefusals(() => nowMs);
  const refusal = (seconds: number) => new ConsoleError(429, 'no', seconds);
  refusals.note('long', refusal(900));
  refusals.note('short', refusal(1));
  nowMs = 1_000;
  expect(() => refusals.check('long')).toThrow('no');
  expect(() => refusals.check('short')).not.toThrow();
  nowMs = 5_000;
  expect(() => refusals.check('long')).not.toThrow();
  refusals.note('first', refusal(900));
  for (let count = 0; count < 10_000; count++) refusals.note(`other ${count}`, refusal(900));
  expect(() => refusals.check('first')).not.toThrow();
});
