import type { PermittedModels } from '@sluice/contract';
import { readBlocks } from '#console/blacklist/read-blocks.ts';
import { checkModel, type ModelRights, needsGrant } from '#domain/access/check-model.ts';
import { createModelDirectory } from '#domain/resolve-model.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { type ExplainAccessDeps, toExplainedInstance, withModelSet } from './explain.ts';
import { findPerson, selectInstanceStates, selectOwnGrants, selectTeamGrants } from './rights-store.ts';

/** Lists permitted models by checking every requestable name with the gateway's rules. */
export function listPermittedModels(
  deps: Pick<ExplainAccessDeps, 'keyring'>,
  { principal: { tenantId }, inTenant }: SignedInContext,
  userId: number,
): Promise<PermittedModels> {
  return inTenant(async (tx) => {
    const person = await findPerson(tx, tenantId, userId);
    if (!person) throw notFound('User');
    const instances = await selectInstanceStates(tx, tenantId);
    const directory = createModelDirectory(instances.map((row) => toExplainedInstance(deps, row)));
    const teamGrants = await selectTeamGrants(tx, tenantId, userId);
    const rights: ModelRights = {
      role: person.role,
      directory,
      blocks: await readBlocks(tx, tenantId),
      grants: (await selectOwnGrants(tx, tenantId, userId)).map(withModelSet),
      listTeamGrants: () => teamGrants.map(withModelSet),
    };
    const models = [...directory.names].toSorted().flatMap((model) => {
      const [target] = checkModel(model, rights).usable;
      if (!target) return [];
      const team = teamGrants.find(({ teamId }) => teamId === target.teamId);
      return {
        model,
        provider_key: target.instance.providerKey,
        provider_instance_name: target.instance.name,
        access_source: readSource(person.role, team),
        team_name: team?.teamName ?? null,
      };
    });
    return { user_id: userId, models };
  });
}

/** Returns what permits a user to use a target: the role or a grant. */
export function readSource(role: ModelRights['role'], team: object | undefined): 'role' | 'direct' | 'team' {
  if (!needsGrant(role)) return 'role';
  return team ? 'team' : 'direct';
}
