import { randomBytes } from 'node:crypto';
import {
  type createScimTokenBody,
  type rotateScimTokenBody,
  type ScimToken,
  scimTokenDays,
  type updateScimTokenBody,
} from '@sluice/contract';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { formatScimToken, maskScimToken } from '#domain/scim-token.ts';
import { notFound } from '#errors/console-error.ts';
import type { Keyring } from '#platform/keyring.ts';
import {
  changeToken,
  insertToken,
  type LockedToken,
  lockToken,
  type ScimTokenRow,
  selectTokens,
} from './store.ts';

type Hashes = Pick<Keyring, 'hashApiKey'>;

export async function listScimTokens(
  publicUrl: string,
  tx: TenantTransaction,
  { tenantId }: Principal,
): Promise<{ base_url: string; scim_tokens: ScimToken[] }> {
  const rows = await selectTokens(tx, tenantId);
  return { base_url: `${publicUrl}/scim/v2`, scim_tokens: rows.map(toScimToken) };
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Creates a token. Returns its plaintext, which cannot be retrieved later because the database stores only a hash. */
export async function createScimToken(
  keyring: Hashes,
  tx: TenantTransaction,
  author: Principal,
  body: z.output<typeof createScimTokenBody>,
): Promise<ScimToken & { token: string }> {
  const { tenantId } = author;
  const token = formatScimToken(randomBytes(64));
  const id = await insertToken(tx, {
    tenantId,
    name: body.name,
    tokenHash: keyring.hashApiKey(token),
    last4: token.slice(-4),
    canAssignRoles: body.can_assign_roles,
    createdBy: author.userId,
    expiresAt: new Date(body.expires_at ?? Date.now() + scimTokenDays.default * dayMs),
  });
  return { ...(await readToken(tx, tenantId, id)), token };
}

export async function updateScimToken(
  tx: TenantTransaction,
  { tenantId }: Principal,
  { tokenId, body }: { readonly tokenId: number; readonly body: z.output<typeof updateScimTokenBody> },
): Promise<ScimToken> {
  await requireToken(tx, tenantId, tokenId);
  const { name, can_assign_roles: canAssignRoles } = body;
  if (Object.keys(body).length > 0) await changeToken(tx, tokenId, { name, canAssignRoles });
  return readToken(tx, tenantId, tokenId);
}

/** The previous secret expires immediately or after the overlap period. */
export async function rotateScimToken(
  keyring: Hashes,
  tx: TenantTransaction,
  { tenantId }: Principal,
  { tokenId, body }: { readonly tokenId: number; readonly body: z.output<typeof rotateScimTokenBody> },
): Promise<ScimToken & { token: string }> {
  const former = await requireToken(tx, tenantId, tokenId);
  const token = formatScimToken(randomBytes(64));
  const lifetimeMs = former.expiresAt.getTime() - former.createdAt.getTime();
  const nowMs = Date.now();
  const overlapEndsMs = Math.min(nowMs + body.overlap_hours * hourMs, former.expiresAt.getTime());
  const hasOverlap = overlapEndsMs > nowMs;
  await changeToken(tx, tokenId, {
    tokenHash: keyring.hashApiKey(token),
    last4: token.slice(-4),
    createdAt: new Date(nowMs),
    expiresAt: new Date(body.expires_at ?? nowMs + lifetimeMs),
    formerHash: hasOverlap ? former.tokenHash : null,
    formerExpiresAt: hasOverlap ? new Date(overlapEndsMs) : null,
  });
  return { ...(await readToken(tx, tenantId, tokenId)), token };
}

/** Revokes a token and its previous secret, effective from the next request. */
export async function revokeScimToken(
  tx: TenantTransaction,
  { tenantId }: Principal,
  tokenId: number,
): Promise<void> {
  await requireToken(tx, tenantId, tokenId);
  await changeToken(tx, tokenId, { revokedAt: new Date() });
}

async function requireToken(tx: TenantTransaction, tenantId: number, tokenId: number): Promise<LockedToken> {
  const token = await lockToken(tx, tenantId, tokenId);
  if (!token) throw notFound('SCIM token');
  return token;
}

async function readToken(tx: TenantTransaction, tenantId: number, tokenId: number): Promise<ScimToken> {
  const [row] = await selectTokens(tx, tenantId, tokenId);
  if (!row) throw notFound('SCIM token');
  return toScimToken(row);
}

function toScimToken(row: ScimTokenRow): ScimToken {
  return {
    id: row.id,
    name: row.name,
    masked_token: maskScimToken(row.last4),
    can_assign_roles: row.canAssignRoles,
    created_by_name: row.createdByName,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    expires_at: row.expiresAt.toISOString(),
    is_expired: row.isExpired,
    former_expires_at: row.formerExpiresAt?.toISOString() ?? null,
  };
}
