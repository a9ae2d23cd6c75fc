import { foldEmail, type RoleName } from '@sluice/contract';
import { and, asc, count, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { teamMembers, teams } from '#db/schema/teams.ts';
import { roles, users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Fields } from './compile-filter.ts';

const lower = (text: string) => text.toLowerCase();
const folded = (column: SQL | typeof users.name) =>
  ({ kind: 'text', value: sql`lower(${column})`, fold: lower }) as const;

/** Returns an SQL condition that a user or team has a membership `m` that meets a condition. */
export const memberOf = (place: SQL, condition: SQL) =>
  sql`EXISTS (SELECT FROM team_members m WHERE ${place} AND m.is_active AND (${condition}))`;

const email = {
  kind: 'text',
  value: sql`lower(${users.email})`,
  fold: (text: string) => foldEmail(text).toLowerCase(),
} as const;

export const userFields: Fields = {
  id: { kind: 'id', value: sql`${users.id}` },
  externalid: { kind: 'text', value: sql`${users.externalId}` },
  username: email,
  displayname: folded(users.name),
  active: { kind: 'boolean', value: sql`${users.isActive}` },
  name: {
    kind: 'parts',
    fields: {
      formatted: folded(users.name),
      givenname: folded(sql`${users.givenName}`),
      familyname: folded(sql`${users.familyName}`),
    },
  },
  emails: {
    kind: 'values',
    exists: (condition) => condition,
    fields: {
      value: email,
      type: { kind: 'text', value: sql`'work'::text`, fold: lower },
      primary: { kind: 'boolean', value: sql`true` },
    },
  },
  roles: {
    kind: 'values',
    exists: (condition) => sql`(${roles.name} <> 'user' AND (${condition}))`,
    fields: { value: { kind: 'text', value: sql`${roles.name}`, fold: lower } },
  },
  groups: {
    kind: 'values',
    exists: (condition) => memberOf(sql`m.user_id = ${users.id}`, condition),
    fields: { value: { kind: 'id', value: sql`m.team_id` } },
  },
  meta: {
    kind: 'parts',
    fields: {
      resourcetype: { kind: 'text', value: sql`'user'::text`, fold: lower },
      created: { kind: 'instant', value: sql`${users.createdAt}` },
      lastmodified: { kind: 'instant', value: sql`${users.changedAt}` },
    },
  },
};

const columns = {
  id: users.id,
  email: users.email,
  name: users.name,
  givenName: users.givenName,
  familyName: users.familyName,
  externalId: users.externalId,
  isActive: users.isActive,
  role: roles.name,
  createdAt: users.createdAt,
  changedAt: users.changedAt,
  groupCount: sql<number>`(SELECT count(*)::int FROM team_members m WHERE m.user_id = users.id AND m.is_active)`,
};

/** SQL condition that hides service accounts and inactive deprovisioned users. */
const isVisible = (tenantId: number) =>
  and(
    eq(users.tenantId, tenantId),
    eq(users.kind, 'person'),
    or(users.isActive, isNull(users.deprovisionedAt)),
  );

export interface Page {
  readonly skip: number;
  readonly limit: number;
}

export async function selectScimUsers(
  tx: TenantTransaction,
  tenantId: number,
  filter: SQL | undefined,
  { skip, limit }: Page,
) {
  return tx
    .select(columns)
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(and(isVisible(tenantId), filter))
    .orderBy(asc(users.id))
    .offset(skip)
    .limit(limit);
}

export type ScimUserRow = Awaited<ReturnType<typeof selectScimUsers>>[number];

export async function countScimUsers(
  tx: TenantTransaction,
  tenantId: number,
  filter: SQL | undefined,
): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(and(isVisible(tenantId), filter));
  return row?.total ?? 0;
}

export async function findScimUser(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
): Promise<ScimUserRow | undefined> {
  const [row] = await selectScimUsers(tx, tenantId, eq(users.id, userId), { skip: 0, limit: 1 });
  return row;
}

/** Returns a deprovisioned user of the tenant by email and locks the row until the transaction ends. */
export async function lockDeprovisioned(
  tx: TenantTransaction,
  tenantId: number,
  address: string,
): Promise<{ id: number } | undefined> {
  const [row] = await tx
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.tenantId, tenantId),
        sql`lower(${users.email}) = lower(${address})`,
        sql`NOT ${users.isActive}`,
        sql`${users.deprovisionedAt} IS NOT NULL`,
      ),
    )
    .for('no key update');
  return row;
}

interface ProvisionedColumns {
  externalId?: string | null | undefined;
  givenName?: string | null | undefined;
  familyName?: string | null | undefined;
  provisionedBy?: 'scim';
  deprovisionedAt?: Date | null;
}

/** Announces no change to the gateway, which does not use these columns. */
export async function changeProvisioned(
  tx: TenantTransaction,
  userId: number,
  values: ProvisionedColumns,
): Promise<void> {
  await tx
    .update(users)
    .set({ ...values, changedAt: sql`now()` })
    .where(eq(users.id, userId));
}

export function selectGroupsOf(tx: TenantTransaction, tenantId: number, userIds: number[]) {
  return tx
    .select({ userId: teamMembers.userId, id: teams.id, name: teams.name })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .where(
      and(eq(teamMembers.tenantId, tenantId), inArray(teamMembers.userId, userIds), teamMembers.isActive),
    )
    .orderBy(asc(teamMembers.userId), asc(teams.id));
}

export async function leaveTeams(tx: TenantTransaction, tenantId: number, userId: number): Promise<void> {
  await tx.delete(teamMembers).where(and(eq(teamMembers.tenantId, tenantId), eq(teamMembers.userId, userId)));
}

export async function findRoleId(tx: TenantTransaction, role: RoleName): Promise<number> {
  const [row] = await tx.select({ id: roles.id }).from(roles).where(eq(roles.name, role));
  if (!row) throw new Error(`the role ${role} does not exist`);
  return row.id;
}
