import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listBanners } from '#banners/banners.ts';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { releaseNodes } from '#gateway/allowance/expired-nodes.ts';
import { createLogger } from '#platform/logger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { expireLostNodes } from './keep-allowances.ts';
import { runAlone } from './run-alone.ts';

const log = createLogger('silent');
let database: TestDatabase;
let system: SystemDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
});
afterAll(() => database.close());

it('expireLostNodes raises a banner for a node that is lost with its journal, until it comes back', async () => {
  const run = async () => {
    await runAlone(system, expireLostNodes, log);
    return (await listBanners(system, 'super_admin')).map(({ id }) => id);
  };
  const [gone, lives] = [randomUUID(), randomUUID()];
  await database.pool.query(
    `INSERT INTO nodes (id, expires_at) VALUES ($1, now() - interval '11 minutes'), ($2, now() - interval '9 minutes')`,
    [gone, lives],
  );
  expect(await run()).toEqual(['lost-journals']);
  const { rows } = await database.pool.query('SELECT id FROM nodes WHERE reaped_at IS NOT NULL');
  expect(rows).toEqual([{ id: gone }]);
  await releaseNodes(database.pool, [gone]);
  expect(await run()).toEqual([]);
});
