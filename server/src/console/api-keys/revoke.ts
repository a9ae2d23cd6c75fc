import type { ApiKeyStatus } from '@sluice/contract';
import { lockTarget } from '#console/users/block.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { readApiKeyStatus } from './get-status.ts';
import { findFormerKey, revokeKeys } from './store.ts';

export async function revokeApiKey(ctx: SignedInContext, userId: number): Promise<ApiKeyStatus> {
  return ctx.inTenant((tx) => revokeKeysOf(tx, ctx.principal, userId));
}

export async function revokeKeysOf(
  tx: TenantTransaction,
  author: Author,
  userId: number,
): Promise<ApiKeyStatus> {
  await lockTarget(tx, author, userId);
  if ((await revokeKeys(tx, author.tenantId, userId, 'all')) === 0) throw notFound('API key');
  return readApiKeyStatus(tx, author.tenantId, userId);
}

/** Revokes the previous key before its overlap ends. */
export async function endApiKeyOverlap(ctx: SignedInContext, userId: number): Promise<ApiKeyStatus> {
  const { tenantId } = ctx.principal;
  return ctx.inTenant(async (tx) => {
    await lockTarget(tx, ctx.principal, userId);
    if (!(await findFormerKey(tx, tenantId, userId))) throw notFound('Previous API key');
    await revokeKeys(tx, tenantId, userId, 'superseded');
    return readApiKeyStatus(tx, tenantId, userId);
  });
}
