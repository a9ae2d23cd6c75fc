import type { UserIdentity } from '@sluice/contract';
import { lockTarget } from '#console/users/target.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import { Page } from '#http/verbs.ts';
import {
  countIdentities,
  deleteIdentitiesOf,
  deleteIdentityRow,
  deletePreviousIdentities,
  type IdentityRow,
  markConfirmed,
  selectIdentities,
} from './store.ts';

interface Wanted {
  readonly user_id?: number | undefined;
  readonly skip: number;
  readonly limit: number;
}

export async function listUserIdentities(
  tx: TenantTransaction,
  { tenantId }: Principal,
  { user_id: userId, ...page }: Wanted,
): Promise<Page<UserIdentity[]>> {
  const rows = await selectIdentities(tx, tenantId, { userId }, page);
  return new Page(rows.map(toUserIdentity), String(await countIdentities(tx, tenantId, { userId })));
}

/** Confirms a link, including a link by email. Replaces the user's previous link to the same provider. */
export async function confirmUserIdentity(
  tx: TenantTransaction,
  author: Principal,
  id: number,
): Promise<UserIdentity> {
  const { tenantId, userId: confirmedBy } = author;
  const row = await requireIdentity(tx, author, id);
  if (row.confirmedBy === null) {
    await deletePreviousIdentities(tx, tenantId, row);
    await markConfirmed(tx, tenantId, { id, confirmedBy });
  }
  return toUserIdentity(await requireIdentity(tx, author, id));
}

export async function deleteUserIdentity(
  tx: TenantTransaction,
  author: Principal,
  id: number,
): Promise<void> {
  await requireIdentity(tx, author, id);
  await deleteIdentityRow(tx, author.tenantId, id);
}

/** Deletes all identities of a user. The user's sessions must end in the same transaction. */
export function deleteUserIdentities(tx: TenantTransaction, tenantId: number, userId: number): Promise<void> {
  return deleteIdentitiesOf(tx, tenantId, userId);
}

/**
 * Returns an identity and locks its user.
 * @throws ConsoleError 404 if the tenant does not have the identity, 403 if the user's role is above the caller's
 * role
 */
async function requireIdentity(tx: TenantTransaction, author: Principal, id: number): Promise<IdentityRow> {
  const [row] = await selectIdentities(tx, author.tenantId, { id }, { skip: 0, limit: 1 });
  if (!row) throw notFound('User identity');
  await lockTarget(tx, author, row.userId);
  return row;
}

function toUserIdentity(row: IdentityRow): UserIdentity {
  return {
    id: row.id,
    user_id: row.userId,
    user_name: row.userName,
    user_email: row.userEmail,
    identity_provider_name: row.providerName,
    issuer: row.issuer,
    subject: row.subject,
    email: row.email,
    is_email_verified: row.isEmailVerified,
    confirmed_at: row.isWaiting ? null : (row.confirmedAt?.toISOString() ?? null),
    is_role_mapped: row.mappedRole === row.role,
    mapped_role: row.mappedRole,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}
