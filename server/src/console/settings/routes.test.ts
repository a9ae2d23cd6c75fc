import {
  defaultDeviationPolicy,
  permissionsOfRole,
  settingsRoutes,
  updateSettingsBody,
} from '@sluice/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSetMarkup } from '#console/credits/change-settings.ts';
import { createSetSuperAdminFactor } from '#console/second-factor/super-admin-rule.ts';
import { createSystemDatabase } from '#db/system.ts';
import { createRunInTenant } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { createSettingsHandlers } from './routes.ts';

let database: TestDatabase;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof settingsRoutes>>>;
let one: Principal;
let two: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const console = createTestConsole(
    database.pool,
    settingsRoutes,
    createSettingsHandlers({
      setMarkup: createSetMarkup(createSystemDatabase(database.pool)),
      setSuperAdminFactor: createSetSuperAdminFactor(createSystemDatabase(database.pool)),
      clock: Date.now,
    }),
  );
  as = (principal) => console({ principal });
});
afterAll(() => database.close());

beforeEach(async () => {
  await emptyTables(database, 'tenants');
  one = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'admin@one.test');
  const tokyo = await addTenant(database.pool, 'Two', { timeZone: 'Asia/Tokyo' });
  two = await addPerson(database.pool, tokyo, 'admin', 'admin@two.test');
});

const standard = {
  time_zone: 'UTC',
  accepts_request_labels: false,
  markup_percentage: 20,
  deviation_policy: defaultDeviationPolicy,
  prompt_privacy: 'full',
  retention_days: 400,
  body_retention_days: 90,
  usage_retention_days: 3650,
  max_output_tokens: null,
  trusted_models: [],
  default_daily_quota: 1000,
  default_monthly_quota: 30_000,
  default_requests_per_hour: 100,
  users_regenerate_keys: false,
  api_keys_per_user: 5,
  users_create_keys: false,
  unpriced_models: 'refuse',
  fallback_price: null,
  second_factor_roles: [],
  requires_super_admin_second_factor: false,
};

