import { z } from 'zod';
import { whenAbsent } from '../describe-field-problem.ts';
import { isPlainLine, notPlainLine } from '../fields.ts';
import { idParams, instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';
import { parseDomain } from './domains.ts';
import { redeemTestBody, startedSignIn } from './sign-ins.ts';

/** Super administrator is not allowed. */
export const mappedRoles = ['user', 'admin'] as const;

export const signInPrompts = ['login', 'select_account', 'consent'] as const;

const entriesMax = 100;

const claimValue = z
  .string()
  .trim()
  .min(1, 'A value is required')
  .max(256, 'A value must be at most 256 characters');

const mapTo = <Given extends z.ZodType>(given: Given) =>
  z
    .record(claimValue, given)
    .refine((map) => Object.keys(map).length <= entriesMax, `A map can have at most ${entriesMax} values`)
    .meta({ maxProperties: entriesMax });

/** Dotted path, such as `groups` or `realm_access.roles`. `null` if no claim is read. */
const claimPath = (field: string) =>
  z
    .string()
    .trim()
    .min(1, `Enter a ${field}`)
    .max(200, `The ${field} must be at most 200 characters`)
    .nullable();

const domainsMax = 50;
const notDomain = 'Please enter a domain such as example.com';

const emailDomain = z
  .string()
  .trim()
  .max(253, notDomain)
  .overwrite((text) => parseDomain(text) ?? text)
  .refine((text) => parseDomain(text) !== null, notDomain);

export const identityProvider = z.object({
  id: z.number().int(),
  kind: z.literal('oidc'),
  name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  has_client_secret: z.boolean(),
  scopes: z.string(),
  prompt: z.enum(signInPrompts).nullable(),
  /** Whether an email address without the claim `email_verified` counts as verified. */
  trusts_emails: z.boolean(),
  is_enabled: z.boolean(),
  /** Whether users of all tenants can sign in, based on the confirmed domain of their email address. */
  is_shared: z.boolean(),
  /** Domains of the tenant whose users can sign in. An empty list means all domains of the tenant. */
  email_domains: z.array(z.string()),
  role_claim: z.string().nullable(),
  /** The highest matching role applies. */
  role_map: z.record(z.string(), z.enum(mappedRoles)),
  team_claim: z.string().nullable(),
  /** Values are team names. */
  team_map: z.record(z.string(), z.string()),
  /** Applies to users whose claims match no mapping. `null` rejects these users. */
  default_role: z.enum(mappedRoles).nullable(),
  /** Whether users without an account or an invitation get an account, if the tenant's policy allows it as well. */
  creates_users: z.boolean(),
  created_at: instant,
  redirect_uri: z.string(),
  backchannel_logout_uri: z.string(),
  /** URL of the public key if the client secret is a private key. */
  jwks_uri: z.string(),
});

export type IdentityProvider = z.infer<typeof identityProvider>;

const name = z
  .string(whenAbsent('Name is required'))
  .trim()
  .min(1, 'Name is required')
  .max(100, 'Name must be at most 100 characters')
  .refine(isPlainLine, notPlainLine('Name'));

const given = {
  kind: z.literal('oidc', 'The kind must be oidc'),
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
  /** Client secret, or a private key as JSON Web Key for `private_key_jwt`. `null` for a public client. */
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
    .regex(
      /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/,
      'Scopes must be words separated by spaces',
    )
    .refine((scopes) => scopes.split(' ').includes('openid'), 'Scopes must include openid'),
  prompt: z.enum(signInPrompts).nullable(),
  trusts_emails: z.boolean(),
  is_enabled: z.boolean(),
  is_shared: z.boolean(),
  email_domains: z
    .array(emailDomain)
    .max(domainsMax, `A provider can have at most ${domainsMax} domains`)
    .transform((names) => [...new Set(names)]),
  role_claim: claimPath('role claim'),
  role_map: mapTo(z.enum(mappedRoles, 'A role must be user or admin')),
  team_claim: claimPath('team claim'),
  team_map: mapTo(z.string('Enter the name of a team').trim().min(1, 'Enter the name of a team').max(200)),
  default_role: z.enum(mappedRoles).nullable(),
  creates_users: z.boolean(),
};

/** Last part of the redirect URI. Clients may choose it, so that the URI can be registered with the provider first. */
const callbackKey = z
  .string()
  .max(40)
  .regex(/^[a-z0-9]{8,40}$/, 'A callback key must have 8 to 40 lowercase letters and digits');

/** The name defaults to the host of the issuer. The callback key defaults to a random value. */
export const createIdentityProviderBody = z
  .strictObject(given)
  .partial()
  .extend({ issuer: given.issuer, client_id: given.client_id, callback_key: callbackKey.optional() });

export const updateIdentityProviderBody = z.strictObject(given).partial();

/** A test creates no session and changes no account. */
export const identityProviderTest = z.object({
  claims: z.record(z.string(), z.unknown()),
  email: z.string().nullable(),
  is_email_verified: z.boolean(),
  groups: z.array(z.string()),
  role: z.enum(mappedRoles).nullable(),
  team_ids: z.array(z.number().int()),
  /** Outcome that a sign-in with these claims would have. */
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
      'Delete an identity provider with its links to users and end the sessions that started there; accounts remain',
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
    summary: 'Get the claims of a test sign-in, and the role and teams to which they map',
    request: { body: redeemTestBody },
    response: identityProviderTest,
  },
});
