import type { ModelRights, TeamGrant } from '#domain/access/check-model.ts';
import { keyLimitsOf, type Principal } from '#domain/principal.ts';
import { createModelDirectory, type ModelDirectory } from '#domain/resolve-model.ts';
import type { Snapshot } from './snapshot.ts';
import type { InstanceEntry } from './tables/llm-providers.ts';

export function readModelRights(
  principal: Pick<Principal, 'role' | 'tenantId' | 'userId' | 'credential'>,
  snapshot: Snapshot,
): ModelRights<InstanceEntry> {
  const { role, tenantId, userId } = principal;
  const instances = snapshot.instances.find(tenantId);
  let teamGrants: readonly TeamGrant[] | undefined;
  return {
    role,
    directory: directories.getOrInsertComputed(instances, createModelDirectory),
    blocks: snapshot.blacklist.find(tenantId),
    grants: snapshot.grants.find(userId),
    keyModels: keyLimitsOf(principal)?.models ?? null,
    listTeamGrants: () => (teamGrants ??= listTeamGrants(userId, snapshot)),
  };
}

// A list of instances is replaced, never modified, so a directory remains valid as long as its list exists.
const directories = new WeakMap<readonly InstanceEntry[], ModelDirectory<InstanceEntry>>();

function listTeamGrants(userId: number, snapshot: Snapshot): readonly TeamGrant[] {
  return snapshot.teamMembers
    .find(userId)
    .filter(({ isActive, teamId }) => isActive && snapshot.teams.get(teamId)?.isActive)
    .flatMap(({ teamId }) => snapshot.teamGrants.find(teamId));
}
