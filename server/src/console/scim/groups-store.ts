import { foldName } from '@sluice/contract';
import { and, asc, count, DrizzleQueryError, eq, inArray, type SQL, sql } from 'drizzle-orm';
import pg from 'pg';
import { teamMembers, teams } from '#db/schema/teams.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { ScimError } from '#errors/scim-error.ts';
import type { Fields } from './compile-filter.ts';
import { memberOf, type Page } from './users-store.ts';

const lower = (text: string) => text.toLowerCase();

export const memberFields: Fields = {
  value: { kind: 'id', value: sql`m.user_id` },
  type: { kind: 'text', value: sql`'user'::text`, fold: lower },
};

export const groupFields: Fields = {
  id: { kind: 'id', value: sql`${teams.id}` },
  externalid: { kind: 'text', value: sql`${teams.externalId}` },
  displayname: { kind: 'text', value: sql`name_key(${teams.name})`, fold: foldName },
  members: {
    kind: 'values',
    exists: (condition) => memberOf(sql`m.team_id = ${teams.id}`, condition),
    fields: memberFields,
  },
  meta: {
    kind: 'parts',
    fields: {
      resourcetype: { kind: 'text', value: sql`'group'::text`, fold: lower },
      created: { kind: 'instant', value: sql`${teams.createdAt}` },
      lastmodified: { kind: 'instant', value: sql`${teams.changedAt}` },
    },
  },
};

/** SQL condition that excludes service accounts, which the identity provider does not manage. */
const isPerson = sql`(SELECT account_kind FROM users u WHERE u.id = m.user_id) = 'person'`;
const ofTeam = sql`FROM team_members m WHERE m.team_id = teams.id AND m.is_active AND ${isPerson}`;
const columns = {
  id: teams.id,
  name: teams.name,
  externalId: teams.externalId,
  createdAt: teams.createdAt,
  changedAt: teams.changedAt,
  memberCount: sql<number>`(SELECT count(*)::int ${ofTeam})`,
  /** Hash of the members. Part of the group's version, which therefore changes with the members. */
  memberMark: sql<string>`(SELECT coalesce(sum(hashint8extended(m.user_id, 148)), 0)::text ${ofTeam})`,
};

export function selectScimGroups(
  tx: TenantTransaction,
  tenantId: number,
  filter: SQL | undefined,
  { skip, limit }: Page,
) {
  return tx
    .select(columns)
    .from(teams)
    .where(and(eq(teams.tenantId, tenantId), filter))
    .orderBy(asc(teams.id))
    .offset(skip)
    .limit(limit);
}

export type ScimGroupRow = Awaited<ReturnType<typeof selectScimGroups>>[number];

export async function countScimGroups(
  tx: TenantTransaction,
  tenantId: number,
  filter: SQL | undefined,
): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(teams)
    .where(and(eq(teams.tenantId, tenantId), filter));
  return row?.total ?? 0;
}

/** Locks a team until the transaction ends. Returns `false` if the tenant does not have the team. */
export async function lockGroup(tx: TenantTransaction, tenantId: number, teamId: number): Promise<boolean> {
  const rows = await tx
    .select({ id: teams.id })
    .from(teams)
    .where(and(eq(teams.tenantId, tenantId), eq(teams.id, teamId)))
    .for('no key update');
  return rows.length === 1;
}

export async function findScimGroup(
  tx: TenantTransaction,
  tenantId: number,
  teamId: number,
): Promise<ScimGroupRow | undefined> {
  const [row] = await selectScimGroups(tx, tenantId, eq(teams.id, teamId), { skip: 0, limit: 1 });
  return row;
}

export function selectMembersOf(tx: TenantTransaction, tenantId: number, teamIds: number[]) {
  return tx
    .select({ teamId: teamMembers.teamId, userId: teamMembers.userId })
    .from(teamMembers)
    .innerJoin(users, and(eq(users.id, teamMembers.userId), eq(users.kind, 'person')))
    .where(
      and(eq(teamMembers.tenantId, tenantId), inArray(teamMembers.teamId, teamIds), teamMembers.isActive),
    )
    .orderBy(asc(teamMembers.teamId), asc(teamMembers.userId));
}

/** @throws ScimError 409 if the tenant already has a team with this name, ignoring case */
export async function insertGroup(
  tx: TenantTransaction,
  values: { tenantId: number; name: string; externalId: string | null; provisionedBy: 'scim' },
): Promise<number> {
  const [row] = await explained(tx.insert(teams).values(values).returning({ id: teams.id }));
  if (!row) throw new Error('the insert returned no row');
  return row.id;
}

/** @throws ScimError 409 if the tenant already has a team with this name, ignoring case */
export async function changeGroupRow(
  tx: TenantTransaction,
  teamId: number,
  values: { name?: string | undefined; externalId?: string | null | undefined; provisionedBy: 'scim' },
): Promise<void> {
  await explained(tx.update(teams).set(values).where(eq(teams.id, teamId)));
}

export async function selectKnownUsers(
  tx: TenantTransaction,
  tenantId: number,
  userIds: readonly number[],
): Promise<Set<number>> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    SELECT id FROM users WHERE tenant_id = ${tenantId} AND id = ANY (${sql.param(userIds)}::integer[])
      AND account_kind = 'person' AND (is_active OR deprovisioned_at IS NULL)`);
  return new Set(rows.map(({ id }) => id));
}

/** Existing members keep their role in the team. */
export async function addMembers(
  tx: TenantTransaction,
  tenantId: number,
  teamId: number,
  userIds: readonly number[],
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO team_members (tenant_id, team_id, user_id, role)
    SELECT ${tenantId}, ${teamId}, id, 'member' FROM unnest(${sql.param(userIds)}::integer[]) id
    ON CONFLICT (team_id, user_id) DO UPDATE SET is_active = true, role = 'member' WHERE NOT team_members.is_active`);
}

export async function removeMembers(
  tx: TenantTransaction,
  tenantId: number,
  teamId: number,
  condition: SQL,
): Promise<void> {
  await tx.execute(
    sql`DELETE FROM team_members m WHERE m.tenant_id = ${tenantId} AND m.team_id = ${teamId} AND ${isPerson} AND (${condition})`,
  );
}

export const isMemberAmong = (userIds: readonly number[]) =>
  sql`m.user_id = ANY (${sql.param(userIds)}::integer[])`;

async function explained<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    const cause = error instanceof DrizzleQueryError ? error.cause : undefined;
    if (cause instanceof pg.DatabaseError && cause.constraint === 'teams_name') {
      throw new ScimError(409, 'A team with this name already exists', 'uniqueness');
    }
    throw error;
  }
}
