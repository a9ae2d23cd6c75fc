import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { DayRange } from '#console/analytics/range.ts';
import { apiKeys } from '#db/schema/api-keys.ts';
import { taskAssignments, tasks } from '#db/schema/tasks.ts';
import { teamMembers, teams } from '#db/schema/teams.ts';
import { roles, users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

/** Returns a user's id by id or email. Service accounts are excluded. */
export async function findUserId(
  tx: TenantTransaction,
  tenantId: number,
  by: { readonly id: number } | { readonly email: string },
): Promise<number | undefined> {
  const [row] = await tx
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.tenantId, tenantId),
        eq(users.kind, 'person'),
        isNull(users.deletedAt),
        'id' in by ? eq(users.id, by.id) : eq(sql`lower(${users.email})`, by.email.toLowerCase()),
      ),
    );
  return row?.id;
}

export async function selectKeyIds(
  tx: TenantTransaction,
  tenantId: number,
  by: { readonly keyHash: Buffer } | { readonly names: readonly string[] },
): Promise<number[]> {
  const rows = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.tenantId, tenantId),
        'keyHash' in by
          ? eq(apiKeys.keyHash, by.keyHash)
          : and(inArray(apiKeys.name, [...by.names]), isNull(apiKeys.revokedAt)),
      ),
    )
    .orderBy(asc(apiKeys.id))
    .limit(100);
  return rows.map(({ id }) => id);
}

/** Returns the owning team of each service account among these users. */
export async function selectOwnerTeams(
  tx: TenantTransaction,
  tenantId: number,
  userIds: readonly number[],
): Promise<Map<number, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await tx
    .select({ id: users.id, teamId: users.ownerTeamId })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), inArray(users.id, [...userIds])));
  return new Map(rows.flatMap(({ id, teamId }) => (teamId === null ? [] : [[id, teamId] as const])));
}

export function selectAccountsOfTeam(tx: TenantTransaction, tenantId: number, teamId: number) {
  return tx
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(
      and(
        eq(users.tenantId, tenantId),
        eq(users.kind, 'service'),
        eq(users.ownerTeamId, teamId),
        isNull(users.deletedAt),
      ),
    )
    .orderBy(asc(users.id));
}

export function selectTeamsOf(tx: TenantTransaction, tenantId: number, userId: number) {
  return tx
    .select({ id: teams.id, name: teams.name })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .where(
      and(eq(teamMembers.tenantId, tenantId), eq(teamMembers.userId, userId), eq(teamMembers.isActive, true)),
    )
    .orderBy(asc(teams.name));
}

export async function findOwnerState(tx: TenantTransaction, tenantId: number, userId: number) {
  const [row] = await tx
    .select({
      role: roles.name,
      hasTask: sql<boolean>`EXISTS (SELECT FROM ${taskAssignments} JOIN ${tasks} ON ${tasks.id} = ${taskAssignments.taskId}
        WHERE ${taskAssignments.userId} = ${users.id} AND ${taskAssignments.status} = 'active' AND ${tasks.isActive})`,
    })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(and(eq(users.tenantId, tenantId), eq(users.id, userId)));
  return row;
}

export interface SpendFilters {
  readonly userId?: number | undefined;
  readonly teamId?: number | undefined;
  readonly apiKeyId?: number | undefined;
}

export const spendGroupsMax = 20_000;

const ofFilter = (column: SQL, value: number | undefined) =>
  value === undefined ? sql`` : sql` AND ${column} = ${value}`;

/** Costs are nano-dollars. Returns at most one group more than the maximum. */
export async function selectSpend(tx: TenantTransaction, range: DayRange, filters: SpendFilters) {
  const { tenantId, timeZone, from, end } = range;
  const { rows } = await tx.execute<{
    day: string;
    teamId: number | null;
    team: string | null;
    apiKeyId: number | null;
    model: string | null;
    cost: string;
    input: number;
    output: number;
  }>(sql`
    SELECT used.*, t.name AS team FROM (
      SELECT (r.bucket_start AT TIME ZONE ${timeZone})::date::text AS day, r.team_id AS "teamId",
        r.api_key_id AS "apiKeyId", r.model, sum(r.user_llm_nano_usd + r.company_llm_nano_usd)::text AS cost,
        sum(r.input_tokens + r.cache_read_tokens + r.cache_write_tokens)::float8 AS input,
        sum(r.output_tokens)::float8 AS output
      FROM usage_rollups r
      WHERE r.tenant_id = ${tenantId} AND r.bucket_start >= ${from}::timestamptz AND r.bucket_start < ${end}::timestamptz
        AND r.requests > 0${ofFilter(sql`r.user_id`, filters.userId)}${ofFilter(sql`r.team_id`, filters.teamId)}${ofFilter(
          sql`r.api_key_id`,
          filters.apiKeyId,
        )}
      GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4 LIMIT ${spendGroupsMax + 1}
    ) used LEFT JOIN teams t ON t.id = used."teamId"
    ORDER BY used.day, t.name, used.model`);
  return rows;
}
