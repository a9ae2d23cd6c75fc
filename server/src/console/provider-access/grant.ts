import type { grantTeamAccessBody, grantUserAccessBody, TeamAccess, UserAccess } from '@sluice/contract';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import type { AuthorContext } from '#http/console-route.ts';
import { toTeamAccess, toUserAccess } from './list.ts';
import {
  type Grantee,
  type GrantPlace,
  type GrantRow,
  insertGrant,
  keepEnabledModels,
  keepGrantee,
  selectGrants,
} from './store.ts';

/** Grants a user models that an instance enables. */
export function grantUserAccess(
  ctx: AuthorContext,
  { user_id, llm_provider_id, allowed_models }: z.output<typeof grantUserAccessBody>,
): Promise<UserAccess> {
  const place = { granteeId: user_id, llmProviderId: llm_provider_id };
  return grant(ctx, 'user', place, allowed_models, toUserAccess);
}

/** Grants the members of a team models that an instance enables. */
export function grantTeamAccess(
  ctx: AuthorContext,
  { team_id, llm_provider_id, allowed_models }: z.output<typeof grantTeamAccessBody>,
): Promise<TeamAccess> {
  const place = { granteeId: team_id, llmProviderId: llm_provider_id };
  return grant(ctx, 'team', place, allowed_models, toTeamAccess);
}

function grant<Access>(
  { principal, inTenant }: AuthorContext,
  grantee: Grantee,
  place: GrantPlace,
  models: readonly string[],
  toAccess: (row: GrantRow) => Access,
): Promise<Access> {
  const { tenantId, userId } = principal;
  return inTenant(async (tx) => {
    if (!(await keepGrantee(tx, tenantId, grantee, place.granteeId))) {
      throw notFound(grantee === 'user' ? 'User' : 'Team');
    }
    const allowedModels = await requireEnabled(tx, tenantId, place.llmProviderId, models);
    const values = { ...place, tenantId, allowedModels, createdBy: userId };
    if (!(await insertGrant(tx, grantee, values))) {
      throw new ConsoleError(409, `This ${grantee} already has access to this provider`);
    }
    return toAccess(await requireGrant(tx, tenantId, grantee, place));
  });
}

/**
 * Returns the deduplicated models of a grant. Already granted models may stay even if disabled.
 * @throws ConsoleError 422 naming models that the instance does not enable, 404 for an unknown instance.
 */
export async function requireEnabled(
  tx: TenantTransaction,
  tenantId: number,
  llmProviderId: number,
  models: readonly string[],
  granted: readonly string[] = [],
): Promise<string[]> {
  const enabledModels = await keepEnabledModels(tx, tenantId, llmProviderId);
  if (!enabledModels) throw notFound('Provider');
  const allowedModels = [...new Set(models)];
  const unknown = allowedModels.filter((model) => !enabledModels.includes(model) && !granted.includes(model));
  if (unknown.length === 0) return allowedModels;
  throw invalidField('allowed_models', `Not enabled on this provider: ${unknown.join(', ')}`);
}

/**
 * Returns a grant.
 * @throws ConsoleError 404 if it does not exist.
 */
export async function requireGrant(
  tx: TenantTransaction,
  tenantId: number,
  grantee: Grantee,
  place: GrantPlace,
): Promise<GrantRow> {
  const [row] = await selectGrants(tx, tenantId, grantee, place, { skip: 0, limit: 1 });
  if (!row) throw notFound('Provider access');
  return row;
}
