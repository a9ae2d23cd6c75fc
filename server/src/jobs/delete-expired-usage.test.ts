import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { createLogger } from '#platform/logger.ts';
import { addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createDeleteExpiredUsage } from './delete-old-rows.ts';
import { extendUsageDays } from './extend-usage-days.ts';
import { runAlone } from './run-alone.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const nowMs = Date.parse('2026-11-23T10:00:00Z');

it("deleteExpiredUsage deletes whole days of each tenant's time zone, and the days of a new zone match the remaining rollups", async () => {
  const { pool } = database;
  const short = await addTenant(pool, 'Short', { timeZone: 'Asia/Tokyo' });
  const long = await addTenant(pool, 'Long', { timeZone: 'Asia/Tokyo' });
  await pool.query('UPDATE tenants SET usage_retention_days = 400 WHERE id = $1', [short]);
  // The usage is from every six hours of 420 days, for more users than fit into a batch of deleted rows.
  await pool.query(
    `INSERT INTO usage_rollups (bucket_start, node_slot, tenant_id, user_id, model, requests, input_tokens)
     SELECT to_timestamp($2) - step * interval '6 hours', 0, tenant, person, 'a', 1, 1
     FROM unnest($1::int[]) tenant, generate_series(0, 4 * 420) step, generate_series(1, 30) person`,
    [[short, long], nowMs / 1_000],
  );
  const daysOf = async (table: 'usage_days' | 'usage_rollups', tenantId: number) => {
    const day =
      table === 'usage_days'
        ? 'day'
        : '(bucket_start AT TIME ZONE (SELECT time_zone FROM tenants WHERE id = tenant_id))::date';
    const isCounted = table === 'usage_days' ? "AND grouped_by = 'model'" : '';
    const { rows } = await pool.query(
      `SELECT ${day}::text AS day, sum(requests)::int AS requests FROM ${table}
       WHERE tenant_id = $1 ${isCounted} GROUP BY 1 ORDER BY 1`,
      [tenantId],
    );
    return rows;
  };
  const run = (job: Parameters<typeof runAlone>[1]) =>
    runAlone(createSystemDatabase(pool), job, createLogger('silent'));
  const before = await daysOf('usage_days', long);
  await run(createDeleteExpiredUsage(() => nowMs));
  expect(await daysOf('usage_days', long)).toEqual(before);
  const left = await daysOf('usage_days', short);
  // 400 days before 23 November 2026, 19:00 in Tokyo.
  expect(left).toEqual(before.filter(({ day }) => day >= '2025-10-19'));
  expect(left.length).toBeLessThan(before.length);
  expect(await daysOf('usage_rollups', short)).toEqual(left);
  await pool.query("UPDATE tenants SET time_zone = 'UTC' WHERE id = $1", [short]);
  await run(extendUsageDays);
  expect(await daysOf('usage_days', short)).toEqual(await daysOf('usage_rollups', short));
});
