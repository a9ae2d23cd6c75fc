import { createTeamBody } from '@sluice/contract';
import { not, sql } from 'drizzle-orm';
import { deleteTeam } from '#console/teams/change.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { invalid } from '#errors/scim-error.ts';
import type { ScimClient } from '#http/scim-route.ts';
import { compileFilter } from './compile-filter.ts';
import {
  addMembers,
  changeGroupRow,
  countScimGroups,
  findScimGroup,
  groupFields,
  insertGroup,
  isMemberAmong,
  lockGroup,
  memberFields,
  removeMembers,
  type ScimGroupRow,
  selectKnownUsers,
  selectMembersOf,
  selectScimGroups,
} from './groups-store.ts';
import { parseFilter, parseId } from './parse-filter.ts';
import { type PatchOperation, readText } from './patch-operations.ts';
import { fitPage, formatVersion, missing, requireVersion } from './resources.ts';
import { readExternalId } from './user-draft.ts';
import type { Page } from './users-store.ts';

/**
 * With `withMembers`, a page ends before the group that would exceed 20,000 members, but contains at least one group.
 */
export async function listGroups(
  tx: TenantTransaction,
  { tenantId }: ScimClient,
  { filter, page, withMembers }: { filter: string | undefined; page: Page; withMembers: boolean },
): Promise<{ rows: ScimGroupRow[]; total: number }> {
  const condition = filter === undefined ? undefined : compileFilter(parseFilter(filter), groupFields);
  const total = await countScimGroups(tx, tenantId, condition);
  if (page.limit === 0) return { rows: [], total };
  const rows = await selectScimGroups(tx, tenantId, condition, page);
  return { rows: withMembers ? fitPage(rows, ({ memberCount }) => memberCount) : rows, total };
}

/** @throws ScimError 404 if the group does not exist */
export async function getGroup(
  tx: TenantTransaction,
  { tenantId }: ScimClient,
  teamId: number,
): Promise<ScimGroupRow> {
  const row = await findScimGroup(tx, tenantId, teamId);
  if (!row) throw missing('Group');
  return row;
}

export async function readMembersOf(tx: TenantTransaction, { tenantId }: ScimClient, teamIds: number[]) {
  const rows = teamIds.length === 0 ? [] : await selectMembersOf(tx, tenantId, teamIds);
  return Map.groupBy(rows, ({ teamId }) => teamId);
}

export function versionOfGroup({ id, name, externalId, memberCount, memberMark }: ScimGroupRow): string {
  return formatVersion([id, name, externalId, memberCount, memberMark]);
}

export async function createGroup(
  tx: TenantTransaction,
  client: ScimClient,
  operations: readonly PatchOperation[],
): Promise<number> {
  const { tenantId } = client;
  const { name, externalId = null } = readNames(operations);
  if (name === undefined) throw invalid('invalidValue', 'displayName is required.');
  const teamId = await insertGroup(tx, { tenantId, name, externalId, provisionedBy: 'scim' });
  await changeMembers(tx, { tenantId, teamId }, operations);
  return teamId;
}

interface Change {
  readonly teamId: number;
  readonly operations: readonly PatchOperation[];
  readonly ifMatch: string | null;
}

/** An absent `members` or `externalId` attribute is cleared. */
export async function replaceGroup(
  tx: TenantTransaction,
  client: ScimClient,
  { teamId, operations, ifMatch }: Change,
): Promise<void> {
  await lockScimGroup(tx, client, teamId, ifMatch);
  const place = { tenantId: client.tenantId, teamId };
  await changeGroupRow(tx, teamId, { externalId: null, ...columnsOf(operations), provisionedBy: 'scim' });
  if (operations.some(isOfMembers)) await changeMembers(tx, place, operations);
  else await setMembers(tx, place, []);
}

export async function patchGroup(
  tx: TenantTransaction,
  client: ScimClient,
  { teamId, operations, ifMatch }: Change,
): Promise<void> {
  await lockScimGroup(tx, client, teamId, ifMatch);
  await changeGroupRow(tx, teamId, { ...columnsOf(operations), provisionedBy: 'scim' });
  await changeMembers(tx, { tenantId: client.tenantId, teamId }, operations);
}

export async function deleteGroup(
  tx: TenantTransaction,
  client: ScimClient,
  { teamId, ifMatch }: Omit<Change, 'operations'>,
): Promise<void> {
  await lockScimGroup(tx, client, teamId, ifMatch);
  await deleteTeam(tx, client, teamId);
}

/** @throws ScimError 404 if the group does not exist, 412 if its version differs */
async function lockScimGroup(
  tx: TenantTransaction,
  client: ScimClient,
  teamId: number,
  ifMatch: string | null,
): Promise<void> {
  if (!(await lockGroup(tx, client.tenantId, teamId))) throw missing('Group');
  if (ifMatch !== null) requireVersion(ifMatch, versionOfGroup(await getGroup(tx, client, teamId)));
}

