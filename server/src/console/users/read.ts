import type { Spend, User } from '@sluice/contract';
import { readSpend } from '#console/analytics/spend.ts';
import { readBudgetUse } from '#console/budgets/read.ts';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import { decayScore } from '#domain/deviation/score.ts';
import type { Principal } from '#domain/principal.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import { notFound } from '#errors/console-error.ts';
import { Page } from '#http/verbs.ts';
import { findMissing } from './find-missing.ts';
import { listNearLimits } from './near-limits.ts';
import { countUsers, selectUsage, selectUsers, type Usage, type UserRow } from './store.ts';

export function getUser(tx: TenantTransaction, author: Principal, userId: number): Promise<User> {
  return readUser(tx, author.tenantId, userId);
}

export async function readUser(tx: TenantTransaction, tenantId: number, userId: number): Promise<User> {
  const [row] = await selectUsers(tx, tenantId, { userId });
  if (!row) throw notFound('User');
  const usage = await selectUsage(tx, tenantId, userId);
  const missing = await findMissing(tx, tenantId, userId);
  const budgetUse = await readBudgetUse(tx, tenantId, userId);
  const spendOf = await readSpend(tx, tenantId, 'user', { user_id: userId });
  return toUser(row, usage.get(userId), budgetUse.get(userId), missing.get(userId), spendOf(userId));
}

function toUser(
  row: UserRow,
  usage: Usage | undefined,
  budgetPercent: number | undefined,
  missing: User['missing'] | undefined,
  spend: Spend,
): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role_id: row.roleId,
    role_name: row.roleName,
    daily_quota: row.dailyQuota,
    monthly_quota: row.monthlyQuota,
    requests_per_hour: row.requestsPerHour,
    current_daily_usage: usage?.daily ?? 0,
    current_monthly_usage: usage?.monthly ?? 0,
    held_daily_usage: usage?.dailyHeld ?? 0,
    held_monthly_usage: usage?.monthlyHeld ?? 0,
    near_limits: row.isActive && row.kind === 'person' ? listNearLimits(row, usage, budgetPercent) : [],
    is_active: row.isActive,
    is_blocked: row.isBlocked,
    blocked_reason: row.blockedReason,
    deviation_score: scoreNow(row),
    missing: missing ?? [],
    has_second_factor: row.hasSecondFactor,
    last_login: row.lastLoginAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    provisioned_by: row.provisionedBy,
    kind: row.kind,
    ...spend,
  };
}

/** Stored scores are those after the last request, and decay over time. */
export function scoreNow({
  deviationScore,
  deviationScoredAt,
}: Pick<UserRow, 'deviationScore' | 'deviationScoredAt'>): number {
  return decayScore(deviationScore, Date.now() - (deviationScoredAt?.getTime() ?? Date.now()));
}

export async function listUsers(
  tx: LogTransaction,
  author: Principal,
  page: { skip?: number | undefined; limit?: number | undefined },
): Promise<Page<User[]>> {
  const { tenantId } = author;
  const totalCount = formatTotalCount(await countUsers(tx, tenantId));
  const rows = await selectUsers(tx, tenantId, page);
  const usage = await selectUsage(tx, tenantId);
  const missing = await findMissing(tx, tenantId);
  const budgetUse = await readBudgetUse(tx, tenantId);
  const spendOf = await readSpend(tx.reports, tenantId, 'user');
  return new Page(
    rows.map((row) =>
      toUser(row, usage.get(row.id), budgetUse.get(row.id), missing.get(row.id), spendOf(row.id)),
    ),
    totalCount,
  );
}
