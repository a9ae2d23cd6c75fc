import type { UserProviders } from '@sluice/contract';
import { readBlocks } from '#console/blacklist/entries.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { findBlock } from '#domain/access/blacklist.ts';
import { needsGrant } from '#domain/access/check-model.ts';
import type { Author } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import {
  findPerson,
  type InstanceStateRow,
  selectInstanceStates,
  selectOwnGrants,
  selectTeamGrants,
} from './rights-store.ts';

/** Lists models that the user may use: enabled and not blacklisted, on active instances of active providers. */
export async function listUserProviders(
  tx: TenantTransaction,
  { tenantId }: Author,
  userId: number,
): Promise<UserProviders> {
  const person = await findPerson(tx, tenantId, userId);
  if (!person) throw notFound('User');
  const blocks = await readBlocks(tx, tenantId);
  const instances = await selectInstanceStates(tx, tenantId);
  const active = new Map(
    instances.filter((row) => row.isSwitchedOn && row.isVendorSwitchedOn).map((row) => [row.id, row]),
  );
  const isGrantedByRole = !needsGrant(person.role);
  const grants = isGrantedByRole ? instances.map(grantOfRole) : await selectGrants(tx, tenantId, userId);
  const providers = grants.flatMap(({ instanceId, models, teamName }) => {
    const instance = active.get(instanceId);
    if (!instance) return [];
    return {
      provider_instance_name: instance.name,
      provider_key: instance.providerKey,
      llm_provider_id: instanceId,
      allowed_models: models.filter(
        (model) =>
          instance.enabledModels.includes(model) && !findBlock(blocks, instance.providerKey, model, model),
      ),
      access_source: teamName === null ? ('direct' as const) : ('team' as const),
      team_name: teamName,
    };
  });
  const usable = providers.filter((provider) => provider.allowed_models.length > 0);
  return { ...countDistinct(usable), is_granted_by_role: isGrantedByRole, providers: usable };
}

async function selectGrants(tx: TenantTransaction, tenantId: number, userId: number) {
  const own = await selectOwnGrants(tx, tenantId, userId);
  const ofTeams = await selectTeamGrants(tx, tenantId, userId);
  return [...own.map((grant) => ({ ...grant, teamName: null })), ...ofTeams];
}

/** Administrators may use all models of an instance without a grant. */
const grantOfRole = ({ id, enabledModels }: InstanceStateRow) => ({
  instanceId: id,
  models: enabledModels,
  teamName: null,
});

/** Counts distinct models, because a model may be granted twice. */
function countDistinct(providers: UserProviders['providers']) {
  const models = providers.flatMap(({ llm_provider_id, allowed_models }) =>
    allowed_models.map((model) => `${llm_provider_id} ${model}`),
  );
  return {
    total_providers: new Set(providers.map((provider) => provider.llm_provider_id)).size,
    total_models: new Set(models).size,
  };
}
