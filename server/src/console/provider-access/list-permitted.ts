import type { PermittedModels, PermittedUsers } from '@sluice/contract';
import { readBlocks } from '#console/blacklist/entries.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { checkModel, type ModelRights, needsGrant } from '#domain/access/check-model.ts';
import type { Author } from '#domain/principal.ts';
import { createModelDirectory } from '#domain/resolve-model.ts';
import { notFound } from '#errors/console-error.ts';
import { type ExplainAccessDeps, toExplainedInstance, withModelSet } from './explain.ts';
import {
  findPerson,
  selectAllOwnGrants,
  selectAllTeamGrants,
  selectInstanceStates,
  selectOwnGrants,
  selectPeople,
  selectTeamGrants,
} from './rights-store.ts';

/** Checks every requestable name using the gateway's rules. */
export async function listPermittedModels(
  deps: Pick<ExplainAccessDeps, 'keyring'>,
  tx: TenantTransaction,
  { tenantId }: Author,
  userId: number,
): Promise<PermittedModels> {
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
}

function readSource(role: ModelRights['role'], team: object | undefined): 'role' | 'direct' | 'team' {
  if (!needsGrant(role)) return 'role';
  return team ? 'team' : 'direct';
}

const listedMax = 500;

/** Checks every active user using the gateway's rules. */
export async function listPermittedUsers(
  deps: ExplainAccessDeps,
  tx: TenantTransaction,
  { tenantId }: Author,
  model: string,
): Promise<PermittedUsers> {
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
}
