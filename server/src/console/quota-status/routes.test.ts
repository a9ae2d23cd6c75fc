import { quotaStatusRoutes, roleNames, standingWarnings } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AllowanceKind, findWindow } from '#domain/allowance/window.ts';
import { isAllowed, type Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createQuotaStatusHandlers } from './routes.ts';

const timeZone = 'Pacific/Auckland';
const quotaKinds = ['requests_per_hour', 'tokens_per_day', 'tokens_per_month'] as const;

let database: TestDatabase;
let mara: Principal;
let colleague: Principal;
let tenants = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  const tenantId = await addTenant(database.pool, `Tenant ${++tenants}`, { timeZone });
  mara = await addPerson(database.pool, tenantId, 'user', `mara-${tenants}@one.test`);
  colleague = await addPerson(database.pool, tenantId, 'user', `noor-${tenants}@one.test`);
  await run('UPDATE users SET requests_per_hour = 60, daily_quota = 1000, monthly_quota = NULL');
});

const run = (statement: string, ...values: unknown[]) => database.pool.query(statement, values);
const statusOf = (principal: Principal) =>
  createTestConsole(
    database.pool,
    quotaStatusRoutes,
    createQuotaStatusHandlers(),
  )({ principal }).getQuotaStatus();
const settle = ({ tenantId, userId }: Principal, kind: AllowanceKind, amount: number, atMs = Date.now()) =>
  run(
    `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, settled, leased, requests)
     VALUES ($1, $2, $3, $4, $5, 7, 1)`,
    tenantId,
    kind,
    userId,
    new Date(findWindow(kind, atMs, timeZone).startMs),
    amount,
  );
const setScore = (score: number, at: string) =>
  run(`UPDATE users SET deviation_score = $2, deviation_scored_at = ${at} WHERE id = $1`, mara.userId, score);

describe('limits of getQuotaStatus', () => {
  it('getQuotaStatus returns unused limits for a new user, with the ends of hour, day and month', async () => {
    const before = Date.now();
    const { quotas } = await statusOf(mara);
    const endsOf = (atMs: number) =>
      quotaKinds.map((kind) => new Date(findWindow(kind, atMs, timeZone).endMs).toISOString());
    // A new hour may have started between the two readings.
    expect([endsOf(before), endsOf(Date.now())]).toContainEqual(
      quotaKinds.map((kind) => quotas[kind].resets_at),
    );
    expect(quotas).toMatchObject({
      requests_per_hour: { used: 0, limit: 60 },
      tokens_per_day: { used: 0, limit: 1_000 },
      tokens_per_month: { used: 0, limit: null },
    });
  });

  it("getQuotaStatus returns the caller's usage in this window without reservations of running requests", async () => {
    const dayMs = 24 * 3_600_000;
    for (const [index, kind] of quotaKinds.entries()) {
      await settle(mara, kind, index + 1);
      await settle(mara, kind, 500, Date.now() - 40 * dayMs);
      await settle(colleague, kind, 900);
    }
    expect((await statusOf(mara)).quotas).toMatchObject({
      requests_per_hour: { used: 1 },
      tokens_per_day: { used: 2 },
      tokens_per_month: { used: 3 },
    });
  });

  it("getQuotaStatus never includes usage of another tenant's user, even with the same id", async () => {
    const other = await addTenant(database.pool, `Other ${tenants}`, { timeZone });
    await settle({ ...mara, tenantId: other }, 'tokens_per_day', 777);
    expect((await statusOf(mara)).quotas.tokens_per_day.used).toBe(0);
  });
});

describe('standing in getQuotaStatus', () => {
  it('getQuotaStatus returns a good standing without reasons for a new user', async () => {
    expect(await statusOf(mara)).toMatchObject({
      deviation_score: 0,
      level: 'normal',
      warnings: { blocked_status: null, high_deviation_score: null },
      blocked_reason: null,
      blocked_at: null,
      policy: { mode: 'monitor', thresholds: { elevated: 0.5, high: 0.7, block: 0.9 } },
    });
  });

  it.each([
    ['0.6', 0.6, 'now()', 0.6, 'elevated', null],
    ['0.8', 0.8, 'now()', 0.8, 'high', standingWarnings.high_deviation_score],
    ['0.8 a week ago', 0.8, "now() - interval '7 days'", 0.4, 'normal', null],
  ])(
    'getQuotaStatus returns a score of %s with its decay',
    async (_, score, at, expected, level, warning) => {
      await setScore(score, at);
      const status = await statusOf(mara);
      expect(status.deviation_score).toBeCloseTo(expected, 4);
      expect(status).toMatchObject({ level, warnings: { high_deviation_score: warning } });
    },
  );

  it("getQuotaStatus uses the thresholds of the tenant's own policy", async () => {
    await setScore(0.3, 'now()');
    await run(
      `UPDATE tenants SET deviation_policy = $2 WHERE id = $1`,
      mara.tenantId,
      JSON.stringify({
        mode: 'warn',
        weights: { off_topic: 1, category: 0.4, wording: 0.1, burst: 0.2, refusals: 0.5 },
        thresholds: { elevated: 0.1, high: 0.2, block: 0.4 },
      }),
    );
    expect(await statusOf(mara)).toMatchObject({
      level: 'high',
      policy: { mode: 'warn', thresholds: { elevated: 0.1, high: 0.2, block: 0.4 } },
    });
  });

  it('getQuotaStatus returns the reason and time of a block', async () => {
    await run(
      `UPDATE users SET is_blocked = true, blocked_reason = 'Too far off', blocked_at = '2026-11-20T10:00:00Z' WHERE id = $1`,
      mara.userId,
    );
    expect(await statusOf(mara)).toMatchObject({
      warnings: { blocked_status: standingWarnings.blocked_status },
      blocked_reason: 'Too far off',
      blocked_at: '2026-11-20T10:00:00.000Z',
    });
    expect((await statusOf(colleague)).blocked_at).toBeNull();
  });

  it('getQuotaStatus returns 404 for a deleted user', async () => {
    await run('DELETE FROM users WHERE id = $1', colleague.userId);
    await expect(statusOf(colleague)).rejects.toMatchObject({ status: 404 });
  });
});

it('getQuotaStatus is available to all users, including blocked ones', () => {
  const { permission } = quotaStatusRoutes.getQuotaStatus;
  for (const role of roleNames) {
    expect(isAllowed({ ...mara, role }, permission)).toBe(true);
    expect(isAllowed({ ...mara, role, blockedReason: 'a test' }, permission)).toBe(true);
  }
});
