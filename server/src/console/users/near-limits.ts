import type { User } from '@sluice/contract';
import { readBudgetUse } from '#console/budgets/read.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { selectQuotas, selectUsage, type Usage } from './store.ts';

const nearPercent = 80;

const percentOf = (used = 0, limit: number | null): number =>
  limit === null || limit === 0 ? 0 : (used * 100) / limit;

interface Quotas {
  readonly dailyQuota: number | null;
  readonly monthlyQuota: number | null;
}

/** `budgetPercent` is the highest used percentage of the user's budgets. */
export function listNearLimits(
  { dailyQuota, monthlyQuota }: Quotas,
  usage: Usage | undefined,
  budgetPercent = 0,
): User['near_limits'] {
  const used = [
    { limit: 'tokens_per_day', percent: percentOf(usage?.daily, dailyQuota) },
    { limit: 'tokens_per_month', percent: percentOf(usage?.monthly, monthlyQuota) },
    { limit: 'budget', percent: budgetPercent },
  ] as const;
  return used
    .filter(({ percent }) => percent >= nearPercent)
    .map(({ limit, percent }) => ({ limit, is_reached: percent >= 100 }));
}

/** Counts the active human users who have used at least 80% of a limit. */
export async function countUsersNearLimit(tx: TenantTransaction, tenantId: number): Promise<number> {
  const usage = await selectUsage(tx, tenantId);
  const budgetUse = await readBudgetUse(tx, tenantId);
  const users = await selectQuotas(tx, tenantId);
  return users.filter((user) => listNearLimits(user, usage.get(user.id), budgetUse.get(user.id)).length > 0)
    .length;
}
