import { createServer, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import { listenHttp } from '../processes/listen-http.ts';

/** How a provider deviates from a correct one. */
export interface Lie {
  /** Claims of the ID token, which replace the correct ones; `undefined` removes one. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signs with a key that the provider does not publish. */
  readonly hasForeignKey?: boolean;
  readonly alg?: 'none' | 'HS256';
  /** Parameters of the redirect, which replace the correct ones. */
  readonly redirect?: Readonly<Record<string, string | undefined>>;
  /** Fields of the discovery document, which replace the correct ones. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Status and body of a path instead of the correct answer. */
  readonly answers?: Readonly<Record<string, (response: ServerResponse) => void>>;
}

/** An independent provider, written by hand, whose every answer can be falsified. */
export interface LyingOpenIdProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Claims of the user at the next sign-in. */
  user: Readonly<Record<string, unknown>>;
  lie: Lie;
  /** Number of requests by path. */
  readonly requests: Map<string, number>;
  /** Returns the query of the redirect to the client, as if the user had signed in. */
  authorize(url: string): string;
  /** Publishes a new key and signs with it. */
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
  let key = await makeKey();
  const foreign = await makeKey();
  const codes = new Map<string, Code>();
  const requests = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://provider.test').pathname;
    requests.set(path, (requests.get(path) ?? 0) + 1);
    const falsified = provider.lie.answers?.[path];
    if (falsified) return falsified(response);
    if (path === '/.well-known/openid-configuration') return sendJson(response, describe());
    if (path === '/jwks') return sendJson(response, { keys: [key.published] });
    if (path !== '/token') return sendJson(response, {}, 404);
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => void exchange(new URLSearchParams(Buffer.concat(parts).toString()), response));
  });
  const { origin, close } = await listenHttp(server);
  const describe = () => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/jwks`,
    end_session_endpoint: `${origin}/logout`,
    authorization_response_iss_parameter_supported: true,
    id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
    ...provider.lie.metadata,
  });

  async function exchange(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(form.get('code_verifier') ?? ''));
    const isProven = code?.challenge === Buffer.from(digest).toString('base64url');
    if (!isProven) return sendJson(response, { error: 'invalid_grant' }, 400);
    const idToken = await signIdToken(code.nonce);
    sendJson(response, { access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: idToken });
  }

  function signIdToken(nonce: string): Promise<string> | string {
    const { alg, claims, hasForeignKey } = provider.lie;
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const payload = {
      iss: origin,
      aud: clientId,
      iat: nowSeconds,
      exp: nowSeconds + 300,
      nonce,
      ...provider.user,
      ...claims,
    };
    const given = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
    if (alg === 'none') return new UnsecuredJWT(given).encode();
    if (alg === 'HS256')
      return new SignJWT(given).setProtectedHeader({ alg }).sign(Buffer.from(clientSecret.padEnd(32, '-')));
    const { kid } = key.published;
    const signer = hasForeignKey ? foreign : key;
    return new SignJWT(given)
      .setProtectedHeader({ alg: 'ES256', ...(kid && { kid }) })
      .sign(signer.privateKey);
  }

  const provider: LyingOpenIdProvider = {
    issuer: origin,
    clientId,
    clientSecret,
    user: {},
    lie: {},
    requests,
    authorize(url) {
      const { searchParams: query } = new URL(url);
      const code = crypto.randomUUID();
      codes.set(code, { nonce: query.get('nonce') ?? '', challenge: query.get('code_challenge') ?? '' });
      const redirect = { code, state: query.get('state') ?? '', iss: origin, ...provider.lie.redirect };
      const given = Object.entries(redirect).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      );
      return new URLSearchParams(given).toString();
    },
    async rotateKeys() {
      key = await makeKey();
    },
    signLogoutToken(claims) {
      const nowSeconds = Math.floor(Date.now() / 1_000);
      const payload = {
        iss: origin,
        aud: clientId,
        iat: nowSeconds,
        exp: nowSeconds + 120,
        jti: crypto.randomUUID(),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...claims,
      };
      const given = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
      const { kid } = key.published;
      return new SignJWT(given)
        .setProtectedHeader({ alg: 'ES256', typ: 'logout+jwt', ...(kid && { kid }) })
        .sign(key.privateKey);
    },
    close,
  };
  return provider;
}

function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
