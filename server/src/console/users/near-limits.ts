import type { User } from '@sluice/contract';
import { findUsersNearBudget } from '#console/budgets/read.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { selectQuotas, selectUsage } from './store.ts';

const nearPercent = 80;

const isNear = (used: number, limit: number | null) =>
  limit !== null && limit > 0 && used * 100 >= nearPercent * limit;

/** Returns the limits that active human users have nearly used, by user; users without any are missing. */
export async function findNearLimits(
  tx: TenantTransaction,
  tenantId: number,
  userId?: number,
): Promise<Map<number, User['near_limits']>> {
  const usage = await selectUsage(tx, tenantId, userId);
  const nearBudget = await findUsersNearBudget(tx, tenantId, nearPercent, userId);
  const near = new Map<number, User['near_limits']>();
  for (const { id, dailyQuota, monthlyQuota } of await selectQuotas(tx, tenantId, userId)) {
    const { daily = 0, monthly = 0 } = usage.get(id) ?? {};
    const limits: User['near_limits'] = [];
    if (isNear(daily, dailyQuota)) limits.push('tokens_per_day');
    if (isNear(monthly, monthlyQuota)) limits.push('tokens_per_month');
    if (nearBudget.has(id)) limits.push('budget');
    if (limits.length > 0) near.set(id, limits);
  }
  return near;
}

/** Counts the active human users who have nearly used a limit. */
export const countUsersNearLimit = async (tx: TenantTransaction, tenantId: number): Promise<number> =>
  (await findNearLimits(tx, tenantId)).size;
