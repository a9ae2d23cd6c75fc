import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { createLogger } from '#platform/logger.ts';
import { addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { extendUsageDays } from './extend-usage-days.ts';
import { runAlone } from './run-alone.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const hours = 240;
const batches = 60;

it('extendUsageDays rebuilds the usage of each day from the rollups if the time zone changes during writes', async () => {
  const { pool } = database;
  const tenantId = await addTenant(pool, 'One', { timeZone: 'Asia/Kathmandu' });
  const write = (nodeSlot: number, place: number) =>
    pool.query(
      `INSERT INTO usage_rollups (bucket_start, node_slot, tenant_id, user_id, model, requests, input_tokens)
       SELECT timestamptz '2026-06-01Z' + step * interval '75 minutes', $2, $1, step % 3, 'a', 1, step FROM generate_series($3::int, $3 + 50) step
       ON CONFLICT (tenant_id, bucket_start, node_slot, user_id, api_key_id, team_id, task_id, llm_provider_id, provider_key, model, intent)
       DO UPDATE SET requests = usage_rollups.requests + 1, input_tokens = usage_rollups.input_tokens + EXCLUDED.input_tokens`,
      [tenantId, nodeSlot, (place * 7) % (hours - 50)],
    );
  const writeAll = async (nodeSlot: number) => {
    for (let place = 0; place < batches; place++) await write(nodeSlot, place);
  };
  const run = () => runAlone(createSystemDatabase(pool), extendUsageDays, createLogger('silent'));
  await write(0, 0);
  const writing = Promise.all([writeAll(0), writeAll(1)]);
  for (const zone of ['Pacific/Kiritimati', 'America/New_York', 'Asia/Kathmandu', 'America/New_York']) {
    await pool.query('UPDATE tenants SET time_zone = $2 WHERE id = $1', [tenantId, zone]);
    await run();
  }
  await writing;
  const { rows: spans } = await pool.query(
    'SELECT time_zone, whole_from::text FROM usage_day_spans WHERE tenant_id = $1',
    [tenantId],
  );
  expect(spans).toEqual([{ time_zone: 'America/New_York', whole_from: '-infinity' }]);
  const inDays = await pool.query(
    `SELECT day::text, user_id, requests::int, tokens::int FROM usage_days WHERE grouped_by = 'model' AND node_slot = 1 AND requests > 0 ORDER BY 1, 2`,
  );
  const inRollups = await pool.query(
    `SELECT (bucket_start AT TIME ZONE 'America/New_York')::date::text AS day, user_id, sum(requests)::int AS requests, sum(input_tokens)::int AS tokens
     FROM usage_rollups WHERE node_slot = 1 GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  expect(inRollups.rows.length).toBeGreaterThan(20);
  expect(inDays.rows).toEqual(inRollups.rows);
});