describe('tenant settings', () => {
  it("getSettings returns the settings of the caller's tenant", async () => {
    expect(await as(one).getSettings()).toEqual({ ...standard, name: 'One' });
    expect(await as(two).getSettings()).toEqual({ ...standard, name: 'Two', time_zone: 'Asia/Tokyo' });
  });

  it("updateSettings changes only the given fields of the caller's tenant", async () => {
    const renamed = await as(one).updateSettings({ body: { name: ' Northwind ' } });
    expect(renamed).toEqual({ ...standard, name: 'Northwind' });
    const moved = await as(one).updateSettings({ body: { time_zone: 'Europe/Berlin' } });
    expect(moved).toEqual({ ...standard, name: 'Northwind', time_zone: 'Europe/Berlin' });
    expect(await as(one).updateSettings({ body: {} })).toEqual(moved);
    expect(await as(one).getSettings()).toEqual(moved);
    expect(await as(two).getSettings()).toEqual({ ...standard, name: 'Two', time_zone: 'Asia/Tokyo' });
  });

  it('updateSettings stores a time zone in the spelling of the database', async () => {
    const moved = await as(one).updateSettings({ body: { time_zone: 'europe/berlin' } });
    expect(moved.time_zone).toBe('Europe/Berlin');
  });

  it.each(['', 'Mars/Olympus', '+02:00', "UTC'; DROP"])(
    'updateSettings rejects the time zone "%s"',
    (zone) => {
      expect(updateSettingsBody.safeParse({ time_zone: zone }).success).toBe(false);
    },
  );

  it('updateSettings rejects a time zone that only JavaScript supports', async () => {
    const known = await database.pool.query<{ name: string }>('SELECT name FROM pg_timezone_names');
    const names = new Set(known.rows.map(({ name }) => name.toLowerCase()));
    const stranger = ['SystemV/EST5', 'ACT', 'AET', 'Etc/Unknown'].find(
      (name) => !names.has(name.toLowerCase()) && updateSettingsBody.safeParse({ time_zone: name }).success,
    );
    expect(stranger).toBeDefined();
    await expect(as(one).updateSettings({ body: { time_zone: stranger } })).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'time_zone'] }],
    });
    expect(await as(one).getSettings()).toEqual({ ...standard, name: 'One' });
  });

  it('every offered time zone is accepted by the database', async () => {
    const { rows } = await database.pool.query(
      'SELECT offered FROM unnest($1::text[]) offered WHERE lower(offered) NOT IN (SELECT lower(name) FROM pg_timezone_names)',
      [Intl.supportedValuesOf('timeZone')],
    );
    expect(rows).toEqual([]);
  });

  it('updateSettings changes the markup of all tenants only for a super administrator', async () => {
    await expect(as(one).updateSettings({ body: { markup_percentage: 5 } })).rejects.toMatchObject({
      status: 403,
    });
    const operator = { ...one, role: 'super_admin' as const };
    const raised = await as(operator).updateSettings({
      body: { name: 'Operators', markup_percentage: 12.5 },
    });
    expect(raised).toEqual({ ...standard, name: 'Operators', markup_percentage: 12.5 });
    expect(await as(two).getSettings()).toMatchObject({ markup_percentage: 12.5 });
    await as(operator).updateSettings({ body: { markup_percentage: 20 } });
  });

  it.each([-1, 1000.01, 0.001, '20'])('updateSettings rejects %s as a markup', (markup_percentage) => {
    expect(updateSettingsBody.safeParse({ markup_percentage }).success).toBe(false);
  });

  it('updateSettings replaces the deviation policy as a whole', async () => {
    const deviation_policy = {
      ...defaultDeviationPolicy,
      mode: 'block' as const,
      thresholds: { elevated: 0.2, high: 0.4, block: 0.6 },
    };
    expect(await as(one).updateSettings({ body: { deviation_policy } })).toMatchObject({ deviation_policy });
    expect(await as(one).getSettings()).toMatchObject({ deviation_policy });
    expect(await as(two).getSettings()).toMatchObject({ deviation_policy: defaultDeviationPolicy });
  });

  it('updateSettings accepts an unchanged policy', async () => {
    const { deviation_policy } = await as(two).getSettings();
    expect(await as(two).updateSettings({ body: { deviation_policy } })).toMatchObject({ deviation_policy });
  });

  const { thresholds, weights } = defaultDeviationPolicy;
  it.each([
    ['a weight above 2', { weights: { ...weights, category: 2.1 } }],
    ['a weight below 0', { weights: { ...weights, burst: -0.1 } }],
    ['an unknown signal', { weights: { ...weights, mood: 1 } }],
    ['thresholds that do not rise', { thresholds: { ...thresholds, high: 0.5 } }],
    ['a threshold above 1', { thresholds: { ...thresholds, block: 1.1 } }],
    ['an unknown mode', { mode: 'ban' }],
  ])('updateSettings rejects a policy with %s', (_, change) => {
    const deviation_policy = { ...defaultDeviationPolicy, ...change };
    expect(updateSettingsBody.safeParse({ deviation_policy }).success).toBe(false);
  });

  it('updateSettings stores prompt privacy, retention and response limits', async () => {
    const changes = {
      prompt_privacy: 'redacted',
      retention_days: 60,
      body_retention_days: 7,
      usage_retention_days: 500,
      max_output_tokens: 500,
      default_daily_quota: 50_000,
      default_monthly_quota: null,
      default_requests_per_hour: 60,
      users_regenerate_keys: true,
      trusted_models: ['gpt-4o*', 'claude'],
    } as const;
    const changed = await as(one).updateSettings({
      body: { ...changes, trusted_models: [...changes.trusted_models] },
    });
    expect(changed).toEqual({ ...standard, ...changes, name: 'One' });
    expect(await as(two).getSettings()).toMatchObject({ prompt_privacy: 'full', retention_days: 400 });
    const lifted = await as(one).updateSettings({ body: { max_output_tokens: null, trusted_models: [] } });
    expect(lifted).toMatchObject({ max_output_tokens: null, trusted_models: [], retention_days: 60 });
    const { rows } = await database.pool.query(
      "SELECT after FROM audit_entries WHERE object_type = 'tenant' AND tenant_id = $1 AND after ? 'prompt_privacy' ORDER BY id DESC LIMIT 1",
      [one.tenantId],
    );
    expect(rows[0].after).toMatchObject({ prompt_privacy: 'redacted', retention_days: 60 });
  });

  it.each([
    ['an unknown prompt privacy mode', { prompt_privacy: 'secret' }],
    ['a retention of 0 days', { retention_days: 0 }],
    ['a usage retention of 399 days', { usage_retention_days: 399 }],
    ['a retention of 1.5 days', { body_retention_days: 1.5 }],
    ['a retention of 3,651 days', { retention_days: 3651 }],
    ['a default daily quota of 0', { default_daily_quota: 0 }],
    ['a limit of 15 output tokens', { max_output_tokens: 15 }],
    ['a blank trusted model', { trusted_models: [' '] }],
  ])('updateSettings rejects %s', (_, change) => {
    expect(updateSettingsBody.safeParse(change).success).toBe(false);
  });

  it('updateSettings rejects a text retention above the row retention, regardless of which of them changes', async () => {
    for (const [body, field] of [
      [{ body_retention_days: 401 }, 'body_retention_days'],
      [{ retention_days: 89 }, 'retention_days'],
      [{ retention_days: 10, body_retention_days: 11 }, 'body_retention_days'],
    ] as const) {
      await expect(as(one).updateSettings({ body })).rejects.toMatchObject({
        status: 422,
        detail: [{ loc: ['body', field] }],
      });
    }
    expect(await as(one).getSettings()).toEqual({ ...standard, name: 'One' });
  });

  it('updateSettings rejects an invalid pattern of trusted models', async () => {
    await expect(as(one).updateSettings({ body: { trusted_models: ['{a'] } })).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'trusted_models'] }],
    });
  });

  it("previewRetention counts what the retention days would delete in the caller's tenant", async () => {
    for (const { tenantId } of [one, one, one, two]) {
      for (const days of [5, 50, 500]) {
        await database.pool.query(
          `WITH log AS (
             INSERT INTO request_logs (id, tenant_id, protocol, operation, status, http_status, is_stream, attempts, received_at, response_time_ms, usage_source)
             VALUES (overlay(uuid_floor(now() - make_interval(days => $2))::text placing right(gen_random_uuid()::text, 12) from 25)::uuid, $1, 'p', 'o', 'success', 200, false, 1, now(), 1, 'none') RETURNING id)
           INSERT INTO request_log_bodies (id, tenant_id, prompt, request_bytes, response_bytes) SELECT id, $1, 'Hi', 1, 1 FROM log`,
          [tenantId, days],
        );
      }
    }
    const preview = (retention_days: number, body_retention_days: number) =>
      as(one).previewRetention({ query: { retention_days, body_retention_days } });
    expect(await preview(400, 90)).toMatchObject({ rows: 3, bodies: 0, is_exact: true });
    expect(await preview(400, 30)).toMatchObject({ rows: 3, bodies: 3 });
    expect(await preview(30, 1)).toMatchObject({ rows: 6, bodies: 3 });
    const { runs_at } = await preview(1, 1);
    expect(Date.parse(runs_at)).toBeGreaterThan(Date.now());
    expect(runs_at).toMatch(/T02:11:00/);
    await expect(preview(10, 11)).rejects.toMatchObject({ status: 422 });
  });

  it('settings routes require an administrator', () => {
    for (const right of ['settings.read', 'settings.write'] as const) {
      expect(permissionsOfRole('super_admin')).toContain(right);
      expect(permissionsOfRole('admin')).toContain(right);
      expect(permissionsOfRole('user')).not.toContain(right);
    }
  });
});

