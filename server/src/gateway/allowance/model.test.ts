import { afterAll, beforeAll, it } from 'vitest';
import { checkAllowances } from '../../../test/allowance-model.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';

const runs = Number(process.env.SLUICE_TEST_RUNS ?? 300);

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
