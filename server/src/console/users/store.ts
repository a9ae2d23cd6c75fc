import type { RoleName } from '@sluice/contract';
import {
  and,
  asc,
  count,
  DrizzleQueryError,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  ne,
  not,
  sql,
} from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { userIdentities } from '#db/schema/identity-providers.ts';
import { plans } from '#db/schema/subscriptions.ts';
import { allowances } from '#db/schema/tasks.ts';
import { tenants } from '#db/schema/tenants.ts';
import { roles, users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { findWindow } from '#domain/allowance/window.ts';
import { readPolicy } from '#domain/deviation/policy.ts';
import type { Quotas, Seats } from '#domain/seats.ts';
import { totalCountMax } from '#domain/total-count.ts';
import { ConsoleError, invalidField } from '#errors/console-error.ts';

export interface UserSelection {
  userId?: number;
  skip?: number;
  limit?: number;
}

/** Exclude deleted service accounts, which are only kept for the log. */
const isUserOf = (tenantId: number) => and(eq(users.tenantId, tenantId), isNull(users.deletedAt));

export async function selectUsers(tx: TenantTransaction, tenantId: number, selection: UserSelection) {
  const { userId, skip = 0, limit } = selection;
  const query = tx
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      roleId: users.roleId,
      roleName: roles.name,
      dailyQuota: users.dailyQuota,
      monthlyQuota: users.monthlyQuota,
      requestsPerHour: users.requestsPerHour,
      isActive: users.isActive,
      isBlocked: users.isBlocked,
      blockedReason: users.blockedReason,
      deviationScore: users.deviationScore,
      deviationScoredAt: users.deviationScoredAt,
      hasSecondFactor: users.hasSecondFactor,
      lastLoginAt: users.lastLoginAt,
      createdAt: users.createdAt,
      provisionedBy: users.provisionedBy,
      kind: users.kind,
    })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(and(isUserOf(tenantId), userId === undefined ? undefined : eq(users.id, userId)))
    .orderBy(asc(users.id))
    .offset(skip);
  return limit === undefined ? query : query.limit(limit);
}

export type UserRow = Awaited<ReturnType<typeof selectUsers>>[number];

/** Counts at most `totalCountMax + 1` users. */
export async function countUsers(tx: TenantTransaction, tenantId: number): Promise<number> {
  const counted = tx
    .select({ id: users.id })
    .from(users)
    .where(isUserOf(tenantId))
    .limit(totalCountMax + 1)
    .as('counted');
  const [row] = await tx.select({ total: count() }).from(counted);
  return row?.total ?? 0;
}

/**
 * Tokens used in the tenant's current day and month: settled tokens, and tokens reserved by nodes for running
 * requests.
 */
export interface Usage {
  daily: number;
  monthly: number;
  dailyHeld: number;
  monthlyHeld: number;
}

export async function selectUsage(
  tx: TenantTransaction,
  tenantId: number,
  userId?: number,
): Promise<Map<number, Usage>> {
  const [tenant] = await tx
    .select({ timeZone: tenants.timeZone, now: sql`extract(epoch FROM now()) * 1000`.mapWith(Number) })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  if (!tenant) return new Map();
  const startOf = (kind: 'tokens_per_day' | 'tokens_per_month') =>
    new Date(findWindow(kind, Math.floor(tenant.now), tenant.timeZone).startMs);
  const sumOf = (amount: PgColumn, kind: 'tokens_per_day' | 'tokens_per_month') =>
    sql`coalesce(sum(${amount}) FILTER (WHERE ${and(eq(allowances.kind, kind), eq(allowances.windowStart, startOf(kind)))}), 0)`.mapWith(
      Number,
    );
  const rows = await tx
    .select({
      userId: allowances.subjectId,
      daily: sumOf(allowances.settled, 'tokens_per_day'),
      monthly: sumOf(allowances.settled, 'tokens_per_month'),
      dailyHeld: sumOf(allowances.leased, 'tokens_per_day'),
      monthlyHeld: sumOf(allowances.leased, 'tokens_per_month'),
    })
    .from(allowances)
    .where(
      and(
        eq(allowances.tenantId, tenantId),
        inArray(allowances.kind, ['tokens_per_day', 'tokens_per_month']),
        inArray(allowances.windowStart, [startOf('tokens_per_day'), startOf('tokens_per_month')]),
        userId === undefined ? undefined : eq(allowances.subjectId, userId),
      ),
    )
    .groupBy(allowances.subjectId);
  return new Map(rows.map((row) => [row.userId, row]));
}

export function selectQuotas(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({ id: users.id, dailyQuota: users.dailyQuota, monthlyQuota: users.monthlyQuota })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.kind, 'person'), eq(users.isActive, true)));
}

