import { scimSchemas } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { ScimAnswer, ScimContext, ScimHandlers } from '#http/scim-route.ts';
import {
  describeProvider,
  describeResourceTypes,
  describeSchemas,
  findDescription,
  listDescriptions,
} from './discovery.ts';
import {
  createGroup,
  deleteGroup,
  getGroup,
  listGroups,
  patchGroup,
  readMembersOf,
  replaceGroup,
  versionOfGroup,
} from './groups.ts';
import type { ScimGroupRow } from './groups-store.ts';
import { readAttributes, readOperations } from './patch-operations.ts';
import { namesVersion, type Resource, readId, readPage, toList, toScimUser } from './resources.ts';
import { type AttributesQuery, createSelection } from './select-attributes.ts';
import { createUser, deleteUser, getUser, listUsers, patchUser, readGroupsOf, replaceUser } from './users.ts';
import type { ScimUserRow } from './users-store.ts';

/** Each request is one transaction in the token's tenant. */
export function createScimHandlers(): ScimHandlers {
  return { ...discoveryHandlers, ...userHandlers, ...groupHandlers };
}

const discoveryHandlers = {
  getScimServiceProviderConfig: async ({ baseUrl }) => ({ body: describeProvider(baseUrl) }),
  listScimResourceTypes: async ({ baseUrl }, { query }) => ({
    body: listDescriptions(describeResourceTypes(baseUrl), query),
  }),
  getScimResourceType: async ({ baseUrl }, { params }) => ({
    body: findDescription(describeResourceTypes(baseUrl), params.id),
  }),
  listScimSchemas: async ({ baseUrl, client }, { query }) => ({
    body: listDescriptions(describeSchemas(baseUrl, client), query),
  }),
  getScimSchema: async ({ baseUrl, client }, { params }) => ({
    body: findDescription(describeSchemas(baseUrl, client), params.id),
  }),
} satisfies Partial<ScimHandlers>;

const userHandlers = {
  listScimUsers: (ctx, { query }) => {
    const page = readPage(query);
    return ctx.inTenant(async (tx) => {
      const { rows, total } = await listUsers(tx, ctx.client, { filter: query.filter, page });
      return { body: toList(await showUsers(tx, ctx, rows, query), total, page.skip) };
    });
  },
  createScimUser: (ctx, { query, body }) =>
    ctx.inTenant(async (tx) =>
      answerUser(tx, ctx, await createUser(tx, ctx.client, readAttributes(body)), query),
    ),
  getScimUser: (ctx, { params, query }) =>
    ctx.inTenant(async (tx) => unlessKnown(ctx, await answerUser(tx, ctx, readId(params.id, 'User'), query))),
  replaceScimUser: (ctx, { params, query, body }) =>
    ctx.inTenant(async (tx) => {
      const userId = readId(params.id, 'User');
      await replaceUser(tx, ctx.client, { userId, operations: readAttributes(body), ifMatch: ctx.ifMatch });
      return answerUser(tx, ctx, userId, query);
    }),
  patchScimUser: (ctx, { params, query, body }) =>
    ctx.inTenant(async (tx) => {
      const userId = readId(params.id, 'User');
      const operations = readOperations(body.Operations);
      await patchUser(tx, ctx.client, { userId, operations, ifMatch: ctx.ifMatch });
      return answerUser(tx, ctx, userId, query);
    }),
  deleteScimUser: (ctx, { params }) =>
    ctx.inTenant(async (tx) => {
      await deleteUser(tx, ctx.client, { userId: readId(params.id, 'User'), ifMatch: ctx.ifMatch });
      return { body: null };
    }),
} satisfies Partial<ScimHandlers>;

