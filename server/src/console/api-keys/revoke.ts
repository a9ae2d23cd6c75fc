import type { ApiKeyStatus } from '@sluice/contract';
import { lockTarget } from '#console/users/target.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author, Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import { readApiKeyStatus } from './get-status.ts';
import { findFormerKey, revokeEveryKey, revokeKeys } from './store.ts';

export async function revokeUserApiKey(
  tx: TenantTransaction,
  author: Author,
  userId: number,
): Promise<ApiKeyStatus> {
  await lockTarget(tx, author, userId);
  if ((await revokeKeys(tx, author.tenantId, userId, 'all')) === 0) throw notFound('API key');
  return readApiKeyStatus(tx, author.tenantId, userId);
}

/**
 * Revokes all keys of a user: primary, named and task keys.
 * @throws ConsoleError 404 if the user has no unrevoked key, 403 if the user's role is above the caller's
 */
export async function revokeApiKeysOfUser(
  tx: TenantTransaction,
  author: Author,
  userId: number,
): Promise<ApiKeyStatus> {
  await lockTarget(tx, author, userId);
  if ((await revokeEveryKey(tx, author.tenantId, userId)) === 0) throw notFound('API key');
  return readApiKeyStatus(tx, author.tenantId, userId);
}

/** Revokes the previous key before its overlap period ends. */
export async function endApiKeyOverlap(
  tx: TenantTransaction,
  author: Principal,
  userId: number,
): Promise<ApiKeyStatus> {
  const { tenantId } = author;
  await lockTarget(tx, author, userId);
  if (!(await findFormerKey(tx, tenantId, userId))) throw notFound('Previous API key');
  await revokeKeys(tx, tenantId, userId, 'superseded');
  return readApiKeyStatus(tx, tenantId, userId);
}

export async function revokeEveryApiKey(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
): Promise<void> {
  await revokeEveryKey(tx, tenantId, userId);
}
