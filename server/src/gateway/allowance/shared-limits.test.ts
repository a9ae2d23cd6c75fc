import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { checkAllowances } from '#test/load/check-allowances.ts';
import { isFullSize } from '#test/load/sample.ts';
import { shareBudget } from '#test/load/shared-budget.ts';
import { sharedKinds, shareLimit } from '#test/load/shared-limit.ts';

const runs = isFullSize ? 200 : 60;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it(`two nodes match a simple model of sums in ${runs} random sequences`, async () => {
  const seed = Date.now() % 2 ** 31;
  console.log(`seed ${seed}`);
  await checkAllowances({ database, runs, seed });
}, 600_000);

it.each(sharedKinds)(
  'three nodes admit exactly 100 of 1,000 concurrent requests under one limit of %s',
  async (kind) => {
    const run = { database, kind, worth: 100, requests: 1_000, nodes: 3 };
    expect(await shareLimit(run)).toMatchObject({ served: 100, left: 0 });
  },
);

it('a budget of $1 that two killed and replaced nodes share is exceeded only by usage beyond holds', async () => {
  const seed = Date.now() % 2 ** 31;
  console.log(`seed ${seed}`);
  const run = { database, limitNanoUsd: 1_000_000_000, requests: 600, nodes: 2, kills: 4, seed };
  const { admitsRest, over, overrun, refused, served, settled, used } = await shareBudget(run);
  expect(settled).toBe(used);
  expect(over).toBeLessThanOrEqual(overrun);
  expect(admitsRest).toBe(true);
  expect(served).toBeGreaterThan(50);
  expect(refused).toBeGreaterThan(50);
});
