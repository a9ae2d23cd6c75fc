import { lockTarget } from '#console/users/lock-target.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { Keyring } from '#platform/keyring.ts';
import { issueApiKey } from './issue.ts';
import { revokeKeys } from './store.ts';

/** Revokes the user's key and makes a new one, both or neither. */
export async function regenerateApiKey(
  keyring: Pick<Keyring, 'hashApiKey'>,
  ctx: SignedInContext,
  userId: number,
): Promise<{ api_key: string }> {
  const { tenantId } = ctx.principal;
  return ctx.inTenant(async (tx) => {
    const { name } = await lockTarget(tx, ctx.principal, userId);
    if ((await revokeKeys(tx, tenantId, userId, 'all')) === 0) throw notFound('API key');
    const owner = { tenantId, userId, name };
    return { api_key: await issueApiKey(keyring, tx, owner, ctx.principal.userId) };
  });
}
