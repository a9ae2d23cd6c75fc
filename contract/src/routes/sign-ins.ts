import { z } from 'zod';
import { slugMax } from '../fields.ts';
import { id, idParams } from '../ids.ts';
import { defineRoutes } from '../route.ts';
import { session } from './auth.ts';

/**
 * Returns the page of the console that a provider redirects to. Each provider has its own, so that none can pass on the
 * response of another (RFC 9700, 4.4.2).
 */
export const signInCallbackPath = (tenantId: number, callbackKey: string) =>
  `/login/callback/${tenantId}-${callbackKey}`;

export const signInOptions = z.object({
  providers: z.array(z.object({ id: z.number().int(), name: z.string() })),
  /** `break_glass` if only break-glass accounts may sign in with a password. */
  local_passwords: z.enum(['allowed', 'break_glass']),
});

export type SignInOptions = z.infer<typeof signInOptions>;

export const startedSignIn = z.object({
  authorization_url: z.string(),
  /** To be kept by the browser until the provider redirects back. */
  secret: z.string(),
});

export type StartedSignIn = z.infer<typeof startedSignIn>;

/** The provider's redirect, and the secret of the browser that started the sign-in. */
export const redeemSignInBody = z.strictObject({
  secret: z.string().min(1).max(100),
  /** Query of the redirect, without the question mark. */
  response: z.string().min(1).max(8_192),
  /** Last part of the path of the redirect. */
  callback: z.string().min(1).max(60),
});

const open = { surface: 'management', permission: 'anyone' } as const;
const account = { surface: 'management', permission: 'account.read' } as const;

export const signInsRoutes = defineRoutes({
  getSignInOptions: {
    ...open,
    method: 'GET',
    path: '/auth/sign-in-options',
    summary: 'List the identity providers for an email domain or a tenant, and whether passwords are allowed',
    request: {
      query: z.strictObject({
        domain: z.string().trim().max(253).optional(),
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
  finishSignIn: {
    ...open,
    method: 'POST',
    path: '/auth/sign-ins/finish',
    summary: "Exchange an identity provider's redirect for a session token; works once",
    request: { body: redeemSignInBody },
    response: session,
  },
  logOutAtProvider: {
    ...account,
    method: 'POST',
    path: '/auth/sign-ins/logout',
    servesSetup: true,
    summary: 'End the current session and get the URL that also ends the one at the identity provider',
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
