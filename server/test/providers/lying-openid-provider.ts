import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import { listenHttp } from '../processes/listen-http.ts';

export interface Lie {
  /** `undefined` removes a claim. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly hasForeignKey?: boolean;
  readonly alg?: 'none' | 'HS256';
  readonly redirect?: Readonly<Record<string, string | undefined>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly answers?: Readonly<Record<string, (response: ServerResponse) => void>>;
}

/** Identity provider whose responses can be falsified. */
export interface LyingOpenIdProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  user: Readonly<Record<string, unknown>>;
  lie: Lie;
  readonly requests: Map<string, number>;
  /** Returns the query of the redirect to the client, as if the user had signed in. */
  authorize(url: string): string;
  rotateKeys(): Promise<void>;
  signLogoutToken(claims: Readonly<Record<string, unknown>>): Promise<string>;
  close(): Promise<void>;
}

const clientId = 'sluice';
const clientSecret = 'a client secret of the test';

interface Key {
  readonly privateKey: CryptoKey;
  readonly published: JWK;
}

interface Code {
  readonly nonce: string;
  readonly challenge: string;
}

async function makeKey(): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const kid = crypto.randomUUID();
  return { privateKey, published: { ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig', kid } };
}

export async function startLyingOpenIdProvider(): Promise<LyingOpenIdProvider> {
  const state: State = { key: await makeKey(), foreign: await makeKey(), codes: new Map() };
  const requests = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://provider.test').pathname;
    requests.set(path, (requests.get(path) ?? 0) + 1);
    answer(provider, state, path, request, response);
  });
  const { origin, close } = await listenHttp(server);
  const provider: LyingOpenIdProvider = {
    issuer: origin,
    clientId,
    clientSecret,
    user: {},
    lie: {},
    requests,
    authorize: (url) => authorize(provider, state, url),
    async rotateKeys() {
      state.key = await makeKey();
    },
    signLogoutToken: (claims) => signLogoutToken(provider, state, claims),
    close,
  };
  return provider;
}

interface State {
  key: Key;
  readonly foreign: Key;
  readonly codes: Map<string, Code>;
}

function answer(
  provider: LyingOpenIdProvider,
  state: State,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const falsified = provider.lie.answers?.[path];
  const parts: Buffer[] = [];
  if (falsified) falsified(response);
  else if (path === '/.well-known/openid-configuration') sendJson(response, describeProvider(provider));
  else if (path === '/jwks') sendJson(response, { keys: [state.key.published] });
  else if (path === '/token') {
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      void exchange(provider, state, new URLSearchParams(Buffer.concat(parts).toString()), response);
    });
  } else sendJson(response, {}, 404);
}

function describeProvider({ issuer, lie }: LyingOpenIdProvider): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    end_session_endpoint: `${issuer}/logout`,
    authorization_response_iss_parameter_supported: true,
    id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
    ...lie.metadata,
  };
}

function authorize({ issuer, lie }: LyingOpenIdProvider, { codes }: State, url: string): string {
  const { searchParams: query } = new URL(url);
  const code = crypto.randomUUID();
  codes.set(code, { nonce: query.get('nonce') ?? '', challenge: query.get('code_challenge') ?? '' });
  const redirect = { code, state: query.get('state') ?? '', iss: issuer, ...lie.redirect };
  const given = Object.entries(redirect).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return new URLSearchParams(given).toString();
}

async function exchange(
  provider: LyingOpenIdProvider,
  state: State,
  form: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const code = state.codes.get(form.get('code') ?? '');
  state.codes.delete(form.get('code') ?? '');
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(form.get('code_verifier') ?? ''));
  const isProven = code?.challenge === Buffer.from(digest).toString('base64url');
  if (!isProven) return sendJson(response, { error: 'invalid_grant' }, 400);
  const idToken = await signIdToken(provider, state, code.nonce);
  sendJson(response, { access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: idToken });
}

async function signIdToken(
  { issuer, user, lie }: LyingOpenIdProvider,
  { key, foreign }: State,
  nonce: string,
): Promise<string> {
  const { alg, claims, hasForeignKey } = lie;
  const given = withTimes({ iss: issuer, nonce, ...user, ...claims }, 300);
  if (alg === 'none') return new UnsecuredJWT(given).encode();
  if (alg === 'HS256')
    return new SignJWT(given).setProtectedHeader({ alg }).sign(Buffer.from(clientSecret.padEnd(32, '-')));
  return sign(given, key, (hasForeignKey ? foreign : key).privateKey);
}

function signLogoutToken(
  { issuer }: LyingOpenIdProvider,
  { key }: State,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const given = withTimes({ iss: issuer, jti: crypto.randomUUID(), events, ...claims }, 120);
  return sign(given, key, key.privateKey, 'logout+jwt');
}

/** Adds audience and times unless the claims contain them, and removes undefined claims. */
function withTimes(claims: Readonly<Record<string, unknown>>, seconds: number): Record<string, unknown> {
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const all = { aud: clientId, iat: nowSeconds, exp: nowSeconds + seconds, ...claims };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function sign(
  claims: Record<string, unknown>,
  { published }: Key,
  key: CryptoKey,
  typ?: string,
): Promise<string> {
  const { kid } = published;
  const header = { alg: 'ES256', ...(kid && { kid }), ...(typ && { typ }) };
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}

function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
