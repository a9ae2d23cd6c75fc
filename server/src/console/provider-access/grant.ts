import type { grantTeamAccessBody, grantUserAccessBody, TeamAccess, UserAccess } from '@sluice/contract';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
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

export function grantUserAccess(
  tx: TenantTransaction,
  author: Author,
  { user_id, llm_provider_id, allowed_models }: z.output<typeof grantUserAccessBody>,
): Promise<UserAccess> {
  const place = { granteeId: user_id, llmProviderId: llm_provider_id };
  return grant(tx, author, 'user', place, allowed_models, toUserAccess);
}

export function grantTeamAccess(
  tx: TenantTransaction,
  author: Author,
  { team_id, llm_provider_id, allowed_models }: z.output<typeof grantTeamAccessBody>,
): Promise<TeamAccess> {
  const place = { granteeId: team_id, llmProviderId: llm_provider_id };
  return grant(tx, author, 'team', place, allowed_models, toTeamAccess);
}

async function grant<Access>(
  tx: TenantTransaction,
  author: Author,
  grantee: Grantee,
  place: GrantPlace,
  models: readonly string[],
  toAccess: (row: GrantRow) => Access,
): Promise<Access> {
  const { tenantId, userId } = author;
  if (!(await keepGrantee(tx, tenantId, grantee, place.granteeId))) {
    throw notFound(grantee === 'user' ? 'User' : 'Team');
  }
  const allowedModels = await requireEnabled(tx, tenantId, place.llmProviderId, models);
  const values = { ...place, tenantId, allowedModels, createdBy: userId };
  if (!(await insertGrant(tx, grantee, values))) {
    throw new ConsoleError(409, `This ${grantee} already has access to this provider`);
  }
  return toAccess(await requireGrant(tx, tenantId, grantee, place));
}

/**
 * Returns the distinct models of a grant. Models must be enabled unless they are already granted.
 * @throws ConsoleError 422 that names models not enabled on the instance, 404 if the instance is unknown
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
  throw invalidField(
    'allowed_models',
    `These models are not enabled at this provider: ${unknown.join(', ')}. Enable them first, or choose other models.`,
  );
}

/** @throws ConsoleError 404 if the grant does not exist */
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

export interface GrantOutcome {
  index: number;
  error: string | null;
}

/** Runs each grant in a separate transaction, so that a failed grant does not affect others. */
export async function grantEach<Body extends z.ZodType>(
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
  tx: TenantTransaction,
  author: Author,
  {
    place: { userId, providerId },
    models,
  }: { readonly place: { userId: number; providerId: number }; readonly models: readonly string[] },
): Promise<UserAccess> {
  const place = { granteeId: userId, llmProviderId: providerId };
  return toUserAccess(await update(tx, author, 'user', place, models));
}

export async function updateTeamAccess(
  tx: TenantTransaction,
  author: Author,
  {
    place: { teamId, providerId },
    models,
  }: { readonly place: { teamId: number; providerId: number }; readonly models: readonly string[] },
): Promise<TeamAccess> {
  const place = { granteeId: teamId, llmProviderId: providerId };
  return toTeamAccess(await update(tx, author, 'team', place, models));
}

async function update(
  tx: TenantTransaction,
  { tenantId }: Author,
  grantee: Grantee,
  place: GrantPlace,
  models: readonly string[],
): Promise<GrantRow> {
  const { allowedModels: granted } = await requireGrant(tx, tenantId, grantee, place);
  const allowedModels = await requireEnabled(tx, tenantId, place.llmProviderId, models, granted);
  await changeGrant(tx, tenantId, grantee, place, allowedModels);
  return requireGrant(tx, tenantId, grantee, place);
}

export function removeUserAccess(
  tx: TenantTransaction,
  author: Author,
  { userId, providerId }: { userId: number; providerId: number },
): Promise<undefined> {
  return remove(tx, author, 'user', { granteeId: userId, llmProviderId: providerId });
}

export function removeTeamAccess(
  tx: TenantTransaction,
  author: Author,
  { teamId, providerId }: { teamId: number; providerId: number },
): Promise<undefined> {
  return remove(tx, author, 'team', { granteeId: teamId, llmProviderId: providerId });
}

async function remove(
  tx: TenantTransaction,
  author: Author,
  grantee: Grantee,
  place: GrantPlace,
): Promise<undefined> {
  const isRemoved = await deleteGrant(tx, author.tenantId, grantee, place);
  if (!isRemoved) throw notFound('Provider access');
}
