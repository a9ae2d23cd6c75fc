import { and, asc, eq, isNotNull, ne, sql } from 'drizzle-orm';
import type { IdentityProviderConfig } from '#config/config.ts';
import { reserveId } from '#db/reserve-id.ts';
import { domains, identityProviders } from '#db/schema/identity-providers.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { SystemDatabase } from '#db/system.ts';
import { isPublicMailDomain } from '#domain/mail-domain.ts';
import type { Keyring } from '#platform/keyring.ts';
import { clientSecretPlace, sealSecret } from '#platform/seal-secret.ts';

/**
 * Adds the configured identity provider to the first tenant and shares it with all tenants. If the provider exists,
 * only updates its client secret, because its other settings are changed in the console. A domain that cannot be
 * confirmed is only logged, so that the server still starts.
 */
export async function syncIdentityProvider(
  database: SystemDatabase,
  { sealingKey }: Pick<Keyring, 'sealingKey'>,
  { issuer, clientId, clientSecret, domain }: IdentityProviderConfig,
  log: { warn(fields: object, message: string): void },
): Promise<void> {
  await database.transaction(async (tx) => {
    const [tenant] = await tx
      .select({ id: tenants.id })
      .from(tenants)
      .orderBy(asc(tenants.id))
      .limit(1)
      .for('no key update');
    if (!tenant) throw new Error('the first tenant does not exist');
    await saveProvider(tx, tenant.id, {
      issuer,
      clientId,
      seal: (id) => sealSecret(sealingKey, clientSecretPlace(tenant.id, id), clientSecret),
    });
    if (domain === null) return;
    const problem = await confirmDomain(tx, tenant.id, domain);
    if (problem !== null) log.warn({ domain, problem }, 'the domain of SLUICE_OIDC_DOMAIN was not confirmed');
  });
}

/** Last segment of the redirect URI, unless another provider of the tenant uses it. */
const callbackKey = 'environment';

interface SavedProvider extends Pick<IdentityProviderConfig, 'issuer' | 'clientId'> {
  /** Encrypts the client secret for the row with this id. */
  readonly seal: (id: number) => Buffer;
}

/** Adds the provider if it is missing, or updates its client secret. */
async function saveProvider(
  tx: SystemDatabase,
  tenantId: number,
  { issuer, clientId, seal }: SavedProvider,
): Promise<void> {
  const [known] = await tx
    .select({ id: identityProviders.id })
    .from(identityProviders)
    .where(
      and(
        eq(identityProviders.tenantId, tenantId),
        eq(sql`rtrim(${identityProviders.issuer}, '/')`, issuer.replace(/\/+$/, '')),
        eq(identityProviders.clientId, clientId),
      ),
    );
  if (known) {
    const sealedClientSecret = seal(known.id);
    await tx.update(identityProviders).set({ sealedClientSecret }).where(eq(identityProviders.id, known.id));
    return;
  }
  const taken = await tx
    .select({ name: identityProviders.name, callbackKey: identityProviders.callbackKey })
    .from(identityProviders)
    .where(eq(identityProviders.tenantId, tenantId));
  const host = new URL(issuer).hostname.slice(0, 80);
  const isTaken = taken.some(({ name }) => name.toLowerCase() === host);
  const name = isTaken ? `${host} ${taken.length + 1}` : host;
  const isFirst = taken.every((one) => one.callbackKey !== callbackKey);
  const id = await reserveId(tx, identityProviders);
  const added = { id, tenantId, name, issuer, clientId, sealedClientSecret: seal(id), isShared: true };
  await tx
    .insert(identityProviders)
    .overridingSystemValue()
    .values({ ...added, ...(isFirst && { callbackKey }) });
}

/** Confirms the domain for the tenant. Returns the reason if this is not possible; otherwise `null`. */
async function confirmDomain(tx: SystemDatabase, tenantId: number, name: string): Promise<string | null> {
  if (isPublicMailDomain(name)) return 'anyone can get an email address at this domain';
  const foreign = await tx
    .select({ id: domains.id })
    .from(domains)
    .where(and(eq(domains.name, name), ne(domains.tenantId, tenantId), isNotNull(domains.confirmedAt)));
  if (foreign.length > 0) return 'another organization owns this domain';
  const confirmedAt = sql`coalesce(${domains.confirmedAt}, now())`;
  await tx
    .insert(domains)
    .values({ tenantId, name, confirmedAt: new Date() })
    .onConflictDoUpdate({ target: [domains.tenantId, domains.name], set: { confirmedAt } });
  return null;
}
