import { portalRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { findWindow } from '#domain/allowance/window.ts';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createPortalHandlers } from './routes.ts';

const timeZone = 'Pacific/Auckland';

let database: TestDatabase;
let mara: Principal;
let tom: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const tenantId = await addTenant(database.pool, 'One', { timeZone });
  mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  tom = await addPerson(database.pool, tenantId, 'user', 'tom@one.test');
});
afterAll(() => database.close());
beforeEach(async () => {
  await run('TRUNCATE usage_rollups, allowances CASCADE');
  await run('UPDATE users SET monthly_quota = 1000000');
});

const run = (statement: string, ...values: unknown[]) => database.pool.query(statement, values);

const forecastOf = (principal: Principal) =>
  createTestConsole(database.pool, portalRoutes, createPortalHandlers())({ principal }).getUserForecast();

const useDaily = (owner: Principal, days: number, tokens: number) =>
  run(
    `INSERT INTO usage_rollups (bucket_start, node_slot, tenant_id, user_id, api_key_id, provider_key, model, intent,
       requests, input_tokens, output_tokens)
     SELECT ((now() AT TIME ZONE $5)::date - day + time '12:00') AT TIME ZONE $5, 0, $1, $2, 1, 'openai', 'gpt-5', 'coding', 1, $4, 0
     FROM generate_series(1, $3::integer) day`,
    owner.tenantId,
    owner.userId,
    days,
    tokens,
    timeZone,
  );

const settle = (owner: Principal, tokens: number) =>
  run(
    `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, settled, leased, requests)
     VALUES ($1, 'tokens_per_month', $2, $3, $4, 0, 1)`,
    owner.tenantId,
    owner.userId,
    new Date(findWindow('tokens_per_month', Date.now(), timeZone).startMs),
    tokens,
  );

it('getUserForecast returns when the quota is reached at the rate of the last four weeks', async () => {
  await useDaily(mara, 40, 1_000);
  await useDaily(tom, 40, 90_000);
  await settle(mara, 999_999);
  const { forecast, hidden_because } = await forecastOf(mara);
  const { rows } = await run('SELECT (now() AT TIME ZONE $1)::date::text AS today', timeZone);
  expect(hidden_because).toBeNull();
  expect(forecast).toMatchObject({ used: 999_999, limit: 1_000_000, error: 0, learned_days: 28 });
  // Only one token is left, so the quota is reached today unless the day ends within 90 seconds.
  expect([rows[0].today, forecast?.last_day]).toContain(forecast?.reaches_on);
});

it('getUserForecast reports that the quota is sufficient', async () => {
  await useDaily(mara, 40, 1_000);
  const { forecast } = await forecastOf(mara);
  expect(forecast).toMatchObject({ reaches_on: null, earliest: null, latest: null, used: 0 });
  expect(forecast?.used_by_end).toBeLessThanOrEqual(31_000);
});

it.each([
  ['there is no monthly quota', 'no_quota', () => run('UPDATE users SET monthly_quota = NULL')],
  ['the quota is reached', 'reached', () => settle(mara, 1_000_000)],
  ['there are few days', 'too_few_days', () => run('TRUNCATE usage_rollups CASCADE')],
  ['earlier forecasts were inaccurate', 'unsteady', () => useDaily(mara, 9, 200_000)],
])('getUserForecast returns no forecast if %s', async (_, reason, change) => {
  await useDaily(mara, 40, 100);
  if (reason === 'unsteady')
    await run("DELETE FROM usage_rollups WHERE bucket_start > now() - interval '9 days 13 hours'");
  await change();
  expect(await forecastOf(mara)).toEqual({ forecast: null, hidden_because: reason });
});
