import type { ApiKeyStatus } from '@sluice/contract';
import { lockTarget } from '#console/users/lock-target.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { readApiKeyStatus } from './get-status.ts';
import { findFormerKey, revokeKeys } from './store.ts';

/** Revokes the previous key before its overlap ends. */
export async function endApiKeyOverlap(ctx: SignedInContext, userId: number): Promise<ApiKeyStatus> {
  const { tenantId } = ctx.principal;
  return ctx.inTenant(async (tx) => {
    await lockTarget(tx, ctx.principal, userId);
    if (!(await findFormerKey(tx, tenantId, userId))) throw notFound('Former API key');
    await revokeKeys(tx, tenantId, userId, 'superseded');
    return readApiKeyStatus(tx, tenantId, userId);
  });
}
