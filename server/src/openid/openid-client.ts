import { type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import * as openid from 'openid-client';
import type { UpstreamClient } from '#upstream/client.ts';
import { authenticateClient, signingAlgorithms } from './client-authentication.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { OpenIdError, toOpenIdError } from './openid-error.ts';
import { createProviderMetadata, type ProviderMetadata } from './provider-metadata.ts';

export interface OpenIdClientSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Client secret, or a private key as a JSON Web Key; `null` for a public client. */
  readonly clientSecret: string | null;
}

export interface SignInProof {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

export interface RedeemedSignIn {
  readonly claims: Claims;
  readonly idToken: string;
  /** Session id at the provider; `null` if the provider sent none. */
  readonly providerSession: string | null;
}

export interface LogoutNotice {
  readonly subject: string | null;
  readonly providerSession: string | null;
  readonly issuedAtMs: number;
}

interface AuthorizationRequest extends SignInProof {
  readonly redirectUri: string;
  readonly scopes: string;
  readonly prompt: string | null;
}

interface AuthorizationResponse extends SignInProof {
  readonly redirectUri: string;
  readonly response: string;
  /** Returns whether the ID token lacks claims that the userinfo endpoint may return. */
  readonly isIncomplete: (claims: Claims) => boolean;
}

/** OpenID Connect Core with PKCE, RP-Initiated Logout and Back-Channel Logout. Every failure is an `OpenIdError`. */
export interface OpenIdClient {
  findIssuer(issuer: string): Promise<string>;
  createAuthorizationUrl(client: OpenIdClientSettings, request: AuthorizationRequest): Promise<URL>;
  redeem(client: OpenIdClientSettings, response: AuthorizationResponse): Promise<RedeemedSignIn>;
  /** Returns the logout URL; `null` if the provider has no logout endpoint. */
  createLogoutUrl(
    client: OpenIdClientSettings,
    request: { readonly idToken: string | null; readonly returnTo: string },
  ): Promise<URL | null>;
  verifyLogoutToken(client: OpenIdClientSettings, token: string): Promise<LogoutNotice>;
}

/** Maximum difference between the clocks of this server and a provider, in seconds. */
const clockToleranceSeconds = 60;
const algorithms = [...signingAlgorithms, 'EdDSA'];
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const logoutTokenMaxAge = '5 minutes';

export interface OpenIdClientOptions {
  readonly upstream: UpstreamClient;
  readonly clock?: () => number;
  readonly keysCooldownMs?: number;
}

export function createOpenIdClient({
  upstream,
  clock = Date.now,
  keysCooldownMs = 10_000,
}: OpenIdClientOptions): OpenIdClient {
  const fetch = createGuardedFetch(upstream);
  const providers = createProviderMetadata({ fetch, clock, keysCooldownMs });
  const configure = async (client: OpenIdClientSettings) => {
    const metadata = await providers.discover(client.issuer);
    return { metadata, configuration: await createConfiguration(metadata, client, fetch) };
  };
  return {
    findIssuer: explained(async (issuer) => (await providers.discover(issuer)).issuer),
    createAuthorizationUrl: explained(
      async (client, { redirectUri, scopes, prompt, state, nonce, verifier }) => {
        const { configuration } = await configure(client);
        return openid.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: scopes,
          state,
          nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...(prompt && { prompt }),
        });
      },
    ),
    redeem: explained(async (client, response) => {
      const { metadata, configuration } = await configure(client);
      return redeem(providers, metadata, configuration, client, response);
    }),
    createLogoutUrl: explained(async (client, { idToken, returnTo }) => {
      const { metadata, configuration } = await configure(client);
      if (metadata.end_session_endpoint === undefined) return null;
      return openid.buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: returnTo,
        ...(idToken !== null && { id_token_hint: idToken }),
      });
    }),
    verifyLogoutToken: explained(async (client, token) => {
      const metadata = await providers.discover(client.issuer);
      return readLogoutToken(
        await verify(providers, metadata, client, token, { maxTokenAge: logoutTokenMaxAge }),
      );
    }),
  };
}

function explained<Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) {
  return async (...given: Given): Promise<Result> => {
    try {
      return await work(...given);
    } catch (error) {
      throw toOpenIdError(error);
    }
  };
}

async function createConfiguration(
  metadata: openid.ServerMetadata,
  { clientId, clientSecret, issuer }: OpenIdClientSettings,
  fetch: openid.CustomFetch,
): Promise<openid.Configuration> {
  const configuration = new openid.Configuration(
    metadata,
    clientId,
    { [openid.clockTolerance]: clockToleranceSeconds },
    await authenticateClient(metadata, clientSecret),
  );
  configuration[openid.customFetch] = fetch;
  configuration.timeout = 15;
  if (issuer.startsWith('http:')) openid.allowInsecureRequests(configuration);
  return configuration;
}

async function redeem(
  providers: ProviderMetadata,
  metadata: openid.ServerMetadata,
  configuration: openid.Configuration,
  client: OpenIdClientSettings,
  { redirectUri, response, state, nonce, verifier, isIncomplete }: AuthorizationResponse,
): Promise<RedeemedSignIn> {
  const url = new URL(redirectUri);
  url.search = response;
  const tokens = await openid.authorizationCodeGrant(configuration, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const { id_token: idToken, access_token: accessToken } = tokens;
  if (idToken === undefined) throw new OpenIdError('invalid', 'The provider returned no ID token');
  // The signature is verified here, since the library relies on TLS for an ID token from the token endpoint.
  const { sub, ...others } = await verify(providers, metadata, client, idToken, {
    requiredClaims: ['exp', 'iat', 'sub'],
  });
  if (sub === undefined || sub === '' || sub.length > 255)
    throw new OpenIdError('invalid', 'The subject is empty or too long');
  const claims: Claims = { ...others, sub };
  const { sid } = claims;
  const providerSession = typeof sid === 'string' && sid.length <= 255 ? sid : null;
  if (!isIncomplete(claims) || metadata.userinfo_endpoint === undefined)
    return { claims, idToken, providerSession };
  const info = await openid.fetchUserInfo(configuration, accessToken, sub);
  return { claims: addUserInfo(claims, info), idToken, providerSession };
}

/** An email and its verification always come from the same source. */
function addUserInfo(
  { email_verified, ...claims }: Claims & { email_verified?: unknown },
  info: openid.UserInfoResponse,
): Claims {
  if (claims.email === undefined) return { ...info, ...claims };
  const { email: _email, email_verified: _verified, ...others } = info;
  return { ...others, ...claims, email_verified };
}

async function verify(
  providers: ProviderMetadata,
  metadata: openid.ServerMetadata,
  { clientId }: OpenIdClientSettings,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, providers.keysOf(metadata), {
    issuer: metadata.issuer,
    audience: clientId,
    algorithms,
    clockTolerance: clockToleranceSeconds,
    ...options,
  });
  return payload;
}

/** Checks and returns the claims of a logout token (Back-Channel Logout 1.0, section 2.6). */
function readLogoutToken({ events, nonce, sub, sid, iat, jti }: JWTPayload): LogoutNotice {
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, logoutEvent);
  if (!isLogout || nonce !== undefined || jti === undefined || iat === undefined)
    throw new OpenIdError('invalid', 'The token is not a logout token');
  const subject = typeof sub === 'string' ? sub : null;
  const providerSession = typeof sid === 'string' ? sid : null;
  if (subject === null && providerSession === null)
    throw new OpenIdError('invalid', 'The logout token names no session and no subject');
  return { subject, providerSession, issuedAtMs: iat * 1_000 };
}
