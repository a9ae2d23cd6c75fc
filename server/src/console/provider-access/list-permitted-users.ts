import type { PermittedUsers } from '@sluice/contract';
import { readBlocks } from '#console/blacklist/read-blocks.ts';
import { checkModel, type ModelRights } from '#domain/access/check-model.ts';
import { createModelDirectory } from '#domain/resolve-model.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { type ExplainAccessDeps, toExplainedInstance, withModelSet } from './explain.ts';
import { readSource } from './list-permitted-models.ts';
import {
  selectAllOwnGrants,
  selectAllTeamGrants,
  selectInstanceStates,
  selectPeople,
} from './rights-store.ts';

const listedMax = 500;

/** Lists permitted users by checking every active user with the gateway's rules. */
export function listPermittedUsers(
  deps: ExplainAccessDeps,
  { principal: { tenantId }, inTenant }: SignedInContext,
  model: string,
): Promise<PermittedUsers> {
  return inTenant(async (tx) => {
    const instances = await selectInstanceStates(tx, tenantId);
    const directory = createModelDirectory(instances.map((row) => toExplainedInstance(deps, row)));
    const blocks = await readBlocks(tx, tenantId);
    const grants = Map.groupBy(await selectAllOwnGrants(tx, tenantId), ({ userId }) => userId);
    const teamGrants = Map.groupBy(await selectAllTeamGrants(tx, tenantId), ({ userId }) => userId);
    const check = (userId: number, role: ModelRights['role']) =>
      checkModel(model, {
        role,
        directory,
        blocks,
        grants: (grants.get(userId) ?? []).map(withModelSet),
        listTeamGrants: () => (teamGrants.get(userId) ?? []).map(withModelSet),
      });
    const users = (await selectPeople(tx, tenantId)).flatMap(({ id, name, email, role }) => {
      const [target] = check(id, role).usable;
      if (!target) return [];
      const team = teamGrants.get(id)?.find(({ teamId }) => teamId === target.teamId);
      return {
        user_id: id,
        user_name: name,
        user_email: email,
        access_source: readSource(role, team),
        team_name: team?.teamName ?? null,
        provider_instance_name: target.instance.name,
      };
    });
    const refusal = users.length > 0 ? null : (check(0, 'admin').refusal?.message ?? null);
    return { model, total: users.length, refusal, users: users.slice(0, listedMax) };
  });
}