export async function lockUser(tx: TenantTransaction, tenantId: number, userId: number) {
  const [row] = await tx
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      kind: users.kind,
      role: roles.name,
      isActive: users.isActive,
      isBlocked: users.isBlocked,
      deviationScore: users.deviationScore,
      deviationScoredAt: users.deviationScoredAt,
    })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(and(isUserOf(tenantId), eq(users.id, userId)))
    .for('no key update', { of: users });
  return row;
}

export async function selectBlockThreshold(tx: TenantTransaction, tenantId: number): Promise<number> {
  const [row] = await tx
    .select({ policy: tenants.deviationPolicy })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  return readPolicy(row?.policy).thresholds.block;
}

export async function findRole(tx: TenantTransaction, roleId: number): Promise<RoleName | undefined> {
  const rows = await tx.select({ id: roles.id, name: roles.name }).from(roles);
  return rows.find(({ id }) => id === roleId)?.name;
}

export async function selectSeats(tx: TenantTransaction, tenantId: number): Promise<Seats> {
  const rows = await tx
    .select({ role: roles.name, taken: count() })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(and(eq(users.tenantId, tenantId), users.isActive, eq(users.kind, 'person')))
    .groupBy(roles.name);
  const [tenant] = await tx
    .select({
      user: sql<number | null>`least(${tenants.userLimit}, ${plans.userLimit})`,
      admin: sql<number | null>`least(${tenants.adminLimit}, ${plans.adminLimit})`,
    })
    .from(tenants)
    .leftJoin(plans, and(eq(plans.id, tenants.pendingPlanId), gt(tenants.pendingPlanUntil, sql`now()`)))
    .where(eq(tenants.id, tenantId));
  return {
    taken: {
      super_admin: 0,
      admin: 0,
      user: 0,
      ...Object.fromEntries(rows.map((row) => [row.role, row.taken])),
    },
    limits: { super_admin: null, admin: tenant?.admin ?? null, user: tenant?.user ?? null },
  };
}

export async function selectDefaultQuotas(tx: TenantTransaction, tenantId: number): Promise<Quotas> {
  const [row] = await tx
    .select({
      dailyQuota: tenants.defaultDailyQuota,
      monthlyQuota: tenants.defaultMonthlyQuota,
      requestsPerHour: tenants.defaultRequestsPerHour,
    })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  if (!row) throw new Error('the tenant of the new user does not exist');
  return row;
}

export async function hasOtherAdministrator(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(
      and(
        eq(users.tenantId, tenantId),
        users.isActive,
        not(users.isBlocked),
        eq(users.kind, 'person'),
        ne(users.id, userId),
        ne(roles.name, 'user'),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

export async function isDomainOfAnother(
  tx: TenantTransaction,
  tenantId: number,
  domain: string,
): Promise<boolean> {
  const { rows } = await tx.execute<{ found: boolean }>(
    sql`SELECT is_domain_of_another(${domain}, ${tenantId}::integer) AS found`,
  );
  return rows[0]?.found === true;
}

/** Marks a user's role as manually assigned, so that no identity provider changes it. */
export async function forgetMappedRole(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
): Promise<void> {
  await tx
    .update(userIdentities)
    .set({ mappedRole: null })
    .where(
      and(
        eq(userIdentities.tenantId, tenantId),
        eq(userIdentities.userId, userId),
        isNotNull(userIdentities.mappedRole),
      ),
    );
}

/** @throws ConsoleError 422 if the email is already used in any tenant */
export async function insertUser(tx: TenantTransaction, values: typeof users.$inferInsert): Promise<number> {
  const [row] = await explained(tx.insert(users).values(values).returning({ id: users.id }));
  if (!row) throw new Error('the insert returned no row');
  return row.id;
}

/**
 * Changes the specified columns. `endsSessions` ends all sessions of the user.
 * @throws ConsoleError 422 if the email is already used, 409 if no super administrator would remain
 */
export async function changeUser(
  tx: TenantTransaction,
  userId: number,
  { endsSessions, ...columns }: Partial<typeof users.$inferInsert> & { endsSessions: boolean },
): Promise<void> {
  const tokenVersion = endsSessions ? { tokenVersion: sql`${users.tokenVersion} + 1` } : {};
  await explained(
    tx
      .update(users)
      .set({ ...columns, ...tokenVersion })
      .where(eq(users.id, userId)),
  );
}

async function explained<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    const cause = error instanceof DrizzleQueryError ? error.cause : undefined;
    const constraint = cause instanceof pg.DatabaseError ? cause.constraint : undefined;
    if (constraint === 'users_service_account_name') {
      throw invalidField('name', 'A service account with this name already exists');
    }
    if (constraint === 'users_email') throw invalidField('email', 'A user with this email already exists');
    if (constraint === 'users_keep_a_super_admin') {
      throw new ConsoleError(
        409,
        'This is the last active super administrator. Make another user a super administrator first.',
      );
    }
    throw error;
  }
}
