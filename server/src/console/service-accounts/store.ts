import type { RoleName } from '@sluice/contract';
import { and, asc, count, eq, isNull, sql } from 'drizzle-orm';
import { teamMembers, teams } from '#db/schema/teams.ts';
import { roles, users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

const validKeys = sql`FROM api_keys k WHERE k.user_id = users.id AND k.revoked_at IS NULL
  AND (k.expires_at IS NULL OR k.expires_at > now())`;
const tokens = sql`FROM management_tokens t WHERE t.tenant_id = users.tenant_id AND t.user_id = users.id`;

const isServiceAccount = (tenantId: number) =>
  and(eq(users.tenantId, tenantId), eq(users.kind, 'service'), isNull(users.deletedAt));

export function selectServiceAccounts(tx: TenantTransaction, tenantId: number, id?: number) {
  return tx
    .select({
      id: users.id,
      name: users.name,
      teamId: users.ownerTeamId,
      teamName: teams.name,
      role: roles.name,
      isActive: users.isActive,
      isBlocked: users.isBlocked,
      scoresDeviation: users.scoresDeviation,
      keysCount: sql<number>`(SELECT count(*)::int ${validKeys})`,
      tokensCount: sql<number>`(SELECT count(*)::int ${tokens} AND t.revoked_at IS NULL AND t.expires_at > now())`,
      keysExpireAt: sql<Date | null>`(SELECT min(k.expires_at) ${validKeys})`.mapWith(users.createdAt),
      lastUsedAt: sql<Date | null>`greatest(
        (SELECT max(k.last_used_at) FROM api_keys k WHERE k.user_id = users.id),
        (SELECT max(t.last_used_at) ${tokens}))`.mapWith(users.createdAt),
      createdAt: users.createdAt,
    })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .leftJoin(teams, and(eq(teams.tenantId, users.tenantId), eq(teams.id, users.ownerTeamId)))
    .where(and(isServiceAccount(tenantId), id === undefined ? undefined : eq(users.id, id)))
    .orderBy(asc(sql`lower(${users.name})`), asc(users.id));
}

export type ServiceAccountRow = Awaited<ReturnType<typeof selectServiceAccounts>>[number];

export async function countServiceAccounts(tx: TenantTransaction, tenantId: number): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(users).where(isServiceAccount(tenantId));
  return row?.total ?? 0;
}

/** Returns the team that owns a service account; `undefined` if the tenant does not have the account. */
export async function findOwner(tx: TenantTransaction, tenantId: number, id: number) {
  const [row] = await tx
    .select({ teamId: users.ownerTeamId })
    .from(users)
    .where(and(isServiceAccount(tenantId), eq(users.id, id)));
  return row;
}

/**
 * Locks a team until the transaction ends to prevent its deletion. Returns `false` if the tenant does not have the
 * team.
 */
export async function holdTeam(tx: TenantTransaction, tenantId: number, teamId: number): Promise<boolean> {
  const rows = await tx
    .select({ id: teams.id })
    .from(teams)
    .where(and(eq(teams.tenantId, tenantId), eq(teams.id, teamId)))
    .for('key share');
  return rows.length === 1;
}

export async function findRoleId(tx: TenantTransaction, role: RoleName): Promise<number> {
  const [row] = await tx.select({ id: roles.id }).from(roles).where(eq(roles.name, role));
  if (!row) throw new Error(`the role ${role} does not exist`);
  return row.id;
}

/** Has no effect on an active member. */
export async function joinTeam(
  tx: TenantTransaction,
  place: Pick<typeof teamMembers.$inferInsert, 'tenantId' | 'teamId' | 'userId' | 'addedBy'>,
): Promise<void> {
  await tx
    .insert(teamMembers)
    .values({ ...place, role: 'member' })
    .onConflictDoUpdate({
      target: [teamMembers.teamId, teamMembers.userId],
      set: { isActive: true },
      setWhere: eq(teamMembers.isActive, false),
    });
}

export async function leaveTeams(
  tx: TenantTransaction,
  tenantId: number,
  { userId, teamId }: { readonly userId: number; readonly teamId?: number },
): Promise<void> {
  await tx
    .delete(teamMembers)
    .where(
      and(
        eq(teamMembers.tenantId, tenantId),
        eq(teamMembers.userId, userId),
        teamId === undefined ? undefined : eq(teamMembers.teamId, teamId),
      ),
    );
}
