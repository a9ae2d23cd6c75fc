import type { AccessSummary, GrantableProvider, PickedUser, TeamAccess, UserAccess } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import { Page } from '#http/verbs.ts';
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

interface GrantPage {
  provider_id?: number | undefined;
  before?: number | undefined;
  skip: number;
  limit: number;
}

export function listUserAccess(
  tx: TenantTransaction,
  author: Author,
  { user_id, ...page }: GrantPage & { user_id?: number | undefined },
): Promise<Page<UserAccess[]>> {
  return list(tx, author, 'user', user_id, page, toUserAccess);
}

export function listTeamAccess(
  tx: TenantTransaction,
  author: Author,
  { team_id, ...page }: GrantPage & { team_id?: number | undefined },
): Promise<Page<TeamAccess[]>> {
  return list(tx, author, 'team', team_id, page, toTeamAccess);
}

async function list<Access>(
  tx: TenantTransaction,
  author: Author,
  grantee: Grantee,
  granteeId: number | undefined,
  { provider_id, before, ...page }: GrantPage,
  toAccess: (row: GrantRow) => Access,
): Promise<Page<Access[]>> {
  const filter = {
    ...(granteeId !== undefined && { granteeId }),
    ...(provider_id !== undefined && { llmProviderId: provider_id }),
    before,
  };
  const totalCount = formatTotalCount(await countGrants(tx, author.tenantId, grantee, filter));
  const rows = await selectGrants(tx, author.tenantId, grantee, filter, page);
  return new Page(rows.map(toAccess), totalCount);
}

export function toUserAccess(row: GrantRow): UserAccess {
  return { user_id: row.granteeId, user_name: row.granteeName, ...toGrantFields(row) };
}

export function toTeamAccess(row: GrantRow): TeamAccess {
  return { team_id: row.granteeId, team_name: row.granteeName, ...toGrantFields(row) };
}

function toGrantFields(row: GrantRow) {
  return {
    id: row.id,
    provider_key: row.providerKey,
    provider_instance_name: row.instanceName,
    llm_provider_id: row.llmProviderId,
    provider_registry_id: row.registryId,
    allowed_models: row.allowedModels,
    created_at: new Date(row.createdAtMs).toISOString(),
  };
}

export function listGrantableProviders(tx: TenantTransaction, author: Author): Promise<GrantableProvider[]> {
  return selectInstances(tx, author.tenantId);
}

export function listGrantableUsers(tx: TenantTransaction, author: Author): Promise<PickedUser[]> {
  return selectActiveUsers(tx, author.tenantId);
}

export function listGrantableTeams(tx: TenantTransaction, author: Author) {
  return selectActiveTeams(tx, author.tenantId);
}

export async function getAccessSummary(tx: TenantTransaction, author: Author): Promise<AccessSummary> {
  const { tenantId } = author;
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
}
