import type { UserProviders } from '@sluice/contract';
import { readBlocks } from '#console/blacklist/read-blocks.ts';
import { findBlock } from '#domain/access/block.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { findPerson, selectInstanceStates, selectOwnGrants, selectTeamGrants } from './rights-store.ts';

/** What a person may use by their grants: no models that are not enabled or blacklisted, no instance that rests. */
export function listUserProviders(
  { principal: { tenantId }, inTenant }: SignedInContext,
  userId: number,
): Promise<UserProviders> {
  return inTenant(async (tx) => {
    if (!(await findPerson(tx, tenantId, userId))) throw notFound('User');
    const blocks = await readBlocks(tx, tenantId);
    const instances = await selectInstanceStates(tx, tenantId);
    const active = new Map(
      instances.filter((row) => row.isSwitchedOn && row.isVendorSwitchedOn).map((row) => [row.id, row]),
    );
    const own = await selectOwnGrants(tx, tenantId, userId);
    const grants = [
      ...own.map((grant) => ({ ...grant, teamName: null })),
      ...(await selectTeamGrants(tx, tenantId, userId)),
    ];
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
    return { ...countDistinct(usable), providers: usable };
  });
}

/** What is granted twice counts once. */
function countDistinct(providers: UserProviders['providers']) {
  const models = providers.flatMap(({ llm_provider_id, allowed_models }) =>
    allowed_models.map((model) => `${llm_provider_id} ${model}`),
  );
  return {
    total_providers: new Set(providers.map((provider) => provider.llm_provider_id)).size,
    total_models: new Set(models).size,
  };
}
