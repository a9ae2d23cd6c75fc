import { z } from 'zod';
import { foldEmail } from '../email.ts';
import { slugMax } from '../fields.ts';
import { id, idParams } from '../ids.ts';
import { defineRoutes } from '../route.ts';
import { session } from './auth.ts';

/**
 * Each provider has its own path, so that a response of one provider is not accepted as a response of another (RFC
 * 9700, 4.4.2). `callback` is the id of the provider, or `<tenant id>-<key>` if the key was chosen before the provider
 * was added.
 */
export const signInCallbackPath = (callback: string) => `/api/v1/auth/oidc/${callback}/callback`;

export const signInPagePath = (callback: string) => `/login/callback/${callback}`;

export const signInOptions = z.object({
  providers: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      kind: z.literal('oidc'),
      start_path: z.string(),
    }),
  ),
  /** `break_glass` if only break-glass accounts may sign in with a password. */
  local_passwords: z.enum(['allowed', 'break_glass']),
  /** `null` if the public URL allows no passkeys, because it has no domain name. */
  passkey_origin: z.string().nullable(),
});

export type SignInOptions = z.infer<typeof signInOptions>;

export const startedSignIn = z.object({
  authorization_url: z.string(),
  /** The browser keeps the secret until the provider redirects back. */
  secret: z.string(),
});

export type StartedSignIn = z.infer<typeof startedSignIn>;

const secret = z.string().min(1).max(100);

/** `secret` belongs to the browser that started the sign-in. It is omitted if a cookie contains it. */
export const redeemSignInBody = z.strictObject({
  secret: secret.optional(),
  /** Query string of the redirect, without the question mark. */
  response: z.string().min(1).max(8_192),
  /** Last part of the path of the redirect. */
  callback: z.string().min(1).max(60),
});

/** The secret is required, since only the console starts tests. */
export const redeemTestBody = redeemSignInBody.extend({ secret });

const callback = z
  .string()
  .max(60)
  .regex(/^\d{1,10}(-[a-z0-9]{8,40})?$/, 'This is not a valid redirect URI')
  .refine((text) => Number.parseInt(text, 10) <= 2_147_483_647, 'This is not a valid redirect URI');

const parametersMax = 50;
const parameter = z.string().max(8_192);

/** Providers may add parameters, and all parameters are passed on. */
const redirectQuery = z
  .object({ code: parameter.optional(), state: parameter.optional(), error: parameter.optional() })
  .catchall(parameter)
  .refine(
    (query) => Object.keys(query).length <= parametersMax,
    `A response can have at most ${parametersMax} parameters`,
  )
  .meta({ maxProperties: parametersMax });

/** JSON Web Key of a client (RFC 7517). */
const clientKey = z.record(z.string(), z.string());

export type ClientKey = z.infer<typeof clientKey>;

const open = { surface: 'management', permission: 'anyone' } as const;
const account = { surface: 'management', permission: 'account.read' } as const;

export const signInsRoutes = defineRoutes({
  getSignInOptions: {
    ...open,
    method: 'GET',
    path: '/auth/providers',
    summary:
      'List the identity providers for the domain of an email or a tenant, and whether passwords are allowed',
    request: {
      query: z.strictObject({
        /** Only the part after the `@` is used. Clients may send this part alone, as in `@example.com`. */
        email: z.string().trim().max(320).overwrite(foldEmail).optional(),
        tenant: z.string().trim().max(slugMax).optional(),
      }),
    },
    response: signInOptions,
  },
  startSignIn: {
    ...open,
    method: 'POST',
    path: '/auth/sign-ins',
    summary: 'Start a sign-in at an identity provider',
    request: { body: z.strictObject({ identity_provider_id: id }) },
    response: startedSignIn,
  },
  redirectToProvider: {
    ...open,
    method: 'GET',
    path: '/auth/oidc/{id}/start',
    summary:
      'Start a sign-in and redirect the browser to the identity provider; a cookie binds it to the browser',
    request: { params: idParams },
    response: z.void(),
    status: 302,
  },
  receiveRedirect: {
    ...open,
    method: 'GET',
    path: '/auth/oidc/{id}/callback',
    summary: 'Redirect URI of an identity provider; redirects to the page that finishes the sign-in',
    request: {
      params: z.object({ id: callback }),
      query: redirectQuery,
    },
    response: z.void(),
    status: 302,
  },
  getClientKeys: {
    ...open,
    method: 'GET',
    path: '/auth/oidc/{id}/jwks',
    summary:
      'Get the public key that authenticates Sluice at an identity provider by private_key_jwt (JSON Web Key Set)',
    request: { params: idParams },
    response: z.object({ keys: z.array(clientKey) }),
  },
  finishSignIn: {
    ...open,
    method: 'POST',
    path: '/auth/sign-ins/finish',
    summary: "Exchange an identity provider's redirect for a session token; works once",
    request: { body: redeemSignInBody },
    response: session,
  },
  logout: {
    ...account,
    refusesTokens: true,
    method: 'POST',
    path: '/auth/logout',
    servesSetup: true,
    summary:
      'End the current session and get the URL that also ends the session at the identity provider, if any',
    response: z.object({ logout_url: z.string().nullable() }),
  },
  receiveBackchannelLogout: {
    ...open,
    method: 'POST',
    path: '/auth/backchannel-logout/{id}',
    summary:
      'End the sessions that a logout token of the identity provider names (OpenID Connect Back-Channel Logout)',
    request: { params: idParams, form: z.object({ logout_token: z.string().min(1).max(4_000) }) },
    response: z.object({}),
  },
});
