import { and, asc, count, DrizzleQueryError, eq, exists, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import pg from 'pg';
import { containsText } from '#db/contains-text.ts';
import { teamMembers, teams } from '#db/schema/teams.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { invalidField } from '#errors/console-error.ts';

export interface TeamFilters {
  isActive?: boolean | undefined;
  search?: string | undefined;
  /** Only returns active teams that this user actively administers. */
  managerId?: number | undefined;
}

export interface Place {
  teamId: number;
  userId: number;
}

const activeMembers = (role?: 'admin') =>
  sql<number>`(SELECT count(*)::int FROM team_members m WHERE m.team_id = teams.id AND m.is_active
    ${role === undefined ? sql`` : sql`AND m.role = ${role}`})`;

const teamColumns = {
  id: teams.id,
  name: teams.name,
  description: teams.description,
  isActive: teams.isActive,
  createdAt: teams.createdAt,
  memberCount: activeMembers(),
  adminCount: activeMembers('admin'),
  /** Sum over active members; `null` if one of them has no limit. */
  monthlyQuota: sql<
    number | null
  >`(SELECT CASE WHEN bool_or(u.monthly_quota IS NULL) THEN NULL ELSE coalesce(sum(u.monthly_quota), 0)::float8 END
    FROM team_members m JOIN users u ON u.id = m.user_id WHERE m.team_id = teams.id AND m.is_active)`,
};

export async function selectTeams(
  tx: TenantTransaction,
  tenantId: number,
  filters: TeamFilters,
  page: { skip: number; limit: number },
) {
  return tx
    .select(teamColumns)
    .from(teams)
    .where(matches(tx, tenantId, filters))
    .orderBy(asc(sql`lower(${teams.name})`), asc(teams.id))
    .offset(page.skip)
    .limit(page.limit);
}

export async function countTeams(
  tx: TenantTransaction,
  tenantId: number,
  filters: TeamFilters,
): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(teams)
    .where(matches(tx, tenantId, filters));
  return row?.total ?? 0;
}

function matches(
  tx: TenantTransaction,
  tenantId: number,
  { isActive, search, managerId }: TeamFilters,
): SQL | undefined {
  return and(
    eq(teams.tenantId, tenantId),
    isActive === undefined ? undefined : eq(teams.isActive, isActive),
    search === undefined ? undefined : containsText(search, teams.name, teams.description),
    managerId === undefined ? undefined : and(teams.isActive, isManagedBy(tx, managerId)),
  );
}

function isManagedBy(tx: TenantTransaction, userId: number): SQL {
  return exists(
    tx
      .select({ id: teamMembers.id })
      .from(teamMembers)
      .where(
        and(
          eq(teamMembers.teamId, teams.id),
          eq(teamMembers.userId, userId),
          eq(teamMembers.role, 'admin'),
          teamMembers.isActive,
        ),
      ),
  );
}

export async function findTeam(tx: TenantTransaction, tenantId: number, teamId: number) {
  const [row] = await tx.select(teamColumns).from(teams).where(isTeam(tenantId, teamId));
  return row;
}

export type TeamRow = NonNullable<Awaited<ReturnType<typeof findTeam>>>;

export async function lockTeam(tx: TenantTransaction, tenantId: number, teamId: number): Promise<void> {
  await tx.select({ id: teams.id }).from(teams).where(isTeam(tenantId, teamId)).for('no key update');
}

/** @throws ConsoleError 422 if the tenant already has a team with this name, ignoring case */
export async function insertTeam(tx: TenantTransaction, values: typeof teams.$inferInsert): Promise<number> {
  const [row] = await explained(tx.insert(teams).values(values).returning({ id: teams.id }));
  if (!row) throw new Error('the insert returned no row');
  return row.id;
}

/** @throws ConsoleError 422 if the tenant already has a team with this name, ignoring case */
export async function changeTeam(
  tx: TenantTransaction,
  tenantId: number,
  teamId: number,
  columns: Partial<typeof teams.$inferInsert>,
): Promise<void> {
  await explained(tx.update(teams).set(columns).where(isTeam(tenantId, teamId)));
}

