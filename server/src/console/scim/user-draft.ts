import { createUserBody, hasHiddenCharacters, type RoleName } from '@sluice/contract';
import type { z } from 'zod';
import { invalid, ScimError } from '#errors/scim-error.ts';
import { type PatchOperation, readBoolean, readText } from './patch-operations.ts';

/** Attributes that are not in the request are absent. */
export interface UserDraft {
  email?: string;
  displayName?: string;
  /** Value of `name.formatted`, used if there is no display name. */
  formattedName?: string;
  givenName?: string | null;
  familyName?: string | null;
  externalId?: string | null;
  isActive?: boolean;
  role?: RoleName;
}

interface DraftContext {
  readonly canAssignRoles: boolean;
  /** `null` for a new user. */
  readonly currentRole: RoleName | null;
}

/** Attributes of RFC 7643 that Sluice does not store or derives from others. They are accepted without effect. */
const ignored = new Set([
  ...[
    'schemas',
    'emails',
    'nickname',
    'profileurl',
    'title',
    'preferredlanguage',
    'locale',
    'timezone',
    'password',
  ],
  ...['phonenumbers', 'ims', 'photos', 'addresses', 'entitlements', 'x509certificates'],
]);
const readOnly = new Set(['id', 'meta', 'groups']);

/** @throws ScimError 400 for invalid values, 403 for a role that SCIM cannot assign */
export function readUserDraft(operations: readonly PatchOperation[], context: DraftContext): UserDraft {
  const draft: UserDraft = {};
  for (const operation of operations) apply(draft, operation, context);
  return draft;
}

function apply(draft: UserDraft, operation: PatchOperation, context: DraftContext): void {
  const { op, path, isNamed } = operation;
  const { attribute, sub } = path;
  const value = op === 'remove' ? null : operation.value;
  if (path.isForeign) return;
  switch (attribute) {
    case 'username':
      draft.email = readEmail(value);
      return;
    case 'displayname':
      applyDisplayName(draft, op, value);
      return;
    case 'name':
      applyName(draft, sub, value);
      return;
    case 'externalid':
      draft.externalId = readExternalId(value);
      return;
    case 'active':
      if (op === 'remove') throw mutability('active');
      draft.isActive = readBoolean('active', value);
      return;
    case 'roles':
    case 'usertype':
      if (context.canAssignRoles) applyRole(draft, operation, context);
      return;
  }
  if (!isNamed || ignored.has(attribute)) return;
  if (readOnly.has(attribute)) throw mutability(attribute);
  throw invalid('invalidPath', `A user has no attribute "${attribute.slice(0, 100)}".`);
}

const mutability = (name: string) =>
  invalid('mutability', `The attribute "${name}" cannot be removed or changed.`);

function readEmail(value: unknown): string {
  const text = readText('userName', value);
  if (text === null)
    throw value === null ? mutability('userName') : invalid('invalidValue', 'userName is required.');
  const parsed = createUserBody.shape.email.safeParse(text);
  if (parsed.success) return parsed.data;
  throw invalid(
    'invalidValue',
    "userName must be an email address. Map the identity provider's email address to it.",
  );
}

function applyDisplayName(draft: UserDraft, op: PatchOperation['op'], value: unknown): void {
  if (op === 'remove') throw mutability('displayName');
  const text = readText('displayName', value);
  if (text !== null) draft.displayName = fit('displayName', createUserBody.shape.name, text);
}

function applyName(draft: UserDraft, sub: string | null, value: unknown): void {
  if (sub === null && typeof value !== 'object') throw invalid('invalidValue', 'name must be an object.');
  const parts =
    sub !== null
      ? { [sub]: value }
      : value === null
        ? { givenname: null, familyname: null }
        : Object.fromEntries(Object.entries(value ?? {}).map(([key, part]) => [key.toLowerCase(), part]));
  if ('givenname' in parts) draft.givenName = readNamePart('name.givenName', parts.givenname);
  if ('familyname' in parts) draft.familyName = readNamePart('name.familyName', parts.familyname);
  const formatted = readNamePart('name.formatted', parts.formatted);
  if (formatted !== null) draft.formattedName = formatted;
}

function readNamePart(name: string, value: unknown): string | null {
  const text = readText(name, value);
  return text === null ? null : fit(name, createUserBody.shape.name, text);
}

function fit(name: string, schema: z.ZodType<string>, text: string): string {
  const parsed = schema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw invalid('invalidValue', `${name}: ${parsed.error.issues[0]?.message ?? 'invalid'}`);
}

const externalIdMax = 255;

/**
 * Returns the identity provider's id of a user or group; `null` if the id is empty.
 * @throws ScimError 400 `invalidValue` for hidden characters or a long id
 */
export function readExternalId(value: unknown): string | null {
  const text = readText('externalId', value);
  if (text === null) return null;
  if (text.length <= externalIdMax && !hasHiddenCharacters(text)) return text;
  throw invalid('invalidValue', `externalId must be one line of at most ${externalIdMax} characters.`);
}

/** Applies the highest known role. Values that are not roles, such as `Member`, have no effect. */
function applyRole(
  draft: UserDraft,
  { op, path, value }: PatchOperation,
  { currentRole }: DraftContext,
): void {
  const role = draft.role ?? currentRole;
  if (op === 'remove') {
    const { filter } = path;
    const isOther = filter?.kind === 'compare' && filter.name.attribute === 'value' && filter.value !== role;
    if (!isOther) draft.role = 'user';
    return;
  }
  const named = listRoleNames(value, 0);
  if (named.includes('super_admin'))
    throw new ScimError(403, 'The role super_admin cannot be assigned by SCIM.');
  const isAdmin = named.includes('admin') || (op === 'add' && role === 'admin');
  if (isAdmin) draft.role = 'admin';
  else if (named.includes('user')) draft.role = 'user';
}

const rolesMax = 20;

/**
 * Returns the role names in a value: a string, an object with a `value`, such an object encoded as JSON (Entra ID), or
 * a list of these.
 */
function listRoleNames(value: unknown, depth: number): string[] {
  if (depth > 5) return [];
  if (Array.isArray(value)) return value.slice(0, rolesMax).flatMap((part) => listRoleNames(part, depth + 1));
  if (typeof value === 'object' && value !== null)
    return 'value' in value ? listRoleNames(value.value, depth + 1) : [];
  if (typeof value !== 'string') return [];
  const text = value.trim();
  if (!text.startsWith('{')) return [text.toLowerCase()];
  try {
    return listRoleNames(JSON.parse(text), depth + 1);
  } catch {
    return [];
  }
}
