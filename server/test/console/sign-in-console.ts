import {
  type Client,
  domainsRoutes,
  type IdentityProvider,
  identityProvidersRoutes,
  signInPolicyRoutes,
  signInsRoutes,
  userIdentitiesRoutes,
} from '@sluice/contract';
import { createDomainsHandlers } from '#console/domains/routes.ts';
import { createIdentityProvidersHandlers } from '#console/identity-providers/routes.ts';
import { createSignInPolicyHandlers } from '#console/sign-in-policy/routes.ts';
import { createSignInsHandlers } from '#console/sign-ins/routes.ts';
import { createUserIdentitiesHandlers } from '#console/user-identities/routes.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createMailbox } from '#mail/mailbox.ts';
import { createOpenIdClient } from '#openid/openid-client.ts';
import { createKeyring } from '#platform/keyring.ts';
import { type VerifiedClaims, verifySessionToken } from '#platform/tokens.ts';
import { createUpstreamClient } from '#upstream/client.ts';
import { checkEndpointUrl } from '#upstream/outbound-guard.ts';
import type { TestDatabase } from '../database/database.ts';
import { createTestConsole } from './console.ts';

export const publicUrl = 'https://sluice.one.test';

type SignInRoutes = typeof identityProvidersRoutes &
  typeof domainsRoutes &
  typeof signInPolicyRoutes &
  typeof userIdentitiesRoutes &
  typeof signInsRoutes;

/** Console with the sign-in nouns and providers that run on this machine. */
export interface SignInConsole {
  as(principal?: Principal, headers?: Readonly<Record<string, string>>): Client<SignInRoutes>;
  openToken(token: string): Promise<VerifiedClaims>;
  close(): Promise<void>;
}

interface Options {
  readonly keysCooldownMs?: number;
  readonly canReachPrivateEndpoints?: boolean;
}

export function createSignInConsole(
  { pool }: TestDatabase,
  { keysCooldownMs = 0, canReachPrivateEndpoints = true }: Options = {},
): SignInConsole {
  const policy = { allowPrivate: canReachPrivateEndpoints };
  const upstream = createUpstreamClient({ policy });
  const keyring = createKeyring('test');
  const deps = {
    database: createSystemDatabase(pool),
    keyring,
    clock: Date.now,
    publicUrl,
    openid: createOpenIdClient({ upstream, keysCooldownMs }),
    mailbox: createMailbox({ keyring, hasServer: false }),
    checkEndpointUrl: (text: string) => checkEndpointUrl(text, policy),
    canReachPrivateEndpoints,
  };
  const nouns = [
    createTestConsole(pool, identityProvidersRoutes, createIdentityProvidersHandlers(deps)),
    createTestConsole(pool, domainsRoutes, createDomainsHandlers({ system: deps.database })),
    createTestConsole(pool, signInPolicyRoutes, createSignInPolicyHandlers()),
    createTestConsole(pool, userIdentitiesRoutes, createUserIdentitiesHandlers()),
    createTestConsole(pool, signInsRoutes, createSignInsHandlers(deps)),
  ];
  return {
    as: (principal, headers) =>
      // safe because each noun's console has the calls of its routes
      Object.assign(
        {},
        ...nouns.map((noun) => noun({ ...(principal && { principal }), ...(headers && { headers }) })),
      ) as Client<SignInRoutes>,
    async openToken(token) {
      const claims = await verifySessionToken(keyring.sessionKey, token, Date.now());
      if (!claims) throw new Error('the token is not valid');
      return claims;
    },
    close: () => upstream.close(),
  };
}

export const callbackOf = ({ redirect_uri: uri }: Pick<IdentityProvider, 'redirect_uri'>) =>
  uri.split('/').at(-2) ?? '';

export const callbackKey = 'acmedirectory';

export async function setUpProvider(
  console: SignInConsole,
  operator: Principal,
  { issuer, clientId, clientSecret }: { issuer: string; clientId: string; clientSecret: string },
  domain: string,
): Promise<IdentityProvider> {
  await console.as(operator).addDomain({ body: { domain } });
  const body = {
    issuer,
    client_id: clientId,
    client_secret: clientSecret,
    name: 'Acme directory',
    callback_key: callbackKey,
  };
  return console.as(operator).createIdentityProvider({ body });
}
