import { type Team, type TeamMember, toUsd } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import { readMonths, readSpend } from '#console/analytics/spend.ts';
import { usedBy } from '#console/analytics/used-by.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { MemberRow, TeamRow } from './store.ts';

/** Reads the costs from `reports`, which may be a replica. */
export async function describeTeams(
  tx: TenantTransaction,
  tenantId: number,
  rows: readonly TeamRow[],
  reports = tx,
): Promise<Team[]> {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const spendOf = await readSpend(reports, tenantId, 'team', { team_id: ids });
  const grants = await selectGrants(tx, tenantId, ids);
  const topUsers = await selectTopUsers(reports, tenantId, ids);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    is_active: row.isActive,
    created_at: row.createdAt.toISOString(),
    member_count: row.memberCount,
    admin_count: row.adminCount,
    model_count: grants.get(row.id)?.models ?? 0,
    members_monthly_quota: row.monthlyQuota,
    top_user: topUsers.get(row.id) ?? null,
    ...spendOf(row.id),
  }));
}

/** Reads the costs from `reports`, which may be a replica. */
export async function describeMembers(
  tx: TenantTransaction,
  tenantId: number,
  rows: readonly MemberRow[],
  reports = tx,
): Promise<TeamMember[]> {
  const teamIds = [...new Set(rows.map(({ teamId }) => teamId))];
  if (teamIds.length === 0) return [];
  const spendOf = await readSpend(reports, tenantId, 'member', { team_id: teamIds });
  return rows.map((row) => ({
    user_id: row.userId,
    user_name: row.userName,
    user_email: row.userEmail,
    role: row.role,
    is_active: row.isActive,
    joined_at: row.joinedAt.toISOString(),
    daily_quota: row.dailyQuota,
    monthly_quota: row.monthlyQuota,
    ...spendOf(row.teamId, row.userId),
  }));
}

async function selectGrants(tx: TenantTransaction, tenantId: number, ids: readonly number[]) {
  const { rows } = await tx.execute<{ id: number; models: number }>(sql`
    SELECT a.team_id AS id, count(DISTINCT model)::integer AS models
    FROM team_provider_access a JOIN llm_providers p ON p.id = a.llm_provider_id AND p.is_active,
      unnest(a.allowed_models) model
    WHERE a.tenant_id = ${tenantId} AND a.team_id = ANY (${`{${ids.join()}}`}::integer[]) GROUP BY 1`);
  return new Map(rows.map((row) => [row.id, row]));
}

async function selectTopUsers(tx: TenantTransaction, tenantId: number, ids: readonly number[]) {
  const { months, today } = await readMonths(tx, tenantId, { team_id: ids });
  const { rows } = await tx.execute<{
    teamId: number;
    userId: number;
    name: string | null;
    cost: string;
  }>(sql`
    SELECT top.team_id AS "teamId", top.user_id AS "userId", u.name, top.cost::text AS cost
    FROM (
      SELECT DISTINCT ON (team_id) team_id, user_id, sum(user_llm_nano_usd + company_llm_nano_usd) AS cost
      ${usedBy(['team_id'], months)}
      WHERE user_id IS NOT NULL AND day >= date_trunc('month', ${today}::date)
      GROUP BY team_id, user_id HAVING sum(user_llm_nano_usd + company_llm_nano_usd) > 0
      ORDER BY team_id, cost DESC, user_id
    ) top LEFT JOIN users u ON u.id = top.user_id`);
  return new Map(
    rows.map(({ teamId, userId, name, cost }) => [
      teamId,
      { user_id: userId, user_name: name ?? `User #${userId}`, spend_usd_month: toUsd(BigInt(cost)) },
    ]),
  );
}
