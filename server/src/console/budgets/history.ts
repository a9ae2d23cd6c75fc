import type { Budget, BudgetHistory, BudgetMeasure } from '@sluice/contract';
import { type SQL, sql } from 'drizzle-orm';
import { type DayRange, readRange, type UsageQuery } from '#console/analytics/range.ts';
import { usedBy } from '#console/analytics/used-by.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { parseBlacklistPattern } from '#domain/access/blacklist.ts';
import type { Author } from '#domain/principal.ts';
import { getBudget } from './read.ts';
import { selectPayingKeys } from './store.ts';
import { showAmount } from './terms.ts';

const daysMax = 92;

const amounts: Readonly<Record<BudgetMeasure, SQL>> = {
  usd: sql`sum(user_llm_nano_usd + company_llm_nano_usd)`,
  tokens: sql`sum(tokens)`,
  requests: sql`sum(requests)`,
  parallel_requests: sql`0`,
};

/**
 * Today's amount is exact. Earlier amounts are computed from today's amount and the daily usage, which counts a
 * request on the day it was logged.
 */
export async function getBudgetHistory(
  tx: TenantTransaction,
  author: Author,
  id: number,
): Promise<BudgetHistory> {
  const budget = await getBudget(tx, author, id);
  const window = await readWindowDays(tx, author.tenantId, budget);
  const isOfKey = budget.subject_type === 'api_key';
  const range = isOfKey ? { ...window, apiKeyIds: await selectPayingKeys(tx, budget.subject_id) } : window;
  const used = budget.subject_type === 'team_member' ? new Map() : await readUse(tx, budget, range);
  const days: BudgetHistory['days'] = [];
  let spent = budget.spent;
  for (const date of listDays(range).toReversed()) {
    days.unshift({ date, spent: Math.max(0, spent) });
    spent -= used.get(date) ?? 0;
  }
  return { days, last_day: await findLastDay(tx, range, budget) };
}

async function readWindowDays(tx: TenantTransaction, tenantId: number, budget: Budget): Promise<DayRange> {
  const longest = await readRange(tx, tenantId, { days: daysMax, ...usageOf(budget) });
  const since = await dayOf(tx, longest, budget.counts_since);
  const first = since > longest.firstDay ? since : longest.firstDay;
  return readRange(tx, tenantId, {
    days: 1,
    start_date: first,
    end_date: longest.lastDay,
    ...usageOf(budget),
  });
}

function usageOf({ subject_id, subject_type, team_id }: Budget): Omit<UsageQuery, 'days'> {
  const isUser = subject_type === 'user' || subject_type === 'service_account';
  return {
    ...(isUser && { user_id: subject_id }),
    ...(team_id !== null && { team_id: [team_id] }),
    ...(subject_type === 'team' && { team_id: [subject_id] }),
    ...(subject_type === 'task' && { task_id: subject_id }),
  };
}

async function readUse(tx: TenantTransaction, budget: Budget, range: DayRange): Promise<Map<string, number>> {
  const { llm_provider_id: providerId, measure, model_pattern, subject_id, subject_type } = budget;
  const instanceId = subject_type === 'provider' ? subject_id : providerId;
  const parsed = model_pattern === null ? null : parseBlacklistPattern(model_pattern);
  const { rows } = await tx.execute<{ day: string; model: string | null; amount: string }>(sql`
    SELECT day::text AS day, model, ${amounts[measure]}::text AS amount
    ${usedBy(['model', 'llm_provider_id'], range)}
    ${instanceId === null ? sql`` : sql`WHERE llm_provider_id = ${instanceId}`}
    GROUP BY day, model`);
  const used = new Map<string, number>();
  for (const { amount, day, model } of rows) {
    if (parsed?.ok && !parsed.pattern.fits((model ?? '').toLowerCase())) continue;
    used.set(day, (used.get(day) ?? 0) + showAmount(measure, Number(amount)));
  }
  return used;
}

async function dayOf(tx: TenantTransaction, { timeZone }: DayRange, instant: string): Promise<string> {
  const { rows } = await tx.execute<{ day: string }>(
    sql`SELECT (${instant}::timestamptz AT TIME ZONE ${timeZone})::date::text AS day`,
  );
  return rows[0]?.day ?? '';
}

/** Returns the day before the reset; `null` if the window never resets. */
async function findLastDay(tx: TenantTransaction, range: DayRange, budget: Budget): Promise<string | null> {
  if (budget.resets_at === null) return null;
  return dayOf(tx, range, new Date(Date.parse(budget.resets_at) - 1).toISOString());
}

function listDays({ firstDay, lastDay }: DayRange): string[] {
  const days: string[] = [];
  for (let atMs = Date.parse(firstDay); atMs <= Date.parse(lastDay); atMs += 86_400_000)
    days.push(new Date(atMs).toISOString().slice(0, 10));
  return days;
}
