import { scimCount, scimSchemas } from '@sluice/contract';
import { ScimError } from '#errors/scim-error.ts';
import { toList } from './resources.ts';

const core = 'urn:ietf:params:scim:schemas:core:2.0';

/** Returns the supported features (RFC 7643, section 5). */
export function describeProvider(baseUrl: string) {
  return {
    schemas: [`${core}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: scimCount.max },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'SCIM token',
        description: 'A token that an administrator creates in the settings, sent as bearer token.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
  };
}

interface Traits {
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference';
  readonly multiValued?: true;
  readonly required?: true;
  readonly caseExact?: true;
  readonly mutability?: 'readOnly' | 'readWrite' | 'immutable';
  readonly uniqueness?: 'server';
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly object[];
}

function attribute(name: string, description: string, traits: Traits = {}) {
  const { type = 'string', multiValued = false, required = false, caseExact = false, ...others } = traits;
  const { mutability = 'readWrite', uniqueness = 'none', ...lists } = others;
  const form = { type, multiValued, required, caseExact, mutability };
  return { name, description, ...form, returned: 'default', uniqueness, ...lists };
}

const readOnly = { mutability: 'readOnly' } as const;

function userAttributes(canAssignRoles: boolean) {
  const roles = canAssignRoles ? ({ mutability: 'readWrite' } as const) : readOnly;
  return [
    attribute('userName', 'The email address, which is unique in this installation.', {
      required: true,
      uniqueness: 'server',
    }),
    attribute('displayName', 'The name. Defaults to the parts of the name, then to the email address.', {
      required: true,
    }),
    attribute('name', 'The parts of the name.', {
      type: 'complex',
      subAttributes: [attribute('givenName', 'First name.'), attribute('familyName', 'Last name.')],
    }),
    attribute('active', 'Whether the user has access. Defaults to true.', {
      type: 'boolean',
      required: true,
    }),
    attribute('emails', 'The email address, as in userName.', {
      type: 'complex',
      multiValued: true,
      ...readOnly,
      subAttributes: [
        attribute('value', 'Email address.', readOnly),
        attribute('type', 'Kind of address.', { ...readOnly, canonicalValues: ['work'] }),
        attribute('primary', 'True for the only address.', { type: 'boolean', ...readOnly }),
      ],
    }),
    attribute('roles', 'The role admin; users without a role have the role user.', {
      type: 'complex',
      multiValued: true,
      ...roles,
      subAttributes: [attribute('value', 'Name of the role.', { ...roles, canonicalValues: ['admin'] })],
    }),
    attribute('groups', 'The groups of the user, which change with the groups.', {
      type: 'complex',
      multiValued: true,
      ...readOnly,
      subAttributes: [
        attribute('value', 'Id of the group.', readOnly),
        attribute('$ref', 'URL of the group.', { type: 'reference', referenceTypes: ['Group'], ...readOnly }),
        attribute('display', 'Name of the group.', readOnly),
        attribute('type', 'Kind of membership.', { ...readOnly, canonicalValues: ['direct'] }),
      ],
    }),
  ];
}

const groupAttributes = [
  attribute('displayName', 'The name of the team, which is unique in the tenant regardless of case.', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('members', 'The users of the team.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'Id of the user.', { mutability: 'immutable' }),
      attribute('$ref', 'URL of the user.', {
        type: 'reference',
        referenceTypes: ['User'],
        mutability: 'immutable',
      }),
      attribute('type', 'Kind of member.', { mutability: 'immutable', canonicalValues: ['User'] }),
    ],
  }),
];

/** Returns the schemas. `roles` is writable only with a token that can assign roles. */
export function describeSchemas(baseUrl: string, { canAssignRoles }: { readonly canAssignRoles: boolean }) {
  const describe = (id: string, name: string, description: string, attributes: object[]) => ({
    schemas: [`${core}:Schema`],
    id,
    name,
    description,
    attributes,
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${id}` },
  });
  return [
    describe(scimSchemas.user, 'User', 'A user of the tenant', userAttributes(canAssignRoles)),
    describe(scimSchemas.group, 'Group', 'A team of the tenant', groupAttributes),
  ];
}

/** Returns the resource types (RFC 7643, section 6). */
export function describeResourceTypes(baseUrl: string) {
  const describe = (id: string, schema: string, description: string) => ({
    schemas: [`${core}:ResourceType`],
    id,
    name: id,
    description,
    endpoint: `/${id}s`,
    schema,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${id}` },
  });
  return [
    describe('User', scimSchemas.user, 'Users of the tenant'),
    describe('Group', scimSchemas.group, 'Teams of the tenant'),
  ];
}

/**
 * Lists descriptions, which do not support filters (RFC 7644, section 4).
 * @throws ScimError 403 if a filter is specified
 */
export function listDescriptions<Item>(items: Item[], { filter }: { filter?: string | undefined }) {
  if (filter !== undefined) throw new ScimError(403, 'Schemas and resource types cannot be filtered.');
  return toList(items, items.length, 0);
}

/** @throws ScimError 404 if the id is unknown */
export function findDescription<Item extends { id: string }>(items: Item[], id: string): Item {
  const found = items.find((item) => item.id.toLowerCase() === id.toLowerCase());
  if (found) return found;
  throw new ScimError(404, 'There is no schema or resource type with this id.');
}
