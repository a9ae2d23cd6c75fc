import { randomBytes } from 'node:crypto';
import {
  type createManagementTokenBody,
  type createManagementTokenOfBody,
  type ManagementToken,
  managementTokenDays,
  type managementTokensRoutes,
  type NewManagementToken,
  type RoleName,
  scopesOfRole,
} from '@sluice/contract';
import type { z } from 'zod';
import { lockSelf, lockTarget } from '#console/users/target.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { formatManagementToken, maskManagementToken } from '#domain/api-key.ts';
import type { Principal } from '#domain/principal.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import type { RouteInput } from '#http/console-route.ts';
import { Page } from '#http/verbs.ts';
import type { Keyring } from '#platform/keyring.ts';
import {
  countTokens,
  countValidTokens,
  endToken,
  insertToken,
  selectTokens,
  type TokenRow,
} from './store.ts';

/** Maximum number of valid tokens per user. `stored_bounds` limits the total number per tenant. */
const validTokensMax = 20;
/** Upper bound on the number of a user's tokens, including expired and revoked ones. */
const ownTokensMax = 100;
const dayMs = 86_400_000;

export async function listOwnManagementTokens(
  tx: TenantTransaction,
  { tenantId, userId }: Principal,
): Promise<ManagementToken[]> {
  const rows = await selectTokens(tx, tenantId, { userId }, { skip: 0, limit: ownTokensMax });
  return rows.map(toManagementToken);
}

export async function listManagementTokens(
  tx: TenantTransaction,
  { tenantId }: Principal,
  {
    user_id: userId,
    skip,
    limit,
    ...filters
  }: RouteInput<typeof managementTokensRoutes.listManagementTokens>['query'],
): Promise<Page<ManagementToken[]>> {
  const selection = { userId, ...filters };
  const rows = await selectTokens(tx, tenantId, selection, { skip, limit });
  return new Page(rows.map(toManagementToken), formatTotalCount(await countTokens(tx, tenantId, selection)));
}

/**
 * Returns the token's plaintext, which cannot be retrieved later. The owner's row is locked, so that a concurrent
 * block or role change either revokes the token or is visible here.
 * @throws ConsoleError 422 for a scope that the owner's role does not have, 409 at the limit of valid tokens, 403 or
 * 409 if the owner is inactive or blocked, 404 for an unknown service account
 */
export async function createManagementToken(
  keyring: Pick<Keyring, 'hashApiKey'>,
  tx: TenantTransaction,
  author: Principal,
  { service_account_id: accountId, ...body }: z.output<typeof createManagementTokenOfBody>,
): Promise<NewManagementToken> {
  const owner = await (accountId === undefined ? lockSelf(tx, author) : lockTarget(tx, author, accountId));
  if (accountId !== undefined && owner.kind !== 'service') throw notFound('Service account');
  if (accountId === undefined && (!owner.isActive || owner.isBlocked)) {
    throw new ConsoleError(
      403,
      'Your account is inactive or blocked, so you cannot create a management token.',
    );
  }
  if (!owner.isActive || owner.isBlocked) {
    throw new ConsoleError(409, 'The service account is inactive or blocked. Activate or unblock it first.');
  }
  return storeToken(keyring, tx, { tenantId: author.tenantId, owner, body });
}

interface TokenRequest {
  readonly tenantId: number;
  /** Owner of the token. The owner's row must be locked, so that parallel requests cannot exceed the limit. */
  readonly owner: { readonly id: number; readonly role: RoleName };
  readonly body: z.output<typeof createManagementTokenBody>;
}

async function storeToken(
  keyring: Pick<Keyring, 'hashApiKey'>,
  tx: TenantTransaction,
  { tenantId, owner, body: { name, scopes, expires_at } }: TokenRequest,
): Promise<NewManagementToken> {
  const allowed = scopesOfRole(owner.role);
  const foreign = scopes.find((scope) => !allowed.includes(scope));
  if (foreign !== undefined)
    throw invalidField('scopes', `The role ${owner.role} does not have the scope ${foreign}`);
  const present = await countValidTokens(tx, tenantId, owner.id);
  if (present >= validTokensMax) {
    throw new ConsoleError(
      409,
      `Limit for management tokens reached: ${present} of ${validTokensMax}. Revoke one that is no longer used.`,
    );
  }
  const token = formatManagementToken(randomBytes(64));
  const id = await insertToken(tx, {
    tenantId,
    userId: owner.id,
    name,
    tokenHash: keyring.hashApiKey(token),
    last4: token.slice(-4),
    scopes,
    expiresAt: new Date(expires_at ?? Date.now() + managementTokenDays.default * dayMs),
  });
  return { ...(await readToken(tx, { tenantId, id })), token };
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
  const [row] = await selectTokens(tx, tenantId, selection, { skip: 0, limit: 1 });
  if (!row) throw notFound('Management token');
  return toManagementToken(row);
}

function toManagementToken({ token, state, userName, userEmail, userKind }: TokenRow): ManagementToken {
  return {
    id: token.id,
    name: token.name,
    masked_token: maskManagementToken(token.last4),
    state,
    scopes: token.scopes,
    user_id: token.userId,
    user_name: userName,
    user_email: userEmail,
    user_kind: userKind,
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    last_used_address: token.lastUsedAddress,
  };
}
