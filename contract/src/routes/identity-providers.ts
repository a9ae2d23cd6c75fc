import { z } from 'zod';
import { whenAbsent } from '../describe-field-problem.ts';
import { isPlainLine, notPlainLine } from '../fields.ts';
import { id, idParams, instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';
import { redeemSignInBody, startedSignIn } from './sign-ins.ts';

/** Roles that a mapping may give; never that of a super administrator. */
export const mappedRoles = ['user', 'admin'] as const;

export const signInPrompts = ['login', 'select_account', 'consent'] as const;

const rulesMax = 100;

/** Role and team of users whose group claim contains the value. */
const mappingRule = z.strictObject({
  value: z.string().trim().min(1, 'A group is required').max(256, 'A group must be at most 256 characters'),
  role: z.enum(mappedRoles).nullable().default(null),
  team_id: id.nullable().default(null),
});

export type MappingRule = z.output<typeof mappingRule>;

const claimPath = z
  .string()
  .trim()
  .min(1, 'Group claim is required')
  .max(200, 'Group claim must be at most 200 characters');

export const identityProvider = z.object({
  id: z.number().int(),
  name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  has_client_secret: z.boolean(),
  scopes: z.string(),
  prompt: z.enum(signInPrompts).nullable(),
  /** Whether an email without the claim `email_verified` counts as verified. */
  trusts_emails: z.boolean(),
  is_enabled: z.boolean(),
  /** Whether users of all tenants sign in with it, by the confirmed domain of their email. */
  is_shared: z.boolean(),
  /** Path to the claim with the groups, such as `groups` or `realm_access.roles`. */
  group_claim: z.string(),
  mapping: z.array(mappingRule),
  /** Role of users whom no rule gives one; `null` rejects them. */
  default_role: z.enum(mappedRoles).nullable(),
  created_at: instant,
  /** To be registered at the provider. */
  redirect_uri: z.string(),
  backchannel_logout_uri: z.string(),
});

export type IdentityProvider = z.infer<typeof identityProvider>;

const name = z
  .string(whenAbsent('Name is required'))
  .trim()
  .min(1, 'Name is required')
  .max(100, 'Name must be at most 100 characters')
  .refine(isPlainLine, notPlainLine('Name'));

const given = {
  name,
  issuer: z
    .string(whenAbsent('Issuer is required'))
    .trim()
    .min(1, 'Issuer is required')
    .max(500, 'Issuer must be at most 500 characters'),
  client_id: z
    .string(whenAbsent('Client ID is required'))
    .trim()
    .min(1, 'Client ID is required')
    .max(500, 'Client ID must be at most 500 characters'),
  /** A private key as a JSON Web Key is used for `private_key_jwt`. `null` for a public client. */
  client_secret: z
    .string()
    .trim()
    .min(1)
    .max(8_000, 'Client secret must be at most 8,000 characters')
    .nullable(),
  scopes: z
    .string()
    .trim()
    .max(500, 'Scopes must be at most 500 characters')
    .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'Scopes are words separated by spaces')
    .refine((scopes) => scopes.split(' ').includes('openid'), 'Scopes must include openid'),
  prompt: z.enum(signInPrompts).nullable(),
  trusts_emails: z.boolean(),
  is_enabled: z.boolean(),
  is_shared: z.boolean(),
  group_claim: claimPath,
  mapping: z.array(mappingRule).max(rulesMax, `A mapping has at most ${rulesMax} rules`),
  default_role: z.enum(mappedRoles).nullable(),
};

/** Ends the redirect URI of a provider. Chosen with a new one, so that it can be registered there first. */
const callbackKey = z
  .string()
  .max(40)
  .regex(/^[a-z0-9]{8,40}$/, 'A callback key has 8 to 40 letters and digits');

/** The name defaults to the host of the issuer, the callback key to a random one. */
export const createIdentityProviderBody = z
  .strictObject(given)
  .partial()
  .extend({ issuer: given.issuer, client_id: given.client_id, callback_key: callbackKey.optional() });

/** Changed fields only. */
export const updateIdentityProviderBody = z.strictObject(given).partial();

/** Result of a test sign-in, which opens no session and changes no account. */
export const identityProviderTest = z.object({
  claims: z.record(z.string(), z.unknown()),
  email: z.string().nullable(),
  is_email_verified: z.boolean(),
  groups: z.array(z.string()),
  role: z.enum(mappedRoles).nullable(),
  team_ids: z.array(z.number().int()),
  /** Outcome of a sign-in with these claims. */
  outcome: z.string(),
  is_accepted: z.boolean(),
});

export type IdentityProviderTest = z.infer<typeof identityProviderTest>;

const read = { surface: 'management', permission: 'settings.read' } as const;
const write = { surface: 'management', permission: 'settings.write', refusesTokens: true } as const;

export const identityProvidersRoutes = defineRoutes({
  listIdentityProviders: {
    ...read,
    method: 'GET',
    path: '/admin/identity-providers',
    summary: "List the tenant's identity providers",
    response: z.array(identityProvider),
  },
  createIdentityProvider: {
    ...write,
    idempotent: true,
    method: 'POST',
    path: '/admin/identity-providers',
    summary: 'Add an identity provider; its discovery document must be reachable',
    request: { body: createIdentityProviderBody },
    response: identityProvider,
    status: 201,
  },
  updateIdentityProvider: {
    ...write,
    method: 'PUT',
    path: '/admin/identity-providers/{id}',
    summary: 'Change an identity provider',
    request: { params: idParams, body: updateIdentityProviderBody },
    response: identityProvider,
  },
  deleteIdentityProvider: {
    ...write,
    method: 'DELETE',
    path: '/admin/identity-providers/{id}',
    summary:
      'Delete an identity provider with its links to users and end the sessions that began there; accounts remain',
    request: { params: idParams },
    response: z.void(),
    status: 204,
  },
  testIdentityProvider: {
    ...write,
    method: 'POST',
    path: '/admin/identity-providers/{id}/test',
    summary: 'Start a test sign-in, which opens no session',
    request: { params: idParams },
    response: startedSignIn,
  },
  finishIdentityProviderTest: {
    ...write,
    method: 'POST',
    path: '/admin/identity-providers/test-result',
    summary: 'Get the claims of a test sign-in and what they map to',
    request: { body: redeemSignInBody },
    response: identityProviderTest,
  },
});
