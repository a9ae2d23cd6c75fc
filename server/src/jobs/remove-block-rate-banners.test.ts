import { afterAll, beforeAll, expect, it } from 'vitest';
import { listBanners, raiseBanner } from '#banners/banners.ts';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { createLogger } from '#platform/logger.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { runAlone } from './run-alone.ts';
import { removeBlockRateBanners } from './update-incident-banners.ts';

let database: TestDatabase;
let system: SystemDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
});
afterAll(() => database.close());

it('removeBlockRateBanners removes the banner of a policy that has spared no user for an hour', async () => {
  const tenantId = await addTenant(database.pool, 'One');
  const otherId = await addTenant(database.pool, 'Two');
  const { userId } = await addPerson(database.pool, tenantId, 'admin', 'admin@one.test');
  await raiseBanner(system, {
    id: `deviation-brake-${tenantId}`,
    severity: 'warning',
    audience: 'admin',
    tenantId,
    message: 'At its limit',
  });
  await database.pool.query(
    `INSERT INTO score_events (tenant_id, user_id, kind, score_before, score_after, reason) VALUES ($1, $2, 'spare', 0, 1, 'x')`,
    [tenantId, userId],
  );
  const run = () => runAlone(system, removeBlockRateBanners, createLogger('silent'));
  await run();
  expect(await listBanners(system, 'admin', tenantId)).toHaveLength(1);
  expect(await listBanners(system, 'admin', otherId)).toEqual([]);
  await database.pool.query("UPDATE score_events SET created_at = now() - interval '61 minutes'");
  await run();
  expect(await listBanners(system, 'admin', tenantId)).toEqual([]);
});
