import type { createApiKeyBody } from '@sluice/contract';
import type { z } from 'zod';
import { lockTarget } from '#console/users/lock-target.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { Keyring } from '#platform/keyring.ts';
import { issueApiKey } from './issue.ts';
import { revokeKeys } from './store.ts';

/** Makes a key for a user who has none in use; one that has expired gives way. */
export async function createApiKey(
  keyring: Pick<Keyring, 'hashApiKey'>,
  ctx: SignedInContext,
  userId: number,
  { scopes, expires_at }: z.output<typeof createApiKeyBody>,
): Promise<{ api_key: string }> {
  const { tenantId } = ctx.principal;
  return ctx.inTenant(async (tx) => {
    const { name } = await lockTarget(tx, ctx.principal, userId);
    await revokeKeys(tx, tenantId, userId, 'expired');
    const expiresAt = expires_at === null ? null : new Date(expires_at);
    const owner = { tenantId, userId, name, scopes, expiresAt };
    return { api_key: await issueApiKey(keyring, tx, owner, ctx.principal.userId) };
  });
}
