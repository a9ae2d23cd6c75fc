import { z } from 'zod';
import { instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';

/** Error format of RFC 7644, 3.12. */
export const scimError = z.object({
  schemas: z.array(z.string()),
  status: z.string(),
  scimType: z.string().optional(),
  detail: z.string(),
});

export const scimSchemas = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
} as const;

/** In characters. */
export const scimFilterMax = 4_000;

/** Page size of a list. */
export const scimCount = { max: 200, default: 100 } as const;

const names = z.string().max(2_000).optional();
/** A request can use only one of the two parameters. */
const attributes = { attributes: names, excludedAttributes: names };

const params = z.object({ id: z.string().max(200) });
const one = { params, query: z.object(attributes) };
const list = {
  query: z.object({
    ...attributes,
    filter: z.string().optional(),
    /** 1-based. Lower values count as 1. */
    startIndex: z.string().max(20).optional(),
    /** At most 200. */
    count: z.string().max(20).optional(),
  }),
};

const meta = z.looseObject({
  resourceType: z.string(),
  location: z.string(),
  version: z.string().optional(),
});
const schemas = z.array(z.string());

/** Attributes are omitted if they have no value or are not requested. */
export const scimUser = z.looseObject({
  schemas,
  id: z.string(),
  userName: z.string().optional(),
  displayName: z.string().optional(),
  active: z.boolean().optional(),
  externalId: z.string().optional(),
  meta: meta.extend({ created: instant.optional(), lastModified: instant.optional() }).optional(),
});

/** Attributes are omitted if they have no value or are not requested. */
export const scimGroup = z.looseObject({
  schemas,
  id: z.string(),
  displayName: z.string().optional(),
  externalId: z.string().optional(),
  members: z.array(z.looseObject({ value: z.string() })).optional(),
  meta: meta.optional(),
});

const listOf = (resource: z.ZodType) =>
  z.object({
    schemas,
    totalResults: z.number().int(),
    startIndex: z.number().int(),
    itemsPerPage: z.number().int(),
    Resources: z.array(resource),
  });

/** Attribute names are case-insensitive. Unknown attributes and extensions are ignored. */
const resourceBody = z.looseObject({ schemas: schemas.optional() });

/** Infinite numbers are rejected, since JSON cannot represent them. */
const patchValue = z
  .unknown()
  .refine((value) => typeof value !== 'number' || Number.isFinite(value))
  .optional();

/** `op` is case-insensitive, and `Operations` has at most 100 entries. */
const patchBody = z.looseObject({
  Operations: z.array(z.looseObject({ op: z.string(), path: z.string().optional(), value: patchValue })),
});

const base = '' as const;
const described = z.looseObject({ schemas });
const readUsers = { base, surface: 'scim', permission: 'users.read' } as const;
const writeUsers = { base, surface: 'scim', permission: 'users.write', response: scimUser } as const;
const writeGroups = { base, surface: 'scim', permission: 'teams.write', response: scimGroup } as const;
/** Large enough for groups with many members and for lists of groups. */
const bodyLimitBytes = 4 * 1024 * 1024;

export const scimRoutes = defineRoutes({
  getScimServiceProviderConfig: {
    ...readUsers,
    method: 'GET',
    path: '/scim/v2/ServiceProviderConfig',
    summary: 'Get the supported SCIM features',
    response: described,
  },
  listScimResourceTypes: {
    ...readUsers,
    method: 'GET',
    path: '/scim/v2/ResourceTypes',
    summary: 'List the SCIM resource types: User and Group',
    request: { query: z.object({ filter: z.string().optional() }) },
    response: listOf(described),
  },
  getScimResourceType: {
    ...readUsers,
    method: 'GET',
    path: '/scim/v2/ResourceTypes/{id}',
    summary: 'Get a SCIM resource type',
    request: { params },
    response: described,
  },
  listScimSchemas: {
    ...readUsers,
    method: 'GET',
    path: '/scim/v2/Schemas',
    summary: 'List the schemas of SCIM resources',
    request: { query: z.object({ filter: z.string().optional() }) },
    response: listOf(z.looseObject({ id: z.string() })),
  },
  getScimSchema: {
    ...readUsers,
    method: 'GET',
    path: '/scim/v2/Schemas/{id}',
    summary: 'Get the schema of a SCIM resource by its URN',
    request: { params },
    response: z.looseObject({ id: z.string() }),
  },
  listScimUsers: {
    ...readUsers,
    method: 'GET',
    path: '/scim/v2/Users',
    summary: "List the tenant's users that match a filter, by id",
    request: list,
    response: listOf(scimUser),
  },
  createScimUser: {
    ...writeUsers,
    method: 'POST',
    path: '/scim/v2/Users',
    summary: 'Provision a user without a password',
    request: { query: one.query, body: resourceBody },
    status: 201,
  },
  getScimUser: {
    ...readUsers,
    method: 'GET',
    path: '/scim/v2/Users/{id}',
    summary: 'Get a user',
    request: one,
    response: scimUser,
  },
  replaceScimUser: {
    ...writeUsers,
    method: 'PUT',
    path: '/scim/v2/Users/{id}',
    summary: 'Replace the attributes of a user',
    request: { ...one, body: resourceBody },
  },
  patchScimUser: {
    ...writeUsers,
    method: 'PATCH',
    path: '/scim/v2/Users/{id}',
    summary: 'Change some attributes of a user',
    request: { ...one, body: patchBody },
  },
  deleteScimUser: {
    ...writeUsers,
    method: 'DELETE',
    path: '/scim/v2/Users/{id}',
    summary: "Deactivate a user, revoke the user's API keys and remove the user from all teams",
    request: { params },
    response: z.void(),
    status: 204,
  },
  listScimGroups: {
    ...readUsers,
    method: 'GET',
    path: '/scim/v2/Groups',
    summary: "List the tenant's teams that match a filter as groups, by id",
    request: list,
    response: listOf(scimGroup),
  },
  createScimGroup: {
    ...writeGroups,
    method: 'POST',
    path: '/scim/v2/Groups',
    summary: 'Create a team for a group',
    request: { query: one.query, body: resourceBody },
    bodyLimitBytes,
    status: 201,
  },
  getScimGroup: {
    ...readUsers,
    method: 'GET',
    path: '/scim/v2/Groups/{id}',
    summary: 'Get a group with its members',
    request: one,
    response: scimGroup,
  },
  replaceScimGroup: {
    ...writeGroups,
    method: 'PUT',
    path: '/scim/v2/Groups/{id}',
    summary: 'Replace the name and the members of a group',
    request: { ...one, body: resourceBody },
    bodyLimitBytes,
  },
  patchScimGroup: {
    ...writeGroups,
    method: 'PATCH',
    path: '/scim/v2/Groups/{id}',
    summary:
      'Change the name or some members of a group; the response is empty (204) unless attributes are requested',
    request: { ...one, body: patchBody },
    bodyLimitBytes,
  },
  deleteScimGroup: {
    ...writeGroups,
    method: 'DELETE',
    path: '/scim/v2/Groups/{id}',
    summary: 'Delete a team with its memberships and grants; the users are kept',
    request: { params },
    response: z.void(),
    status: 204,
  },
});
