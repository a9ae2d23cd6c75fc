import { and, asc, eq, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { domains, identityProviders, signInAttempts, userIdentities } from '#db/schema/identity-providers.ts';
import { tenants } from '#db/schema/tenants.ts';
import { invitations, roles, sessions, users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';

const providerColumns = {
  id: identityProviders.id,
  tenantId: identityProviders.tenantId,
  name: identityProviders.name,
  issuer: identityProviders.issuer,
  clientId: identityProviders.clientId,
  sealedClientSecret: identityProviders.sealedClientSecret,
  scopes: identityProviders.scopes,
  prompt: identityProviders.prompt,
  trustsEmails: identityProviders.trustsEmails,
  isEnabled: identityProviders.isEnabled,
  isShared: identityProviders.isShared,
  emailDomains: identityProviders.emailDomains,
  roleClaim: identityProviders.roleClaim,
  teamClaim: identityProviders.teamClaim,
  createsUsers: identityProviders.createsUsers,
  mapping: identityProviders.mapping,
  defaultRole: identityProviders.defaultRole,
  callbackKey: identityProviders.callbackKey,
};

export async function findProvider(database: SystemDatabase, id: number) {
  const [row] = await database
    .select(providerColumns)
    .from(identityProviders)
    .where(eq(identityProviders.id, id));
  return row;
}

export type ProviderRow = NonNullable<Awaited<ReturnType<typeof findProvider>>>;

/** Without a tenant, only lists shared providers. With a domain, omits providers for other domains. */
export function selectOffered(
  database: SystemDatabase,
  { tenantId, domain }: { readonly tenantId: number | null; readonly domain: string | null },
) {
  const isOffered = or(
    eq(identityProviders.isShared, true),
    tenantId === null ? undefined : eq(identityProviders.tenantId, tenantId),
  );
  return database
    .select({ id: identityProviders.id, name: identityProviders.name })
    .from(identityProviders)
    .where(
      and(
        eq(identityProviders.isEnabled, true),
        isOffered,
        domain === null ? undefined : isForDomain(domain),
      ),
    )
    .orderBy(asc(identityProviders.id))
    .limit(offeredMax);
}

const isForDomain = (domain: string) =>
  or(
    eq(sql`cardinality(${identityProviders.emailDomains})`, 0),
    sql`${domain} = ANY (${identityProviders.emailDomains})`,
  );

const offeredMax = 50;

export async function findTenantBySlug(database: SystemDatabase, slug: string): Promise<number | null> {
  const [row] = await database.select({ id: tenants.id }).from(tenants).where(eq(tenants.slug, slug));
  return row?.id ?? null;
}

/** Returns the only tenant of the installation; `null` if there are several. */
export async function findOnlyTenant(database: SystemDatabase): Promise<number | null> {
  const rows = await database.select({ id: tenants.id }).from(tenants).limit(2);
  return rows.length === 1 ? (rows[0]?.id ?? null) : null;
}

/** Returns the tenant that has confirmed a domain; `null` if no tenant has confirmed it. */
export async function findDomainOwner(database: SystemDatabase, name: string): Promise<number | null> {
  const [row] = await database
    .select({ tenantId: domains.tenantId })
    .from(domains)
    .where(and(eq(domains.name, name), isNotNull(domains.confirmedAt)));
  return row?.tenantId ?? null;
}

/** Maximum number of stored attempts. Far above the number of legitimate sign-ins within the lifetime of an attempt. */
const attemptsMax = 100_000;
const sweptRows = 100;

/** Returns `false` if too many attempts are stored. */
export async function insertAttempt(
  database: SystemDatabase,
  attempt: typeof signInAttempts.$inferInsert,
): Promise<boolean> {
  const expired = database
    .select({ id: signInAttempts.id })
    .from(signInAttempts)
    .where(lte(signInAttempts.expiresAt, sql`now()`))
    .limit(sweptRows)
    .for('update', { skipLocked: true });
  await database.delete(signInAttempts).where(sql`${signInAttempts.id} IN ${expired}`);
  const beyond = await database
    .select({ id: signInAttempts.id })
    .from(signInAttempts)
    .offset(attemptsMax)
    .limit(1);
  if (beyond.length > 0) return false;
  await database.insert(signInAttempts).values(attempt);
  return true;
}

/** Deletes and returns an attempt, so that only one of several calls gets it. */
export async function takeAttempt(database: SystemDatabase, secretHash: Buffer) {
  const [row] = await database
    .delete(signInAttempts)
    .where(and(eq(signInAttempts.secretHash, secretHash), gt(signInAttempts.expiresAt, sql`now()`)))
    .returning({ identityProviderId: signInAttempts.identityProviderId, testedBy: signInAttempts.testedBy });
  return row;
}

const accountColumns = {
  id: users.id,
  tenantId: users.tenantId,
  name: users.name,
  email: users.email,
  role: roles.name,
  isActive: users.isActive,
  tokenVersion: users.tokenVersion,
};

export async function lockAccount(tx: SystemDatabase, by: { id: number } | { email: string }) {
  const isWanted = 'id' in by ? eq(users.id, by.id) : sql`lower(${users.email}) = lower(${by.email})`;
  const [row] = await tx
    .select(accountColumns)
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(isWanted)
    .for('no key update', { of: users });
  return row;
}

export type AccountRow = NonNullable<Awaited<ReturnType<typeof lockAccount>>>;

interface Subject {
  readonly identityProviderId: number;
  readonly issuer: string;
  readonly subject: string;
}

export async function findIdentity(tx: SystemDatabase, { identityProviderId, issuer, subject }: Subject) {
  const [row] = await tx
    .select()
    .from(userIdentities)
    .where(
      and(
        eq(userIdentities.identityProviderId, identityProviderId),
        eq(userIdentities.issuer, issuer),
        eq(userIdentities.subject, subject),
      ),
    );
  return row;
}

export type IdentityRow = NonNullable<Awaited<ReturnType<typeof findIdentity>>>;

export async function hasIdentity(tx: SystemDatabase, userId: number, providerId: number): Promise<boolean> {
  const rows = await tx
    .select({ id: userIdentities.id })
    .from(userIdentities)
    .where(
      and(
        eq(userIdentities.userId, userId),
        eq(userIdentities.identityProviderId, providerId),
        isNotNull(userIdentities.confirmedAt),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Deletes a user's unconfirmed identities at a provider, so that they cannot accumulate. */
export async function deleteWaitingIdentities(
  tx: SystemDatabase,
  userId: number,
  providerId: number,
): Promise<void> {
  await tx
    .delete(userIdentities)
    .where(
      and(
        eq(userIdentities.userId, userId),
        eq(userIdentities.identityProviderId, providerId),
        isNull(userIdentities.confirmedAt),
      ),
    );
}

export async function insertIdentity(
  tx: SystemDatabase,
  values: typeof userIdentities.$inferInsert,
): Promise<IdentityRow> {
  const [row] = await tx.insert(userIdentities).values(values).returning();
  if (!row) throw new Error('the insert returned no row');
  return row;
}

export async function changeIdentity(
  tx: SystemDatabase,
  id: number,
  columns: Partial<typeof userIdentities.$inferInsert>,
): Promise<void> {
  await tx.update(userIdentities).set(columns).where(eq(userIdentities.id, id));
}

export async function findInvitedToken(
  tx: SystemDatabase,
  tenantId: number,
  email: string,
): Promise<Buffer | undefined> {
  const [row] = await tx
    .select({ tokenHash: invitations.tokenHash })
    .from(invitations)
    .where(
      and(
        eq(invitations.tenantId, tenantId),
        sql`lower(${invitations.email}) = lower(${email})`,
        isNull(invitations.acceptedAt),
        isNull(invitations.cancelledAt),
      ),
    );
  return row?.tokenHash;
}

export async function findRoleId(tx: SystemDatabase, role: 'user' | 'admin'): Promise<number> {
  const [row] = await tx.select({ id: roles.id }).from(roles).where(eq(roles.name, role));
  if (!row) throw new Error(`there is no role ${role}`);
  return row.id;
}

export async function isSuspended(tx: SystemDatabase, tenantId: number): Promise<boolean> {
  const [row] = await tx.select({ status: tenants.status }).from(tenants).where(eq(tenants.id, tenantId));
  return row?.status !== 'active' && row?.status !== 'trial';
}

/** Finds the provider sign-in of a session; `undefined` if the user signed in with a password. */
export async function findProviderSession(database: SystemDatabase, sessionId: string) {
  const [row] = await database
    .select({
      tenantId: sessions.tenantId,
      sealedIdToken: sessions.sealedIdToken,
      identityProviderId: userIdentities.identityProviderId,
    })
    .from(sessions)
    .innerJoin(userIdentities, eq(userIdentities.id, sessions.userIdentityId))
    .where(eq(sessions.id, sessionId));
  return row;
}

interface EndedAtProvider {
  readonly identityProviderId: number;
  readonly issuer: string;
  readonly subject: string | null;
  readonly providerSession: string | null;
  readonly before: Date;
}

/**
 * Ends the sessions of a subject, or only the session named by the provider. Sessions that started after the notice
 * are kept, so that replaying the notice has no effect.
 */
export async function endProviderSessions(tx: SystemDatabase, ended: EndedAtProvider): Promise<void> {
  const { identityProviderId, issuer, subject, providerSession, before } = ended;
  const identities = tx
    .select({ id: userIdentities.id })
    .from(userIdentities)
    .where(
      and(
        eq(userIdentities.identityProviderId, identityProviderId),
        eq(userIdentities.issuer, issuer),
        subject === null ? undefined : eq(userIdentities.subject, subject),
      ),
    );
  await tx
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(
      and(
        sql`${sessions.userIdentityId} IN ${identities}`,
        isNull(sessions.endedAt),
        lte(sessions.createdAt, before),
        providerSession === null ? undefined : eq(sessions.providerSession, providerSession),
      ),
    );
}
