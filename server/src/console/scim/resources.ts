import { createHash } from 'node:crypto';
import { scimCount, scimSchemas } from '@sluice/contract';
import { invalid, ScimError } from '#errors/scim-error.ts';
import { parseId } from './parse-filter.ts';
import type { Page, ScimUserRow } from './users-store.ts';

export interface Resource {
  readonly schemas: string[];
  readonly id: string;
  readonly meta: {
    readonly resourceType: string;
    readonly created: string;
    readonly lastModified: string;
    readonly location: string;
    readonly version: string;
  };
  readonly [attribute: string]: unknown;
}

/** `groups` contains the user's teams, which are not part of the version. */
export function toScimUser(
  row: ScimUserRow,
  baseUrl: string,
  groups: readonly { id: number; name: string }[],
): Resource {
  const { givenName, familyName } = row;
  return {
    schemas: [scimSchemas.user],
    id: String(row.id),
    ...(row.externalId !== null && { externalId: row.externalId }),
    userName: row.email,
    displayName: row.name,
    ...((givenName !== null || familyName !== null) && {
      name: { ...(givenName !== null && { givenName }), ...(familyName !== null && { familyName }) },
    }),
    active: row.isActive,
    emails: [{ value: row.email, type: 'work', primary: true }],
    // A user without roles has the role `user`.
    ...(row.role !== 'user' && { roles: [{ value: row.role }] }),
    groups: groups.map(({ id, name }) => ({
      value: String(id),
      $ref: `${baseUrl}/Groups/${id}`,
      display: name,
      type: 'direct',
    })),
    meta: {
      resourceType: 'User',
      created: row.createdAt.toISOString(),
      lastModified: row.changedAt.toISOString(),
      location: `${baseUrl}/Users/${row.id}`,
      version: versionOfUser(row),
    },
  };
}

export function versionOfUser(row: ScimUserRow): string {
  const { id, email, name, givenName, familyName, externalId, isActive, role } = row;
  return formatVersion([id, email, name, givenName, familyName, externalId, isActive, role]);
}

export function formatVersion(values: readonly unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify(values)).digest('base64url');
  return `W/"${hash.slice(0, 22)}"`;
}

/**
 * Checks the `If-Match` header.
 * @throws ScimError 412 if the header does not contain the version
 */
export function requireVersion(ifMatch: string | null, version: string): void {
  if (ifMatch === null || namesVersion(ifMatch, version)) return;
  throw new ScimError(412, 'The resource has changed since this version. Read it again.');
}

/**
 * Returns whether an `If-Match` or `If-None-Match` header contains a version. Weak and strong tags are treated the
 * same.
 */
export function namesVersion(header: string, version: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '');
  return header.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(version));
}

/**
 * Maximum number of group members, or of users' groups, per page. A page ends before the row that would exceed it, but
 * contains at least one row.
 */
const pageMembersMax = 20_000;

export function fitPage<Row>(rows: readonly Row[], sizeOf: (row: Row) => number): Row[] {
  let total = 0;
  const end = rows.findIndex((row, place) => {
    total += sizeOf(row);
    return place > 0 && total > pageMembersMax;
  });
  return end === -1 ? [...rows] : rows.slice(0, end);
}

interface PageQuery {
  readonly startIndex?: string | undefined;
  readonly count?: string | undefined;
}

/** @throws ScimError 400 `invalidValue` unless both parameters are integers */
export function readPage({ startIndex = '1', count = String(scimCount.default) }: PageQuery): Page {
  const numbers = [startIndex, count].map((text) => {
    if (/^[+-]?\d{1,15}$/.test(text.trim())) return Number(text);
    throw invalid('invalidValue', 'startIndex and count must be whole numbers.');
  });
  const [start = 1, size = 0] = numbers;
  return {
    skip: Math.min(Math.max(start, 1), 2_000_000_000) - 1,
    limit: Math.min(Math.max(size, 0), scimCount.max),
  };
}

/** Returns a page of a list (RFC 7644, section 3.4.2). */
export function toList<Item>(resources: Item[], total: number, skip: number) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex: skip + 1,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

/** @throws ScimError 404 if the text is not an id */
export function readId(text: string, noun: 'User' | 'Group'): number {
  const id = parseId(text);
  if (id === null) throw missing(noun);
  return id;
}

export function missing(noun: 'User' | 'Group'): ScimError {
  return new ScimError(404, `${noun} not found`);
}
