import { foldEmail, type RoleName } from '@sluice/contract';
import { revokeEveryApiKey } from '#console/api-keys/revoke.ts';
import { deleteFactors, storeFactorState } from '#console/sign-in-tickets/factors-store.ts';
import { deleteUserIdentities } from '#console/user-identities/change.ts';
import { setPassword } from '#console/users/change-password.ts';
import { addPerson } from '#console/users/create.ts';
import { lockTarget } from '#console/users/target.ts';
import { applyUpdate } from '#console/users/update.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { invalid, ScimError } from '#errors/scim-error.ts';
import type { ScimClient } from '#http/scim-route.ts';
import { makeUnmatchableHash } from '#platform/password.ts';
import { compileFilter } from './compile-filter.ts';
import { parseFilter } from './parse-filter.ts';
import type { PatchOperation } from './patch-operations.ts';
import { fitPage, missing, requireVersion, versionOfUser } from './resources.ts';
import { readUserDraft, type UserDraft } from './user-draft.ts';
import {
  changeProvisioned,
  countScimUsers,
  findRoleId,
  findScimUser,
  leaveTeams,
  lockDeprovisioned,
  type Page,
  type ScimUserRow,
  selectGroupsOf,
  selectScimUsers,
  userFields,
} from './users-store.ts';

/**
 * Returns the author of changes. A token has the permissions of an administrator of its tenant, so it cannot manage
 * super administrators.
 */
const authorOf = ({ tenantId }: ScimClient): Author => ({ userId: null, tenantId, role: 'admin' });

export async function listUsers(
  tx: TenantTransaction,
  { tenantId }: ScimClient,
  { filter, page }: { filter: string | undefined; page: Page },
): Promise<{ rows: ScimUserRow[]; total: number }> {
  const condition = filter === undefined ? undefined : compileFilter(parseFilter(filter), userFields);
  const total = await countScimUsers(tx, tenantId, condition);
  if (page.limit === 0) return { rows: [], total };
  const rows = await selectScimUsers(tx, tenantId, condition, page);
  return { rows: fitPage(rows, ({ groupCount }) => groupCount), total };
}

/** @throws ScimError 404 if the user does not exist */
export async function getUser(
  tx: TenantTransaction,
  { tenantId }: ScimClient,
  userId: number,
): Promise<ScimUserRow> {
  const row = await findScimUser(tx, tenantId, userId);
  if (!row) throw missing('User');
  return row;
}

export async function readGroupsOf(tx: TenantTransaction, { tenantId }: ScimClient, userIds: number[]) {
  const rows = userIds.length === 0 ? [] : await selectGroupsOf(tx, tenantId, userIds);
  return Map.groupBy(rows, ({ userId }) => userId);
}

/**
 * Adds a user without a password, which the user can set by email. A user previously deleted by the identity provider
 * is restored without the previous access.
 */
export async function createUser(
  tx: TenantTransaction,
  client: ScimClient,
  operations: readonly PatchOperation[],
): Promise<number> {
  const { tenantId, canAssignRoles } = client;
  const draft = readUserDraft(operations, { canAssignRoles, currentRole: null });
  const {
    email,
    isActive = true,
    role = 'user',
    externalId = null,
    givenName = null,
    familyName = null,
  } = draft;
  if (email === undefined) throw invalid('invalidValue', 'userName is required.');
  const { displayName, formattedName } = draft;
  const name = displayName ?? formattedName ?? joinName(givenName, familyName) ?? email.slice(0, 200);
  const provisioned = { externalId, givenName, familyName, provisionedBy: 'scim' } as const;
  const former = await lockDeprovisioned(tx, tenantId, email);
  const roleId = await findRoleId(tx, role);
  if (!former) {
    const passwordHash = makeUnmatchableHash();
    return addPerson(tx, { tenantId, roleId, role, email, name, passwordHash, isActive, ...provisioned });
  }
  await applyUpdate(tx, authorOf(client), {
    userId: former.id,
    body: { name, is_active: isActive, role_id: roleId },
  });
  await endFormerAccess(tx, tenantId, former.id);
  await changeProvisioned(tx, former.id, { ...provisioned, deprovisionedAt: null });
  return former.id;
}

/**
 * Removes all credentials of a restored user: the password, sessions, pending reset links, API keys, second factors
 * and identities of identity providers. The email may now belong to someone else.
 */
