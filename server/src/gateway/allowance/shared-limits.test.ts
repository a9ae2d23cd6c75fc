import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAllowances } from '../../../test/check-allowances.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { sharedKinds, shareLimit } from '../../../test/shared-limit.ts';

const runs = Number(process.env.SLUICE_TEST_RUNS ?? 200);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it(`whatever happens to two nodes, ${runs} random sequences end as simple sums do`, async () => {
  const seed = Date.now() % 2 ** 31;
  console.log(`seed ${seed}`);
  await checkAllowances({ database, runs, seed });
}, 600_000);

it.each(sharedKinds)(
  'three nodes serve exactly 100 of 1,000 requests at once that one limit of %s is worth',
  async (kind) => {
    const run = { database, kind, worth: 100, requests: 1_000, nodes: 3 };
    expect(await shareLimit(run)).toMatchObject({ served: 100, left: 0 });
  },
);
