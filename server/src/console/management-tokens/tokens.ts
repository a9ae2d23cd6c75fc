import { randomBytes } from 'node:crypto';
import {
  contract,
  type createManagementTokenBody,
  type ManagementScope,
  type ManagementToken,
  permissionsOfRole,
  type RoleName,
  type RouteRow,
  scopeOf,
} from '@sluice/contract';
import type { z } from 'zod';
import { lockTarget } from '#console/users/block.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { formatManagementToken, maskManagementToken } from '#domain/api-key.ts';
import type { Principal } from '#domain/principal.ts';
import { invalidField, notFound } from '#errors/console-error.ts';
import type { Keyring } from '#platform/keyring.ts';
import { endToken, insertToken, selectTokens, type TokenRow } from './store.ts';

export async function listOwnManagementTokens(
  tx: TenantTransaction,
  { tenantId, userId }: Principal,
): Promise<ManagementToken[]> {
  return (await selectTokens(tx, tenantId, { userId })).map(toManagementToken);
}

export async function listManagementTokens(
  tx: TenantTransaction,
  { tenantId }: Principal,
): Promise<ManagementToken[]> {
  return (await selectTokens(tx, tenantId, {})).map(toManagementToken);
}

/**
 * Creates a token that acts for the caller; returns its only plaintext copy.
 * @throws ConsoleError 422 for a scope that the caller's role does not have
 */
export async function createManagementToken(
  keyring: Pick<Keyring, 'hashApiKey'>,
  tx: TenantTransaction,
  { tenantId, userId, role }: Principal,
  { name, scopes, expires_at }: z.output<typeof createManagementTokenBody>,
): Promise<{ token: string; management_token: ManagementToken }> {
  const allowed = scopesOfRole(role);
  const foreign = scopes.find((scope) => !allowed.has(scope));
  if (foreign !== undefined) throw invalidField('scopes', `Your role does not have the scope ${foreign}`);
  const token = formatManagementToken(randomBytes(64));
  const id = await insertToken(tx, {
    tenantId,
    userId,
    name,
    tokenHash: keyring.hashApiKey(token),
    last4: token.slice(-4),
    scopes,
    expiresAt: new Date(expires_at),
  });
  return { token, management_token: await readToken(tx, { tenantId, id }) };
}

/** Returns the scopes of the routes that a role may use. */
function scopesOfRole(role: RoleName): ReadonlySet<ManagementScope | null> {
  const permissions: readonly string[] = permissionsOfRole(role);
  const rows = Object.values(contract).flatMap((routes) => Object.values<RouteRow>(routes));
  return new Set(rows.filter(({ permission }) => permissions.includes(permission)).map(scopeOf));
}

export async function revokeOwnManagementToken(
  tx: TenantTransaction,
  { tenantId, userId }: Principal,
  id: number,
): Promise<ManagementToken> {
  await readToken(tx, { tenantId, userId, id });
  await endToken(tx, tenantId, id);
  return readToken(tx, { tenantId, id });
}

export async function revokeManagementToken(
  tx: TenantTransaction,
  author: Principal,
  id: number,
): Promise<ManagementToken> {
  const { tenantId } = author;
  const { user_id } = await readToken(tx, { tenantId, id });
  await lockTarget(tx, author, user_id);
  await endToken(tx, tenantId, id);
  return readToken(tx, { tenantId, id });
}

async function readToken(
  tx: TenantTransaction,
  { tenantId, ...selection }: { tenantId: number; userId?: number; id: number },
): Promise<ManagementToken> {
  const [row] = await selectTokens(tx, tenantId, selection);
  if (!row) throw notFound('Management token');
  return toManagementToken(row);
}

function toManagementToken({ token, state, userName, userEmail }: TokenRow): ManagementToken {
  return {
    id: token.id,
    name: token.name,
    masked_token: maskManagementToken(token.last4),
    state,
    scopes: token.scopes,
    user_id: token.userId,
    user_name: userName,
    user_email: userEmail,
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    last_used_address: token.lastUsedAddress,
  };
}