describe('the database role of tenant queries', () => {
  const inTenant = (tenantId: number, statement: string) =>
    createRunInTenant(database.pool, postgresRequestLog.openTenant)(tenantId, (tx) =>
      tx.execute(sql.raw(statement)),
    );

  it('the tenant role cannot change another tenant, even without a filter', async () => {
    const answer = await inTenant(one.tenantId, "UPDATE tenants SET name = 'Mine'");
    expect(answer.rowCount).toBe(1);
    expect(await as(two).getSettings()).toMatchObject({ name: 'Two' });
  });

  it.each(["status = 'active'", 'user_limit = NULL', "slug = 'x'"])(
    'the tenant role may not set %s',
    async (change) => {
      await expect(inTenant(one.tenantId, `UPDATE tenants SET ${change}`)).rejects.toMatchObject({
        cause: { message: expect.stringContaining('permission denied') },
      });
    },
  );
});

it('updateSettings stores the rule for models without a price, and requires a price for the fallback', async () => {
  const fallback = { unpriced_models: 'fallback' } as const;
  await expect(as(one).updateSettings({ body: fallback })).rejects.toMatchObject({
    status: 422,
    detail: [{ loc: ['body', 'fallback_price'] }],
  });
  const fallback_price = { input: 2.5, output: 10 };
  expect(await as(one).updateSettings({ body: { ...fallback, fallback_price } })).toMatchObject({
    unpriced_models: 'fallback',
    fallback_price,
  });
  await expect(as(one).updateSettings({ body: { fallback_price: null } })).rejects.toMatchObject({
    status: 422,
  });
  await as(one).updateSettings({ body: { unpriced_models: 'refuse', fallback_price: null } });
});