export async function deleteTeamRow(
  tx: TenantTransaction,
  tenantId: number,
  teamId: number,
): Promise<boolean> {
  const { rowCount } = await tx.delete(teams).where(isTeam(tenantId, teamId));
  return rowCount === 1;
}

const isTeam = (tenantId: number, teamId: number) => and(eq(teams.tenantId, tenantId), eq(teams.id, teamId));

const memberColumns = {
  teamId: teamMembers.teamId,
  userId: teamMembers.userId,
  userName: users.name,
  userEmail: users.email,
  role: teamMembers.role,
  isActive: teamMembers.isActive,
  joinedAt: teamMembers.joinedAt,
  dailyQuota: users.dailyQuota,
  monthlyQuota: users.monthlyQuota,
};

export function selectMembers(tx: TenantTransaction, tenantId: number, teamIds: number[]) {
  return tx
    .select(memberColumns)
    .from(teamMembers)
    .leftJoin(users, eq(users.id, teamMembers.userId))
    .where(and(eq(teamMembers.tenantId, tenantId), inArray(teamMembers.teamId, teamIds)))
    .orderBy(asc(teamMembers.id));
}

export type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number];

export async function findMembership(tx: TenantTransaction, tenantId: number, place: Place) {
  const [row] = await tx
    .select(memberColumns)
    .from(teamMembers)
    .leftJoin(users, eq(users.id, teamMembers.userId))
    .where(isPlace(tenantId, place));
  return row;
}

/** Returns `false` if the user is already an active member. */
export async function joinTeam(
  tx: TenantTransaction,
  values: typeof teamMembers.$inferInsert,
): Promise<boolean> {
  const { role, addedBy } = values;
  const { rowCount } = await tx
    .insert(teamMembers)
    .values(values)
    .onConflictDoUpdate({
      target: [teamMembers.teamId, teamMembers.userId],
      set: { role, addedBy, isActive: true },
      setWhere: eq(teamMembers.isActive, false),
    });
  return rowCount === 1;
}

export async function changeMembership(
  tx: TenantTransaction,
  tenantId: number,
  place: Place,
  columns: Partial<typeof teamMembers.$inferInsert>,
): Promise<void> {
  await tx.update(teamMembers).set(columns).where(isPlace(tenantId, place));
}

export async function deleteMembership(
  tx: TenantTransaction,
  tenantId: number,
  place: Place,
): Promise<boolean> {
  const { rowCount } = await tx.delete(teamMembers).where(isPlace(tenantId, place));
  return rowCount === 1;
}

const isPlace = (tenantId: number, { teamId, userId }: Place) =>
  and(eq(teamMembers.tenantId, tenantId), eq(teamMembers.teamId, teamId), eq(teamMembers.userId, userId));

export async function isPersonOf(tx: TenantTransaction, tenantId: number, userId: number): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.id, userId), isNull(users.deletedAt)));
  return rows.length === 1;
}

export function selectAvailableUsers(tx: TenantTransaction, tenantId: number, teamId: number) {
  return tx
    .select({ id: users.id, name: users.name, email: users.email, is_blocked: users.isBlocked })
    .from(users)
    .where(
      and(
        eq(users.tenantId, tenantId),
        users.isActive,
        sql`NOT EXISTS (SELECT FROM team_members m WHERE m.team_id = ${teamId} AND m.user_id = ${users.id} AND m.is_active)`,
      ),
    )
    .orderBy(asc(sql`lower(${users.name})`), asc(users.id));
}

async function explained<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    const cause = error instanceof DrizzleQueryError ? error.cause : undefined;
    if (cause instanceof pg.DatabaseError && cause.constraint === 'teams_name') {
      throw invalidField('name', 'A team with this name already exists');
    }
    throw error;
  }
}
