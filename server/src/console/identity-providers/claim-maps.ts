import type { IdentityProvider } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { MappedRole, MappingRule } from '#domain/identity-mapping.ts';
import { invalidField } from '#errors/console-error.ts';
import { findTeamId, selectTeamNames } from './store.ts';

interface GivenMaps {
  readonly role_map?: Readonly<Record<string, MappedRole>> | undefined;
  readonly team_map?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns the rules of both maps. A map that is not specified keeps its rules. Teams are stored by id, so that
 * renaming a team has no effect.
 * @throws ConsoleError 422 on `team_map` if the tenant does not have a team
 */
export async function fromMaps(
  tx: TenantTransaction,
  tenantId: number,
  { role_map: roles, team_map: teams }: GivenMaps,
  known: readonly MappingRule[],
): Promise<MappingRule[]> {
  const roleRules = roles
    ? Object.entries(roles).map(([value, role]) => ({ value, role, team_id: null }))
    : known.filter(({ role }) => role !== null).map((rule) => ({ ...rule, team_id: null }));
  if (!teams) {
    const kept = known.filter(({ team_id: id }) => id !== null);
    return [...roleRules, ...kept.map((rule) => ({ ...rule, role: null }))];
  }
  const teamRules: MappingRule[] = [];
  for (const [value, name] of Object.entries(teams)) {
    const id = await findTeamId(tx, tenantId, name);
    if (id === undefined) throw invalidField('team_map', `There is no team named ${name}`);
    teamRules.push({ value, role: null, team_id: id });
  }
  return [...roleRules, ...teamRules];
}

/** Returns the maps of a provider. Deleted teams are omitted. */
export async function toMaps(
  tx: TenantTransaction,
  { tenantId, mapping }: { readonly tenantId: number; readonly mapping: readonly MappingRule[] },
): Promise<Pick<IdentityProvider, 'role_map' | 'team_map'>> {
  const ids = mapping.flatMap(({ team_id: id }) => id ?? []);
  const names = await selectTeamNames(tx, tenantId, ids);
  const nameOf = (id: number | null) => (id === null ? undefined : names.get(id));
  return {
    role_map: Object.fromEntries(mapping.flatMap(({ value, role }) => (role ? [[value, role]] : []))),
    team_map: Object.fromEntries(
      mapping.flatMap(({ value, team_id: id }) => {
        const name = nameOf(id);
        return name === undefined ? [] : [[value, name]];
      }),
    ),
  };
}
