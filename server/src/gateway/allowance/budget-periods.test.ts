import type { BudgetPeriod } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createLeaseNodes, type LeaseNode, type LeaseNodes } from '#test/load/lease-nodes.ts';
import type { Fit } from './hold.ts';
import { LimitReached } from './limit-error.ts';

const ends: readonly [zone: string, unit: BudgetPeriod, end: string][] = [
  ['Pacific/Auckland', 'week', '2026-11-29T11:00:00.000Z'],
  ['America/New_York', 'week', '2026-11-30T05:00:00.000Z'],
  ['Pacific/Auckland', 'month', '2026-11-30T11:00:00.000Z'],
  ['America/New_York', 'month', '2026-12-01T05:00:00.000Z'],
];

let database: TestDatabase;
let nodes: LeaseNodes;
let nowMs = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  nodes = await createLeaseNodes({ database, nowMs: () => nowMs });
});
afterAll(async () => {
  await nodes.close();
  await database.close();
});

const takeOne: Fit = (left) =>
  left.every((one) => one >= 1) ? { amounts: left.map(() => 1) } : { lacking: 0, amount: 1 };

describe.each(ends)('a budget in %s per %s', (timeZone, unit, end) => {
  it('an exhausted budget remains exhausted until the last millisecond of its period and is full again in the next period', async () => {
    const tenantId = await addTenant(database.pool, `${timeZone} ${unit}`, { timeZone });
    const { userId } = await addPerson(database.pool, tenantId, 'user', `mara@${tenantId}.test`);
    const { rows } = await database.pool.query<{ id: number }>(
      `INSERT INTO budgets (tenant_id, user_id, measure, period, limit_amount)
       VALUES ($1, $2, 'requests', $3, 2) RETURNING id`,
      [tenantId, userId, unit],
    );
    const period = { unit, startsAtMs: null };
    const subject = { kind: 'request_budget', subjectId: rows[0]!.id, timeZone, period } as const;
    const admits = async ({ book }: LeaseNode) => {
      try {
        await book.admit([subject], takeOne);
        return true;
      } catch (error) {
        if (error instanceof LimitReached) return false;
        throw error;
      }
    };
    const [one, other] = [await nodes.add({ tenantId, userId }), await nodes.add({ tenantId, userId })];
    const endMs = Date.parse(end);
    nowMs = endMs - 1;
    expect([await admits(one), await admits(other), await admits(one), await admits(other)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    nowMs = endMs;
    expect([await admits(other), await admits(one), await admits(other)]).toEqual([true, true, false]);
    const windows = await database.pool.query<{ start: string }>(
      `SELECT to_char(window_start AT TIME ZONE $2, 'Dy DD HH24:MI') AS start FROM allowances
       WHERE kind = 'request_budget' AND subject_id = $1 ORDER BY window_start`,
      [subject.subjectId, timeZone],
    );
    expect(windows.rows.map(({ start }) => start)).toEqual(
      unit === 'week' ? ['Mon 23 00:00', 'Mon 30 00:00'] : ['Sun 01 00:00', 'Tue 01 00:00'],
    );
  });
});