const groupHandlers = {
  listScimGroups: (ctx, { query }) => {
    const page = readPage(query);
    const withMembers = createSelection(query).wants('members');
    return ctx.inTenant(async (tx) => {
      const { rows, total } = await listGroups(tx, ctx.client, { filter: query.filter, page, withMembers });
      return { body: toList(await showGroups(tx, ctx, rows, query), total, page.skip) };
    });
  },
  createScimGroup: (ctx, { query, body }) =>
    ctx.inTenant(async (tx) =>
      answerGroup(tx, ctx, await createGroup(tx, ctx.client, readAttributes(body)), query),
    ),
  getScimGroup: (ctx, { params, query }) =>
    ctx.inTenant(async (tx) =>
      unlessKnown(ctx, await answerGroup(tx, ctx, readId(params.id, 'Group'), query)),
    ),
  replaceScimGroup: (ctx, { params, query, body }) =>
    ctx.inTenant(async (tx) => {
      const teamId = readId(params.id, 'Group');
      await replaceGroup(tx, ctx.client, { teamId, operations: readAttributes(body), ifMatch: ctx.ifMatch });
      return answerGroup(tx, ctx, teamId, query);
    }),
  patchScimGroup: (ctx, { params, query, body }) =>
    ctx.inTenant(async (tx) => {
      const teamId = readId(params.id, 'Group');
      const operations = readOperations(body.Operations);
      await patchGroup(tx, ctx.client, { teamId, operations, ifMatch: ctx.ifMatch });
      // Only return the group if the request selects attributes. Clients add thousands of members individually, and
      // each response would list all members.
      if (query.attributes || query.excludedAttributes) return answerGroup(tx, ctx, teamId, query);
      return { status: 204, body: null, version: versionOfGroup(await getGroup(tx, ctx.client, teamId)) };
    }),
  deleteScimGroup: (ctx, { params }) =>
    ctx.inTenant(async (tx) => {
      await deleteGroup(tx, ctx.client, { teamId: readId(params.id, 'Group'), ifMatch: ctx.ifMatch });
      return { body: null };
    }),
} satisfies Partial<ScimHandlers>;

async function answerUser(
  tx: TenantTransaction,
  ctx: ScimContext,
  userId: number,
  query: AttributesQuery,
): Promise<ScimAnswer> {
  const row = await getUser(tx, ctx.client, userId);
  const [resource] = await showUsers(tx, ctx, [row], query);
  return answerResource(toScimUser(row, ctx.baseUrl, []), resource);
}

async function showUsers(
  tx: TenantTransaction,
  ctx: ScimContext,
  rows: ScimUserRow[],
  query: AttributesQuery,
) {
  const selection = createSelection(query);
  const ids = selection.wants('groups') ? rows.map(({ id }) => id) : [];
  const groups = await readGroupsOf(tx, ctx.client, ids);
  return rows.map((row) => selection.apply(toScimUser(row, ctx.baseUrl, groups.get(row.id) ?? [])));
}

async function answerGroup(
  tx: TenantTransaction,
  ctx: ScimContext,
  teamId: number,
  query: AttributesQuery,
): Promise<ScimAnswer> {
  const row = await getGroup(tx, ctx.client, teamId);
  const [resource] = await showGroups(tx, ctx, [row], query);
  return answerResource(toScimGroup(row, ctx.baseUrl, null), resource);
}

async function showGroups(
  tx: TenantTransaction,
  ctx: ScimContext,
  rows: ScimGroupRow[],
  query: AttributesQuery,
) {
  const selection = createSelection(query);
  const ids = selection.wants('members') ? rows.map(({ id }) => id) : [];
  const members = await readMembersOf(tx, ctx.client, ids);
  return rows.map((row) => selection.apply(toScimGroup(row, ctx.baseUrl, members.get(row.id) ?? null)));
}

function toScimGroup(
  row: ScimGroupRow,
  baseUrl: string,
  members: readonly { userId: number }[] | null,
): Resource {
  return {
    schemas: [scimSchemas.group],
    id: String(row.id),
    ...(row.externalId !== null && { externalId: row.externalId }),
    displayName: row.name,
    ...(members && {
      members: members.map(({ userId }) => ({
        value: String(userId),
        $ref: `${baseUrl}/Users/${userId}`,
        type: 'User',
      })),
    }),
    meta: {
      resourceType: 'Group',
      created: row.createdAt.toISOString(),
      lastModified: row.changedAt.toISOString(),
      location: `${baseUrl}/Groups/${row.id}`,
      version: versionOfGroup(row),
    },
  };
}

function answerResource({ meta }: Resource, body: object | undefined): ScimAnswer {
  return { body: body ?? null, version: meta.version, location: meta.location };
}

/** Returns 304 without a body if the client already has this version. */
function unlessKnown({ ifNoneMatch }: ScimContext, answer: ScimAnswer): ScimAnswer {
  const isKnown =
    ifNoneMatch !== null && answer.version !== undefined && namesVersion(ifNoneMatch, answer.version);
  return isKnown ? { ...answer, status: 304, body: null } : answer;
}
