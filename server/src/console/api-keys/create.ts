import type { createApiKeyBody } from '@sluice/contract';
import type { z } from 'zod';
import { lockTarget } from '#console/users/lock-target.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { Keyring } from '#platform/keyring.ts';
import { issueApiKey } from './issue.ts';
import { revokeKeys } from './store.ts';

/** Creates a key for a user without an active one; replaces an expired key. */
export async function createApiKey(
  keyring: Pick<Keyring, 'hashApiKey'>,
  ctx: SignedInContext,
  userId: number,
  body: z.output<typeof createApiKeyBody>,
): Promise<{ api_key: string }> {
  return ctx.inTenant((tx) => createKeyOf(keyring, tx, ctx.principal, userId, body));
}

export async function createKeyOf(
  keyring: Pick<Keyring, 'hashApiKey'>,
  tx: TenantTransaction,
  author: Author,
  userId: number,
  { scopes, expires_at }: z.output<typeof createApiKeyBody>,
): Promise<{ api_key: string }> {
  const { tenantId } = author;
  const { name } = await lockTarget(tx, author, userId);
  await revokeKeys(tx, tenantId, userId, 'expired');
  const expiresAt = expires_at === null ? null : new Date(expires_at);
  const owner = { tenantId, userId, name, scopes, expiresAt };
  return { api_key: await issueApiKey(keyring, tx, owner, author.userId) };
}
