import type { MappingRule } from '@sluice/contract';

export type MappedRole = NonNullable<MappingRule['role']>;

/** Rules that turn the groups of a directory into a role and teams. */
export interface IdentityMapping {
  readonly mapping: readonly MappingRule[];
  /** Role of users whom no rule gives one; `null` rejects them. */
  readonly defaultRole: MappedRole | null;
}

export interface MappedAccess {
  /** `null` if the user may not sign in. */
  readonly role: MappedRole | null;
  /** In the order of the rules, without repeats. */
  readonly teamIds: readonly number[];
}

/** Maximum number of groups that are read; directories send a link instead of longer lists. */
const groupsMax = 2_000;
const groupMaxLength = 256;
const pathPartsMax = 10;

const rank: Readonly<Record<MappedRole, number>> = { user: 0, admin: 1 };

/**
 * Maps groups to a role and teams: the highest role of all matching rules, and every team. Values match exactly, letter
 * case included. Sign-ins pass the claim of the ID token, directory sync the names of the user's groups.
 */
export function mapGroups(
  { mapping, defaultRole }: IdentityMapping,
  groups: readonly string[],
): MappedAccess {
  const held = new Set(groups);
  const matching = mapping.filter(({ value }) => held.has(value));
  const roles = matching.flatMap(({ role }) => role ?? []);
  const role = roles.reduce<MappedRole | null>(
    (highest, one) => (highest === null || rank[one] > rank[highest] ? one : highest),
    null,
  );
  const teamIds = new Set(matching.flatMap(({ team_id: teamId }) => teamId ?? []));
  return { role: role ?? defaultRole, teamIds: [...teamIds] };
}

/**
 * Reads the groups at a path of claims, such as `groups` or `realm_access.roles`: a string, or the strings of an array,
 * also of objects in an array. A claim with the whole path as its name, such as a URL, comes first. Anything else, such
 * as a number or an inherited property, is no group.
 */
export function readGroups(claims: Readonly<Record<string, unknown>>, path: string): string[] {
  if (Object.hasOwn(claims, path)) return listTexts(claims[path]);
  const parts = path.split('.');
  if (parts.length > pathPartsMax) return [];
  let values: readonly unknown[] = [claims];
  for (const part of parts) {
    values = values
      .flatMap((value) => (Array.isArray(value) ? value.slice(0, groupsMax) : [value]))
      .flatMap((value) => (isObject(value) && Object.hasOwn(value, part) ? [value[part]] : []));
  }
  return [...new Set(values.flatMap(listTexts))].slice(0, groupsMax);
}

function listTexts(value: unknown): string[] {
  const values = Array.isArray(value) ? value.slice(0, groupsMax) : [value];
  return values.filter((one): one is string => typeof one === 'string' && isGroup(one));
}

const isGroup = (text: string) => text !== '' && text.length <= groupMaxLength;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
