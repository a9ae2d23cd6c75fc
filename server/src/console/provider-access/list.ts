import type { TeamAccess, UserAccess } from '@sluice/contract';
import { formatTotalCount } from '#domain/total-count.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { countGrants, type Grantee, type GrantRow, selectGrants } from './store.ts';

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
