import { type Spend, toUsd } from '@sluice/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';
import { type DayRange, readRange, type UsageQuery } from './range.ts';
import { usedBy } from './used-by.ts';

export const noSpend: Spend = { spend_usd_today: 0, spend_usd_month: 0, spend_usd_last_month: 0 };

const owners = {
  user: { dimensions: [], key: sql`user_id` },
  team: { dimensions: ['team_id'], key: sql`team_id` },
  task: { dimensions: ['task_id'], key: sql`task_id` },
  apiKey: { dimensions: ['api_key_id'], key: sql`api_key_id` },
  member: { dimensions: ['team_id'], key: sql`team_id || ' ' || user_id` },
  model: { dimensions: ['model', 'llm_provider_id'], key: sql`llm_provider_id || ' ' || model` },
} as const;

type SpendOwner = keyof typeof owners;

/** Returns zero amounts for objects without usage. */
export type SpendOf = (...key: readonly (number | string)[]) => Spend;

/**
 * Reads the cost per owner today, this month and last month from daily sums. Members are keyed by team and user, and
 * models by instance and name.
 */
export async function readSpend(
  tx: TenantTransaction,
  tenantId: number,
  owner: SpendOwner,
  filters: Omit<UsageQuery, 'days'> = {},
): Promise<SpendOf> {
  const { months, today } = await readMonths(tx, tenantId, filters);
  const { dimensions, key } = owners[owner];
  const costOf = (days: SQL) =>
    sql`coalesce(sum(user_llm_nano_usd + company_llm_nano_usd) FILTER (WHERE ${days}), 0)::text`;
  const { rows } = await tx.execute<{ key: number | string; today: string; month: string; last: string }>(sql`
    SELECT ${key} AS key, ${costOf(sql`day = ${today}::date`)} AS today,
      ${costOf(sql`day >= date_trunc('month', ${today}::date)`)} AS month,
      ${costOf(sql`day < date_trunc('month', ${today}::date)`)} AS last
    ${usedBy(dimensions, months)} WHERE ${key} IS NOT NULL GROUP BY 1`);
  const spending = new Map(
    rows.map(({ key, today, month, last }) => [
      String(key),
      {
        spend_usd_today: toUsd(BigInt(today)),
        spend_usd_month: toUsd(BigInt(month)),
        spend_usd_last_month: toUsd(BigInt(last)),
      },
    ]),
  );
  return (...key) => spending.get(key.join(' ')) ?? noSpend;
}

export async function readMonths(
  tx: TenantTransaction,
  tenantId: number,
  filters: Omit<UsageQuery, 'days'>,
): Promise<{ months: DayRange; today: string }> {
  const { firstDay: today } = await readRange(tx, tenantId, { days: 1 });
  const [year = 0, month = 0] = today.split('-').map(Number);
  const lastMonth = new Date(Date.UTC(year, month - 2, 1)).toISOString().slice(0, 10);
  const range = { ...filters, days: 1, start_date: lastMonth, end_date: today };
  return { months: await readRange(tx, tenantId, range), today };
}
