import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createThrottle } from './attempt-throttle.ts';

const minuteMs = 60_000;
let database: TestDatabase;
let nowMs = Date.UTC(2026, 10, 20, 10);
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const makeThrottle = () => createThrottle(createSystemDatabase(database.pool), () => nowMs);

it('throttle allows an account again in the next window', async () => {
  const throttle = makeThrottle();
  for (let tried = 0; tried < 10; tried++) await throttle.countAccount('account:1');
  await expect(throttle.countAccount('account:1')).rejects.toMatchObject({
    status: 429,
    retryAfterSeconds: 900,
  });
  nowMs += 15 * minuteMs;
  await expect(throttle.countAccount('account:1')).resolves.toBeUndefined();
});

it('throttle counts across nodes, since the counts are in the database', async () => {
  const nodes = [makeThrottle(), makeThrottle(), makeThrottle()];
  const tries = Array.from({ length: 30 }, (_, place) => nodes[place % 3]!.countAccount('account:2'));
  const outcomes = await Promise.allSettled(tries);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
});

it('throttle counts the IPs of one IPv6 subscriber together', async () => {
  const throttle = makeThrottle();
  for (let tried = 0; tried < 100; tried++) await throttle.countAddress(`2001:db8:1:2::${tried}`);
  await expect(throttle.countAddress('2001:db8:1:2:ffff::1')).rejects.toMatchObject({ status: 429 });
  await expect(throttle.countAddress('2001:db8:1:3::1')).resolves.toBeUndefined();
});

it('throttle deletes expired counts', async () => {
  const throttle = makeThrottle();
  await throttle.countAccount('account:old');
  nowMs += 61 * minuteMs;
  await throttle.countAccount('account:new');
  const { rows } = await database.pool.query('SELECT subject FROM login_attempts');
  expect(rows).toEqual([{ subject: 'account:new' }]);
});