const isOfMembers = ({ path }: PatchOperation) => !path.isForeign && path.attribute === 'members';

interface GroupNames {
  name?: string;
  externalId?: string | null;
}

function columnsOf(operations: readonly PatchOperation[]) {
  const names = readNames(operations);
  return {
    ...(names.name !== undefined && { name: names.name }),
    ...(names.externalId !== undefined && { externalId: names.externalId }),
  };
}

function readNames(operations: readonly PatchOperation[]): GroupNames {
  const names: GroupNames = {};
  for (const { op, path, value, isNamed } of operations) {
    const { attribute } = path;
    if (path.isForeign || attribute === 'members' || attribute === 'schemas') continue;
    if (attribute === 'displayname') names.name = readName(op === 'remove' ? null : value);
    else if (attribute === 'externalid') names.externalId = readExternalId(op === 'remove' ? null : value);
    else if (isNamed) {
      if (attribute === 'id' || attribute === 'meta')
        throw invalid('mutability', `The attribute "${attribute}" cannot be changed.`);
      throw invalid('invalidPath', `A group has no attribute "${attribute.slice(0, 100)}".`);
    }
  }
  return names;
}

function readName(value: unknown): string {
  const text = readText('displayName', value);
  if (text === null)
    throw invalid(value === null ? 'mutability' : 'invalidValue', 'displayName is required.');
  const parsed = createTeamBody.shape.name.safeParse(text);
  if (parsed.success) return parsed.data;
  throw invalid('invalidValue', `displayName: ${parsed.error.issues[0]?.message ?? 'invalid'}`);
}

interface Place {
  readonly tenantId: number;
  readonly teamId: number;
}

async function changeMembers(
  tx: TenantTransaction,
  place: Place,
  operations: readonly PatchOperation[],
): Promise<void> {
  for (const operation of operations) if (isOfMembers(operation)) await changeMembersBy(tx, place, operation);
}

async function changeMembersBy(
  tx: TenantTransaction,
  place: Place,
  { op, path, value }: PatchOperation,
): Promise<void> {
  const { tenantId, teamId } = place;
  if (path.filter) {
    if (op !== 'remove' || path.sub !== null)
      throw invalid('mutability', 'Members can only be added and removed.');
    await removeMembers(tx, tenantId, teamId, compileFilter(path.filter, memberFields));
    return;
  }
  const given = value !== undefined && value !== null;
  if (op === 'remove' && !given) await setMembers(tx, place, []);
  else if (op === 'remove') await removeMembers(tx, tenantId, teamId, isMemberAmong(readMemberIds(value)));
  else if (op === 'replace') await setMembers(tx, place, await requireUsers(tx, tenantId, value));
  else await addMembers(tx, tenantId, teamId, await requireUsers(tx, tenantId, value));
}

async function setMembers(tx: TenantTransaction, { tenantId, teamId }: Place, userIds: number[]) {
  await removeMembers(tx, tenantId, teamId, not(sql`(${isMemberAmong(userIds)})`));
  if (userIds.length > 0) await addMembers(tx, tenantId, teamId, userIds);
}

/**
 * Returns the user ids in a value.
 * @throws ScimError 400 if an id is not a user of the tenant
 */
async function requireUsers(tx: TenantTransaction, tenantId: number, value: unknown): Promise<number[]> {
  const userIds = readMemberIds(value);
  const known = userIds.length === 0 ? new Set() : await selectKnownUsers(tx, tenantId, userIds);
  const unknown = userIds.find((id) => !known.has(id));
  if (unknown === undefined) return userIds;
  throw invalid('invalidValue', `The member ${unknown} does not exist. Provision users before groups.`);
}

const membersMax = 20_000;

/** Returns the member ids in ascending order, so that all transactions lock members in the same order. */
function readMemberIds(value: unknown): number[] {
  const values: unknown[] = Array.isArray(value)
    ? value
    : value === null || value === undefined
      ? []
      : [value];
  if (values.length > membersMax)
    throw invalid('invalidValue', `An operation can have at most ${membersMax} members.`);
  const ids = new Set(values.map(readMemberId));
  return [...ids].toSorted((one, other) => one - other);
}

function readMemberId(member: unknown): number {
  const fields = typeof member === 'object' && member !== null ? member : { value: member };
  const type: unknown = 'type' in fields ? fields.type : undefined;
  if (typeof type === 'string' && type.toLowerCase() === 'group')
    throw invalid(
      'invalidValue',
      'A group can only have users as members: groups within groups are not supported.',
    );
  const text = 'value' in fields ? String(fields.value) : '';
  const id = parseId(text);
  if (id !== null) return id;
  throw invalid(
    'invalidValue',
    `The member "${text.slice(0, 100)}" does not exist. Provision users before groups.`,
  );
}
