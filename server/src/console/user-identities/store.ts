import { and, count, desc, eq, isNotNull, ne, sql } from 'drizzle-orm';
import { identityProviders, userIdentities } from '#db/schema/identity-providers.ts';
import { roles, sessions, users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

/** Whether a link needs confirmation. Links by email to accounts of super administrators always need it. */
const isWaiting = sql<boolean>`(${userIdentities.confirmedAt} IS NULL
  OR (${userIdentities.confirmedBy} IS NULL AND ${roles.name} = 'super_admin'))`;

interface IdentitySelection {
  readonly id?: number | undefined;
  readonly userId?: number | undefined;
}

const matches = (tenantId: number, { id, userId }: IdentitySelection) =>
  and(
    eq(userIdentities.tenantId, tenantId),
    id === undefined ? undefined : eq(userIdentities.id, id),
    userId === undefined ? undefined : eq(userIdentities.userId, userId),
  );

/** Identities that wait for confirmation are first. */
export function selectIdentities(
  tx: TenantTransaction,
  tenantId: number,
  selection: IdentitySelection,
  page: { skip: number; limit: number },
) {
  return tx
    .select({
      id: userIdentities.id,
      userId: users.id,
      userName: users.name,
      userEmail: users.email,
      role: roles.name,
      identityProviderId: userIdentities.identityProviderId,
      // Hide the name of another tenant's provider from this tenant.
      providerName: sql<string>`coalesce(${identityProviders.name}, ${userIdentities.issuer})`,
      issuer: userIdentities.issuer,
      subject: userIdentities.subject,
      email: userIdentities.email,
      isEmailVerified: userIdentities.isEmailVerified,
      confirmedAt: userIdentities.confirmedAt,
      confirmedBy: userIdentities.confirmedBy,
      isWaiting,
      mappedRole: userIdentities.mappedRole,
      lastUsedAt: userIdentities.lastUsedAt,
      createdAt: userIdentities.createdAt,
    })
    .from(userIdentities)
    .innerJoin(users, eq(users.id, userIdentities.userId))
    .innerJoin(roles, eq(roles.id, users.roleId))
    .leftJoin(identityProviders, eq(identityProviders.id, userIdentities.identityProviderId))
    .where(matches(tenantId, selection))
    .orderBy(desc(isWaiting), desc(userIdentities.id))
    .offset(page.skip)
    .limit(page.limit);
}

export type IdentityRow = Awaited<ReturnType<typeof selectIdentities>>[number];

export async function countIdentities(
  tx: TenantTransaction,
  tenantId: number,
  selection: IdentitySelection,
): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(userIdentities).where(matches(tenantId, selection));
  return row?.total ?? 0;
}

/** Removes the user's other confirmed identities of the same provider. */
export async function deletePreviousIdentities(
  tx: TenantTransaction,
  tenantId: number,
  { id, userId, identityProviderId }: Pick<IdentityRow, 'id' | 'userId' | 'identityProviderId'>,
): Promise<void> {
  const previous = tx
    .select({ id: userIdentities.id })
    .from(userIdentities)
    .where(
      and(
        matches(tenantId, { userId }),
        eq(userIdentities.identityProviderId, identityProviderId),
        isNotNull(userIdentities.confirmedAt),
        ne(userIdentities.id, id),
      ),
    );
  for (const { id: previousId } of await previous) await deleteIdentityRow(tx, tenantId, previousId);
}

export async function markConfirmed(
  tx: TenantTransaction,
  tenantId: number,
  { id, confirmedBy }: { id: number; confirmedBy: number },
): Promise<void> {
  await tx
    .update(userIdentities)
    .set({ confirmedAt: sql`coalesce(${userIdentities.confirmedAt}, now())`, confirmedBy })
    .where(matches(tenantId, { id }));
}

export async function deleteIdentitiesOf(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
): Promise<void> {
  await tx.delete(userIdentities).where(matches(tenantId, { userId }));
}

export async function deleteIdentityRow(tx: TenantTransaction, tenantId: number, id: number): Promise<void> {
  await tx
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(
      and(eq(sessions.tenantId, tenantId), eq(sessions.userIdentityId, id), sql`${sessions.endedAt} IS NULL`),
    );
  await tx.delete(userIdentities).where(matches(tenantId, { id }));
}
