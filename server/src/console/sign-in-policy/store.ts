import type { SignInPolicy } from '@sluice/contract';
import { and, eq, inArray, isNull, ne, notInArray, sql } from 'drizzle-orm';
import { signInPolicies } from '#db/schema/identity-providers.ts';
import { roles, sessions, users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

const defaultPolicy: SignInPolicy = {
  local_passwords: 'allowed',
  break_glass_users: [],
  new_accounts: 'created',
  idle_minutes: null,
  session_hours: 12,
};

export async function selectPolicy(tx: TenantTransaction, tenantId: number): Promise<SignInPolicy> {
  const [row] = await tx
    .select({
      local_passwords: signInPolicies.localPasswords,
      break_glass_users: signInPolicies.breakGlassUsers,
      new_accounts: signInPolicies.newAccounts,
      idle_minutes: signInPolicies.idleMinutes,
      session_hours: signInPolicies.sessionHours,
    })
    .from(signInPolicies)
    .where(eq(signInPolicies.tenantId, tenantId));
  return row ?? defaultPolicy;
}

export async function savePolicy(
  tx: TenantTransaction,
  tenantId: number,
  policy: SignInPolicy,
): Promise<void> {
  const columns = {
    localPasswords: policy.local_passwords,
    breakGlassUsers: policy.break_glass_users,
    newAccounts: policy.new_accounts,
    idleMinutes: policy.idle_minutes,
    sessionHours: policy.session_hours,
  };
  await tx
    .insert(signInPolicies)
    .values({ tenantId, ...columns })
    .onConflictDoUpdate({ target: signInPolicies.tenantId, set: columns });
}

export async function selectAdministrators(
  tx: TenantTransaction,
  tenantId: number,
  userIds: readonly number[],
): Promise<number[]> {
  const rows = await selectActive(tx, tenantId, userIds);
  return rows.map(({ id }) => id);
}

export async function hasAdministrator(
  tx: TenantTransaction,
  tenantId: number,
  userIds: readonly number[],
): Promise<boolean> {
  const rows = await selectActive(tx, tenantId, userIds);
  return rows.some(({ isBlocked }) => !isBlocked);
}

function selectActive(tx: TenantTransaction, tenantId: number, userIds: readonly number[]) {
  return tx
    .select({ id: users.id, isBlocked: users.isBlocked })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(
      and(
        eq(users.tenantId, tenantId),
        inArray(users.id, [...userIds]),
        users.isActive,
        ne(roles.name, 'user'),
      ),
    );
}

export async function findRole(tx: TenantTransaction, tenantId: number, userId: number) {
  const [row] = await tx
    .select({ role: roles.name })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(and(eq(users.tenantId, tenantId), eq(users.id, userId)));
  return row?.role;
}

/** Ends all sessions opened with a password, except those of the given users and of super administrators. */
export async function endPasswordSessions(
  tx: TenantTransaction,
  tenantId: number,
  keptUsers: readonly number[],
): Promise<void> {
  const operators = tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(and(eq(users.tenantId, tenantId), eq(roles.name, 'super_admin')));
  await tx
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(
      and(
        eq(sessions.tenantId, tenantId),
        isNull(sessions.endedAt),
        isNull(sessions.userIdentityId),
        notInArray(sessions.userId, [...keptUsers]),
        sql`${sessions.userId} NOT IN ${operators}`,
      ),
    );
}
