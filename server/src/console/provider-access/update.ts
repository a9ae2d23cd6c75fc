import type { TeamAccess, UserAccess } from '@sluice/contract';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { requireEnabled, requireGrant } from './grant.ts';
import { toTeamAccess, toUserAccess } from './list.ts';
import { changeGrant, deleteGrant, type Grantee, type GrantPlace, type GrantRow } from './store.ts';

export async function updateUserAccess(
  ctx: SignedInContext,
  { userId, providerId }: { userId: number; providerId: number },
  models: readonly string[],
): Promise<UserAccess> {
  const place = { granteeId: userId, llmProviderId: providerId };
  return toUserAccess(await update(ctx, 'user', place, models));
}

export async function updateTeamAccess(
  ctx: SignedInContext,
  { teamId, providerId }: { teamId: number; providerId: number },
  models: readonly string[],
): Promise<TeamAccess> {
  const place = { granteeId: teamId, llmProviderId: providerId };
  return toTeamAccess(await update(ctx, 'team', place, models));
}

function update(
  { principal: { tenantId }, inTenant }: SignedInContext,
  grantee: Grantee,
  place: GrantPlace,
  models: readonly string[],
): Promise<GrantRow> {
  return inTenant(async (tx) => {
    const { allowedModels: granted } = await requireGrant(tx, tenantId, grantee, place);
    const allowedModels = await requireEnabled(tx, tenantId, place.llmProviderId, models, granted);
    await changeGrant(tx, tenantId, grantee, place, allowedModels);
    return requireGrant(tx, tenantId, grantee, place);
  });
}

export function removeUserAccess(
  ctx: SignedInContext,
  { userId, providerId }: { userId: number; providerId: number },
): Promise<undefined> {
  return remove(ctx, 'user', { granteeId: userId, llmProviderId: providerId });
}

export function removeTeamAccess(
  ctx: SignedInContext,
  { teamId, providerId }: { teamId: number; providerId: number },
): Promise<undefined> {
  return remove(ctx, 'team', { granteeId: teamId, llmProviderId: providerId });
}

async function remove(
  { principal, inTenant }: SignedInContext,
  grantee: Grantee,
  place: GrantPlace,
): Promise<undefined> {
  const isRemoved = await inTenant((tx) => deleteGrant(tx, principal.tenantId, grantee, place));
  if (!isRemoved) throw notFound('Provider access');
}