async function endFormerAccess(tx: TenantTransaction, tenantId: number, userId: number): Promise<void> {
  await setPassword(tx, userId, makeUnmatchableHash());
  await revokeEveryApiKey(tx, tenantId, userId);
  await deleteFactors(tx, { tenantId, userId });
  await storeFactorState(tx, { tenantId, userId }, false);
  await deleteUserIdentities(tx, tenantId, userId);
}

interface Change {
  readonly userId: number;
  readonly operations: readonly PatchOperation[];
  readonly ifMatch: string | null;
}

/** Absent parts of the name and an absent `externalId` are cleared. Other absent attributes are kept. */
export function replaceUser(tx: TenantTransaction, client: ScimClient, change: Change): Promise<void> {
  return changeUser(tx, client, change, { givenName: null, familyName: null, externalId: null });
}

export function patchUser(tx: TenantTransaction, client: ScimClient, change: Change): Promise<void> {
  return changeUser(tx, client, change, {});
}

async function changeUser(
  tx: TenantTransaction,
  client: ScimClient,
  { userId, operations, ifMatch }: Change,
  defaults: UserDraft,
): Promise<void> {
  const row = await lockScimUser(tx, client, userId, ifMatch);
  const given = readUserDraft(operations, { canAssignRoles: client.canAssignRoles, currentRole: row.role });
  const draft = { ...defaults, ...given };
  const name = given.displayName ?? given.formattedName ?? followName(row, draft);
  const email = emailChange(client, row, draft.email);
  const body = {
    ...email,
    ...(name !== undefined && name !== row.name && { name }),
    ...(draft.isActive !== undefined && draft.isActive !== row.isActive && { is_active: draft.isActive }),
    ...(await roleChange(tx, row.role, draft.role)),
  };
  const endsSessions = 'email' in email;
  if (Object.keys(body).length > 0) await applyUpdate(tx, authorOf(client), { userId, body, endsSessions });
  const { externalId, givenName, familyName } = draft;
  await changeProvisioned(tx, userId, {
    externalId,
    givenName,
    familyName,
    provisionedBy: 'scim',
    deprovisionedAt: null,
  });
}

/**
 * Returns the changed email. The owner of the new email can reset the account's password and thereby gain the
 * account's role.
 * @throws ScimError 403 if the user is an administrator and the token cannot assign roles
 */
function emailChange({ canAssignRoles }: ScimClient, row: ScimUserRow, email: string | undefined) {
  if (email === undefined || email === foldEmail(row.email)) return {};
  if (row.role === 'user' || canAssignRoles) return { email };
  throw new ScimError(
    403,
    'The userName of an administrator can only be changed with a SCIM token that may assign roles. Change the email in Sluice, or use such a token.',
  );
}

async function roleChange(tx: TenantTransaction, current: RoleName, role: RoleName | undefined) {
  return role === undefined || role === current ? {} : { role_id: await findRoleId(tx, role) };
}

function joinName(given: string | null | undefined, family: string | null | undefined): string | undefined {
  return [given, family].filter(Boolean).join(' ').slice(0, 200) || undefined;
}

/** Returns the new full name if parts of the name change and the current full name consists of these parts. */
function followName(row: ScimUserRow, { givenName, familyName }: UserDraft): string | undefined {
  if (row.name !== joinName(row.givenName, row.familyName)) return undefined;
  return joinName(
    givenName === undefined ? row.givenName : givenName,
    familyName === undefined ? row.familyName : familyName,
  );
}

/**
 * Revokes API keys and ends memberships, because a deleted user is not expected to return. Requests and audit entries
 * are kept.
 */
export async function deleteUser(
  tx: TenantTransaction,
  client: ScimClient,
  { userId, ifMatch }: Omit<Change, 'operations'>,
): Promise<void> {
  const { isActive } = await lockScimUser(tx, client, userId, ifMatch);
  if (isActive) await applyUpdate(tx, authorOf(client), { userId, body: { is_active: false } });
  await revokeEveryApiKey(tx, client.tenantId, userId);
  await leaveTeams(tx, client.tenantId, userId);
  await changeProvisioned(tx, userId, { externalId: null, deprovisionedAt: new Date() });
}

/**
 * Returns a user to be changed and locks the row.
 * @throws ScimError 404 if the user does not exist, 403 for a super administrator, 412 if the version differs
 */
async function lockScimUser(
  tx: TenantTransaction,
  client: ScimClient,
  userId: number,
  ifMatch: string | null,
): Promise<ScimUserRow> {
  await lockTarget(tx, authorOf(client), userId);
  const row = await getUser(tx, client, userId);
  requireVersion(ifMatch, versionOfUser(row));
  return row;
}
