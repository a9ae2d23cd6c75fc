import type { User } from '@sluice/contract';
import { readBudgetUse } from '#console/budgets/read.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { selectQuotas, selectUsage } from './store.ts';

const nearPercent = 80;

const percentOf = (used: number, limit: number | null): number =>
  limit === null || limit === 0 ? 0 : (used * 100) / limit;

/** Returns the limits that active human users have nearly used, by user; users without any are missing. */
export async function findNearLimits(
  tx: TenantTransaction,
  tenantId: number,
  userId?: number,
): Promise<Map<number, User['near_limits']>> {
  const usage = await selectUsage(tx, tenantId, userId);
  const ofBudgets = await readBudgetUse(tx, tenantId, userId);
  const near = new Map<number, User['near_limits']>();
  for (const { id, dailyQuota, monthlyQuota } of await selectQuotas(tx, tenantId, userId)) {
    const { daily = 0, monthly = 0 } = usage.get(id) ?? {};
    const used = [
      { limit: 'tokens_per_day', percent: percentOf(daily, dailyQuota) },
      { limit: 'tokens_per_month', percent: percentOf(monthly, monthlyQuota) },
      { limit: 'budget', percent: ofBudgets.get(id) ?? 0 },
    ] as const;
    const limits = used.filter(({ percent }) => percent >= nearPercent);
    if (limits.length > 0)
      near.set(
        id,
        limits.map(({ limit, percent }) => ({ limit, is_reached: percent >= 100 })),
      );
  }
  return near;
}

/** Counts the active human users who have nearly used a limit. */
export const countUsersNearLimit = async (tx: TenantTransaction, tenantId: number): Promise<number> =>
  (await findNearLimits(tx, tenantId)).size;
