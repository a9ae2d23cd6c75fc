import type { regenerateApiKeyBody } from '@sluice/contract';
import type { z } from 'zod';
import { lockTarget } from '#console/users/lock-target.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { Keyring } from '#platform/keyring.ts';
import { issueApiKey } from './issue.ts';
import { findNewestKey, revokeKeys, supersedeKey } from './store.ts';

type Choice = z.output<typeof regenerateApiKeyBody>;
type FormerKey = NonNullable<Awaited<ReturnType<typeof findNewestKey>>>;

/** Replaces the user's key with a new one in a single transaction. The old key ends at once or after the overlap. */
export async function regenerateApiKey(
  keyring: Pick<Keyring, 'hashApiKey'>,
  ctx: SignedInContext,
  userId: number,
  choice: Choice,
): Promise<{ api_key: string }> {
  const { tenantId } = ctx.principal;
  return ctx.inTenant(async (tx) => {
    const { name } = await lockTarget(tx, ctx.principal, userId);
    const former = await findNewestKey(tx, tenantId, userId);
    if (!former?.isActive) throw notFound('API key');
    await endFormerKey(tx, { tenantId, userId }, choice.overlap_hours);
    const expiresAt = choose(choice.expires_at, former);
    const owner = { tenantId, userId, name, scopes: choice.scopes ?? former.scopes, expiresAt };
    return { api_key: await issueApiKey(keyring, tx, owner, ctx.principal.userId) };
  });
}

const hourMs = 3_600_000;

/** At most the two newest keys may be valid at the same time. */
async function endFormerKey(
  tx: TenantTransaction,
  { tenantId, userId }: { tenantId: number; userId: number },
  overlapHours: number,
): Promise<void> {
  if (overlapHours === 0) return void (await revokeKeys(tx, tenantId, userId, 'all'));
  await revokeKeys(tx, tenantId, userId, 'superseded');
  await supersedeKey(tx, tenantId, userId, new Date(Date.now() + overlapHours * hourMs));
}

/** Without an explicit choice, a key that expires is replaced by one that expires too. */
function choose(expiresAt: Choice['expires_at'], former: FormerKey): Date | null {
  if (expiresAt) return new Date(expiresAt);
  if (expiresAt === null || former.expiresAt === null) return null;
  return new Date(Date.now() + former.expiresAt.getTime() - former.createdAt.getTime());
}
