import { grantTeamAccessBody, grantUserAccessBody, type TeamAccess, type UserAccess } from '@sluice/contract';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import type { AuthorContext, SignedInContext } from '#http/console-route.ts';
import { toTeamAccess, toUserAccess } from './read.ts';
import {
  changeGrant,
  deleteGrant,
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
async function requireEnabled(
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
async function requireGrant(
  tx: TenantTransaction,
  tenantId: number,
  grantee: Grantee,
  place: GrantPlace,
): Promise<GrantRow> {
  const [row] = await selectGrants(tx, tenantId, grantee, place, { skip: 0, limit: 1 });
  if (!row) throw notFound('Provider access');
  return row;
}

/** Result of one grant in a batch; an `error` of `null` means success. */
export interface GrantOutcome {
  index: number;
  error: string | null;
}

export function grantUserAccesses(ctx: SignedInContext, accesses: readonly object[]) {
  return grantEach(accesses, grantUserAccessBody, (body) => grantUserAccess(ctx, body));
}

export function grantTeamAccesses(ctx: SignedInContext, accesses: readonly object[]) {
  return grantEach(accesses, grantTeamAccessBody, (body) => grantTeamAccess(ctx, body));
}

/** Runs each grant in its own transaction, so that a failure does not affect the others. */
async function grantEach<Body extends z.ZodType>(
  accesses: readonly object[],
  schema: Body,
  grant: (body: z.output<Body>) => Promise<unknown>,
): Promise<GrantOutcome[]> {
  const outcomes: GrantOutcome[] = [];
  for (const [index, access] of accesses.entries()) {
    const parsed = schema.safeParse(access);
    const error = parsed.success
      ? await grant(parsed.data).then(() => null, formatRefusal)
      : (parsed.error.issues[0]?.message ?? 'Invalid');
    outcomes.push({ index, error });
  }
  return outcomes;
}

function formatRefusal(error: unknown): string {
  if (error instanceof ConsoleError) return error.message;
  throw error;
}

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
