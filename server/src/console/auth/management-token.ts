import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { auditEntries } from '#db/schema/audit-entries.ts';
import { managementTokens } from '#db/schema/management-tokens.ts';
import { roles, users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';
import { isManagementToken } from '#domain/api-key.ts';
import type { Principal } from '#domain/principal.ts';
import type { TokenCall } from '#http/authorize.ts';
import type { Keyring } from '#platform/keyring.ts';
import type { AddressThrottle } from './attempt-throttle.ts';

interface AuthenticateDeps {
  readonly database: SystemDatabase;
  readonly keyring: Pick<Keyring, 'hashApiKey'>;
  readonly throttle: AddressThrottle;
}

/**
 * Returns a function that finds the user of a management token; `null` if the token is not valid or its user is
 * inactive or blocked. Tokens are not cached, so that a revocation applies immediately. Only rejected tokens count
 * against the IP address, so that other clients cannot block a valid token.
 */
export function createAuthenticateToken({
  database,
  keyring,
  throttle,
}: AuthenticateDeps): (token: string, address: string) => Promise<Principal | null> {
  return async (token, address) => {
    if (!isManagementToken(token)) return null;
    const principal = await findPrincipal(database, keyring.hashApiKey(token));
    if (!principal) await throttle.count(address);
    return principal;
  };
}

async function findPrincipal(database: SystemDatabase, tokenHash: Buffer): Promise<Principal | null> {
  const [row] = await database
    .select({
      tokenId: managementTokens.id,
      tokenName: managementTokens.name,
      scopes: managementTokens.scopes,
      userId: users.id,
      tenantId: users.tenantId,
      name: users.name,
      email: users.email,
      role: roles.name,
    })
    .from(managementTokens)
    .innerJoin(users, eq(users.id, managementTokens.userId))
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(
      and(
        eq(managementTokens.tokenHash, tokenHash),
        isNull(managementTokens.revokedAt),
        gt(managementTokens.expiresAt, sql`now()`),
        eq(users.isActive, true),
        eq(users.isBlocked, false),
      ),
    );
  if (!row) return null;
  const { tokenId, tokenName, scopes, ...user } = row;
  const credential = { kind: 'management_token', tokenId, name: tokenName, scopes } as const;
  return { ...user, blockedReason: null, credential };
}

export function createRecordTokenCall(database: SystemDatabase): (call: TokenCall) => Promise<void> {
  return async ({ principal, actingTenantId, token, action, requestId, address }) => {
    await database.insert(auditEntries).values({
      tenantId: actingTenantId,
      actorId: principal.userId,
      actorTenantId: principal.tenantId,
      actorName: principal.name,
      actorEmail: principal.email,
      action,
      objectType: 'management_token',
      objectId: String(token.tokenId),
      objectName: token.name,
      requestId,
      address,
    });
    const isStale = or(
      isNull(managementTokens.lastUsedAt),
      sql`${managementTokens.lastUsedAt} < now() - interval '1 minute'`,
    );
    await database
      .update(managementTokens)
      .set({ lastUsedAt: sql`now()`, lastUsedAddress: address })
      .where(and(eq(managementTokens.id, token.tokenId), isStale));
  };
}
