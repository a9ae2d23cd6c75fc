import { grantTeamAccess, grantUserAccess } from '#console/provider-access/grant.ts';
import { selectGrants } from '#console/provider-access/store.ts';
import type { FoundGrant, FoundInstance } from './inventory.ts';
import type { Instances } from './write-instances.ts';
import type { Owners } from './write-owners.ts';
import type { Writing } from './writing.ts';

export async function writeGrants(
  { author, counts, inventory, tx }: Writing,
  instances: Instances,
  owners: Owners,
): Promise<void> {
  const everything = { skip: 0, limit: 1_000_000 };
  const placeOf = (grantee: string, granteeId: number, instanceId: number) =>
    `${grantee} ${granteeId} ${instanceId}`;
  const present = new Set<string>();
  for (const grantee of ['team', 'user'] as const)
    for (const { granteeId, llmProviderId } of await selectGrants(
      tx,
      author.tenantId,
      grantee,
      {},
      everything,
    ))
      present.add(placeOf(grantee, granteeId, llmProviderId));
  for (const { grantee, models, ref } of inventory.grants) {
    const granteeId = (grantee === 'team' ? owners.teams : owners.users).get(ref);
    if (granteeId === undefined) continue;
    for (const [instance, granted] of resolveModels(models, instances)) {
      const { id: llm_provider_id } = instance;
      if (present.has(placeOf(grantee, granteeId, llm_provider_id))) {
        counts['model grants'].existing++;
        continue;
      }
      const body = { llm_provider_id, allowed_models: granted };
      if (grantee === 'team') await grantTeamAccess(tx, author, { ...body, team_id: granteeId });
      else await grantUserAccess(tx, author, { ...body, user_id: granteeId });
      present.add(placeOf(grantee, granteeId, llm_provider_id));
      counts['model grants'].created++;
    }
  }
}

/** Returns the models of each instance that the names resolve to; `null` means all models. */
function resolveModels(names: FoundGrant['models'], instances: Instances) {
  return [...instances].flatMap(([found, instance]) => {
    const wanted = names === null ? found.models : new Set(names.flatMap((name) => resolve(name, found)));
    const granted = [...wanted].filter((model) => instance.models.has(model));
    return granted.length === 0 ? [] : [[instance, granted] as const];
  });
}

function resolve(name: string, { aliases, models, providerKey }: FoundInstance): string[] {
  const aliased = aliases.get(name);
  if (aliased !== undefined) return [aliased];
  const bare = name.startsWith(`${providerKey}/`) ? name.slice(providerKey.length + 1) : name;
  return [name, bare].filter((model) => models.has(model));
}
