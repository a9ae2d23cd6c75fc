import type { AccessSummary, GrantableProvider, PickedUser, TeamAccess, UserAccess } from '@sluice/contract';
import { formatTotalCount } from '#domain/total-count.ts';
import type { SignedInContext } from '#http/console-route.ts';
import {
  countGrantees,
  countGrants,
  countGrantsByInstance,
  type Grantee,
  type GrantRow,
  selectActiveTeams,
  selectActiveUsers,
  selectGrants,
  selectInstances,
} from './store.ts';

interface Page {
  provider_id?: number | undefined;
  skip: number;
  limit: number;
}

export async function listUserAccess(
  ctx: SignedInContext,
  { user_id, ...page }: Page & { user_id?: number | undefined },
): Promise<UserAccess[]> {
  const rows = await list(ctx, 'user', user_id, page);
  return rows.map(toUserAccess);
}

export async function listTeamAccess(
  ctx: SignedInContext,
  { team_id, ...page }: Page & { team_id?: number | undefined },
): Promise<TeamAccess[]> {
  const rows = await list(ctx, 'team', team_id, page);
  return rows.map(toTeamAccess);
}

function list(
  { principal, inTenant, setHeader }: SignedInContext,
  grantee: Grantee,
  granteeId: number | undefined,
  { provider_id, ...page }: Page,
): Promise<GrantRow[]> {
  const filter = {
    ...(granteeId !== undefined && { granteeId }),
    ...(provider_id !== undefined && { llmProviderId: provider_id }),
  };
  return inTenant(async (tx) => {
    setHeader('x-total-count', formatTotalCount(await countGrants(tx, principal.tenantId, grantee, filter)));
    return selectGrants(tx, principal.tenantId, grantee, filter, page);
  });
}

export function toUserAccess(row: GrantRow): UserAccess {
  return { user_id: row.granteeId, user_name: row.granteeName, ...toGrantFields(row) };
}

export function toTeamAccess(row: GrantRow): TeamAccess {
  return { team_id: row.granteeId, team_name: row.granteeName, ...toGrantFields(row) };
}

function toGrantFields(row: GrantRow) {
  return {
    provider_key: row.providerKey,
    provider_instance_name: row.instanceName,
    llm_provider_id: row.llmProviderId,
    provider_registry_id: row.registryId,
    allowed_models: row.allowedModels,
    created_at: new Date(row.createdAtMs).toISOString(),
  };
}

export function listGrantableProviders({
  principal,
  inTenant,
}: SignedInContext): Promise<GrantableProvider[]> {
  return inTenant((tx) => selectInstances(tx, principal.tenantId));
}

export function listGrantableUsers({ principal, inTenant }: SignedInContext): Promise<PickedUser[]> {
  return inTenant((tx) => selectActiveUsers(tx, principal.tenantId));
}

export function listGrantableTeams({ principal, inTenant }: SignedInContext) {
  return inTenant((tx) => selectActiveTeams(tx, principal.tenantId));
}

export function getAccessSummary({ principal, inTenant }: SignedInContext): Promise<AccessSummary> {
  const { tenantId } = principal;
  return inTenant(async (tx) => {
    const usage = await countGrantsByInstance(tx, tenantId);
    const grantees = await countGrantees(tx, tenantId);
    return {
      total_user_accesses: usage.reduce((total, row) => total + row.user_access_count, 0),
      total_team_accesses: usage.reduce((total, row) => total + row.team_access_count, 0),
      total_unique_users_with_access: grantees.users,
      total_unique_teams_with_access: grantees.teams,
      provider_usage_stats: usage.map((row) => ({
        ...row,
        total_access_count: row.user_access_count + row.team_access_count,
      })),
    };
  });
}
