import type { ApiKeyStatus } from '@sluice/contract';
import { lockTarget } from '#console/users/lock-target.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { readApiKeyStatus } from './get-status.ts';
import { revokeKeys } from './store.ts';

export async function revokeApiKey(ctx: SignedInContext, userId: number): Promise<ApiKeyStatus> {
  const { tenantId } = ctx.principal;
  return ctx.inTenant(async (tx) => {
    await lockTarget(tx, ctx.principal, userId);
    if ((await revokeKeys(tx, tenantId, userId, 'all')) === 0) throw notFound('API key');
    return readApiKeyStatus(tx, tenantId, userId);
  });
}
