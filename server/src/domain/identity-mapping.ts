export type MappedRole = 'user' | 'admin';

export interface MappingRule {
  readonly value: string;
  readonly role: MappedRole | null;
  readonly team_id: number | null;
}

export interface IdentityMapping {
  readonly mapping: readonly MappingRule[];
  /** Role of users who match no role rule; `null` rejects these users. */
  readonly defaultRole: MappedRole | null;
}

/** Identity mapping with the paths of its claims. A claim whose path is `null` is not read. */
export interface ClaimMapping extends IdentityMapping {
  readonly roleClaim: string | null;
  readonly teamClaim: string | null;
}

export interface MappedAccess {
  /** `null` if the user may not sign in. */
  readonly role: MappedRole | null;
  /** Team ids in the order of the rules, without duplicates. */
  readonly teamIds: readonly number[];
}

/** Maximum number of groups to read. For longer lists, directories send a link instead. */
const groupsMax = 2_000;
const groupMaxLength = 256;
const pathPartsMax = 10;

const rank: Readonly<Record<MappedRole, number>> = { user: 0, admin: 1 };

type ClaimSet = Readonly<Record<string, unknown>>;

export function mapClaims(mapping: ClaimMapping, claims: ClaimSet): MappedAccess {
  const { roleClaim, teamClaim } = mapping;
  return mapGroups(mapping, readGroups(claims, roleClaim), readGroups(claims, teamClaim));
}

export function readMappedGroups({ roleClaim, teamClaim }: ClaimMapping, claims: ClaimSet): string[] {
  return [...new Set([...readGroups(claims, roleClaim), ...readGroups(claims, teamClaim)])];
}

/**
 * Maps groups to a role and teams: the highest role and all teams of the matching rules. Values are case-sensitive
 * and must match exactly.
 */
export function mapGroups(
  { mapping, defaultRole }: IdentityMapping,
  roleGroups: readonly string[],
  teamGroups: readonly string[] = roleGroups,
): MappedAccess {
  const [inRoles, inTeams] = [new Set(roleGroups), new Set(teamGroups)];
  const roles = mapping.flatMap(({ value, role }) => (inRoles.has(value) ? (role ?? []) : []));
  const role = roles.reduce<MappedRole | null>(
    (highest, one) => (highest === null || rank[one] > rank[highest] ? one : highest),
    null,
  );
  const teamIds = new Set(
    mapping.flatMap(({ value, team_id: id }) => (inTeams.has(value) ? (id ?? []) : [])),
  );
  return { role: role ?? defaultRole, teamIds: [...teamIds] };
}

/**
 * Reads the strings at a path such as `groups` or `realm_access.roles`, also from arrays and arrays of objects. A
 * claim whose name equals the whole path, such as a URL, takes precedence. Other values are ignored.
 */
export function readGroups(claims: ClaimSet, path: string | null): string[] {
  if (path === null) return [];
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
