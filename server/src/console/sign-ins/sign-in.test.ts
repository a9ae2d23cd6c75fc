import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Client, IdentityProvider, signInsRoutes } from '@sluice/contract';
import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson } from '#test/console/console.ts';
import {
  callbackKey,
  callbackOf,
  createSignInConsole,
  publicUrl,
  type SignInConsole,
  setUpProvider,
} from '#test/console/sign-in-console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { listenHttp } from '#test/processes/listen-http.ts';
import { startOpenIdProvider, type TestOpenIdProvider } from '#test/providers/openid-provider.ts';

/** Use a fixed id, because the redirect URI registered with the provider contains it. */
const tenantId = 900;
const redirectUri = `${publicUrl}/api/v1/auth/oidc/${tenantId}-${callbackKey}/callback`;

let database: TestDatabase;
let console: SignInConsole;
let openid: TestOpenIdProvider;
let provider: IdentityProvider;
let operator: Principal;
let visitor: Client<typeof signInsRoutes>;
let notices: {
  readonly origin: string;
  readonly tokens: string[];
  received: () => Promise<string>;
  close(): Promise<void>;
};

beforeAll(async () => {
  database = await createTestDatabase();
  notices = await receiveNotices();
  openid = await startOpenIdProvider({
    redirectUri,
    returnUri: `${publicUrl}/login`,
    backchannelLogoutUri: () => notices.origin,
  });
});
afterAll(async () => {
  await console.close();
  await openid.close();
  await notices.close();
  await database.close();
});

beforeEach(async () => {
  await emptyTables(database, 'tenants', 'login_attempts', 'outbound_counts');
  // Create a new instance for each test, because recent rejections are cached in memory.
  await console?.close();
  console = createSignInConsole(database);
  await database.pool.query(
    "INSERT INTO tenants (id, name, slug) OVERRIDING SYSTEM VALUE VALUES ($1, 'One', 'one')",
    [tenantId],
  );
  operator = await addPerson(database.pool, tenantId, 'super_admin', 'root@one.test');
  provider = await setUpProvider(console, operator, openid, 'one.test');
  visitor = console.as();
  openid.signInAs('mara', {
    email: 'mara@one.test',
    email_verified: true,
    name: 'Mara Lind',
    groups: ['staff'],
  });
});

async function receiveNotices(): Promise<typeof notices> {
  const tokens: string[] = [];
  let announce: (token: string) => void = () => undefined;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const token = new URLSearchParams(Buffer.concat(parts).toString()).get('logout_token') ?? '';
      tokens.push(token);
      announce(token);
      response.end();
    });
  });
  const { origin, close } = await listenHttp(server);
  const received = () =>
    new Promise<string>((resolve) => {
      announce = resolve;
    });
  return { origin, tokens, received, close };
}

async function makeClientKey(alg: string) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const named = { alg, kid: randomUUID() };
  return {
    text: JSON.stringify({ ...(await exportJWK(privateKey)), ...named }),
    published: { ...(await exportJWK(publicKey)), ...named, use: 'sig' },
  };
}

const startSignIn = () => visitor.startSignIn({ body: { identity_provider_id: provider.id } });

async function authorize() {
  const { authorization_url: url, secret } = await startSignIn();
  const redirect = await openid.visit(url);
  return {
    secret,
    response: redirect.search.slice(1),
    callback: callbackOf({ redirect_uri: redirect.href.replace(redirect.search, '') }),
  };
}

async function signIn() {
  const { access_token: token } = await visitor.finishSignIn({ body: await authorize() });
  return console.openToken(token);
}

const liveSessions = async () => {
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT id FROM sessions WHERE ended_at IS NULL',
  );
  return rows.map(({ id }) => id);
};

describe('a sign-in at a certified provider', () => {
  it('finishSignIn adds the account of a verified email and opens a session for it', async () => {
    const { userId, sessionId, isFromProvider } = await signIn();
    expect(isFromProvider).toBe(true);
    const { rows } = await database.pool.query(
      `SELECT users.email, name, role_id, identity.subject, identity.mapped_role, session.id AS session
       FROM users JOIN user_identities identity ON identity.user_id = users.id
         JOIN sessions session ON session.user_identity_id = identity.id WHERE users.id = $1`,
      [userId],
    );
    expect(rows).toEqual([
      {
        email: 'mara@one.test',
        name: 'Mara Lind',
        role_id: 3,
        subject: 'mara',
        mapped_role: 'user',
        session: sessionId,
      },
    ]);
  });

  it('finishSignIn signs in the same account again, even after the email changed at the provider', async () => {
    const first = await signIn();
    openid.signInAs('mara', { email: 'mara.new@one.test', email_verified: true });
    expect((await signIn()).userId).toBe(first.userId);
    const { rows } = await database.pool.query('SELECT email FROM users WHERE id = $1', [first.userId]);
    expect(rows).toEqual([{ email: 'mara@one.test' }]);
  });

  it("startSignIn requests a code with PKCE, state and nonce for the provider's redirect URI", async () => {
    const { authorization_url: url, secret } = await startSignIn();
    const query = Object.fromEntries(new URL(url).searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      redirect_uri: redirectUri,
      code_challenge_method: 'S256',
      scope: 'openid email profile',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(query[name]).toMatch(/^[\w-]{43}$/);
    expect(url).not.toContain(secret);
    const { rows } = await database.pool.query('SELECT * FROM sign_in_attempts');
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('finishSignIn rejects a response that was used before', async () => {
    const body = await authorize();
    await visitor.finishSignIn({ body });
    await expect(visitor.finishSignIn({ body })).rejects.toMatchObject({ status: 400 });
    expect(await liveSessions()).toHaveLength(1);
  });

  it('finishSignIn opens a session for only one of two concurrent calls', async () => {
    const body = await authorize();
    const outcomes = await Promise.allSettled([
      visitor.finishSignIn({ body }),
      visitor.finishSignIn({ body }),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('finishSignIn rejects a code that another browser obtained', async () => {
    const { response, callback } = await authorize();
    const { secret } = await startSignIn();
    await expect(visitor.finishSignIn({ body: { secret, response, callback } })).rejects.toMatchObject({
      status: 400,
      detail: expect.stringContaining('could not be verified'),
    });
    expect(await liveSessions()).toEqual([]);
  });

  it('finishSignIn rejects the code of one sign-in with the state of another', async () => {
    const first = await authorize();
    const second = await authorize();
    const stolen = new URLSearchParams(first.response);
    stolen.set('state', new URLSearchParams(second.response).get('state') ?? '');
    const body = { ...second, response: stolen.toString() };
    await expect(visitor.finishSignIn({ body })).rejects.toMatchObject({ status: 403 });
    expect(await liveSessions()).toEqual([]);
  });

  it('finishSignIn rejects an expired sign-in', async () => {
    const body = await authorize();
    await database.pool.query("UPDATE sign_in_attempts SET expires_at = now() - interval '1 second'");
    await expect(visitor.finishSignIn({ body })).rejects.toMatchObject({ status: 400 });
  });

  it('finishSignIn opens a new session for each sign-in of an account', async () => {
    const [one, other] = [await signIn(), await signIn()];
    expect(one.userId).toBe(other.userId);
    expect(one.sessionId).not.toBe(other.sessionId);
  });

  it('finishSignIn accepts tokens signed with a new key of the provider', async () => {
    await signIn();
    await openid.rotateKeys();
    await signIn();
    await openid.rotateKeys();
    expect((await signIn()).userId).toBeGreaterThan(0);
  });

  it('startSignIn counts attempts by IP, and finishSignIn reverts the count of successful ones', async () => {
    await signIn();
    const { rows } = await database.pool.query(
      "SELECT attempts FROM login_attempts WHERE subject LIKE 'sign-in:%'",
    );
    expect(rows).toEqual([{ attempts: 0 }]);
    await database.pool.query('UPDATE login_attempts SET attempts = 100');
    await expect(startSignIn()).rejects.toMatchObject({ status: 429 });
  });
});

describe('a client with a private key', () => {
  it('getClientKeys returns no key for a client with a secret, and a 404 for an unknown provider', async () => {
    expect(await visitor.getClientKeys({ params: { id: provider.id } })).toEqual({ keys: [] });
    const missing = { params: { id: 2_147_483_647 } };
    await expect(visitor.getClientKeys(missing)).rejects.toMatchObject({ status: 404 });
  });

  it.each(['ES256', 'RS256', 'PS256', 'Ed25519'])(
    'finishSignIn authenticates the client with a JWT signed by its private key for %s, and fails with another key',
    async (alg) => {
      const [own, foreign] = await Promise.all([makeClientKey(alg), makeClientKey(alg)]);
      const strict = await startOpenIdProvider({
        redirectUri,
        returnUri: `${publicUrl}/login`,
        clientKey: own.published,
      });
      strict.signInAs('mara', { email: 'mara@one.test', email_verified: true, groups: ['staff'] });
      const params = { id: provider.id };
      const body = { issuer: strict.issuer, client_secret: own.text };
      await console.as(operator).updateIdentityProvider({ params, body });
      const finish = async () => {
        const { authorization_url: url, secret } = await startSignIn();
        const redirect = await strict.visit(url);
        const callback = callbackOf({ redirect_uri: redirect.href.replace(redirect.search, '') });
        return visitor.finishSignIn({ body: { secret, response: redirect.search.slice(1), callback } });
      };
      const { keys } = await visitor.getClientKeys({ params });
      expect(keys).toEqual([own.published]);
      await finish();
      await console.as(operator).updateIdentityProvider({ params, body: { client_secret: foreign.text } });
      await expect(finish()).rejects.toMatchObject({ status: 403 });
      expect(await liveSessions()).toHaveLength(1);
      await strict.close();
    },
  );

  it.each([
    ['text that is not JSON', '{'],
    ['a public key', '{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}'],
    ['coordinates that are no point', '{"kty":"EC","crv":"P-256","x":"AA","y":"AA","d":"AA"}'],
    ['a short RSA key', '{"kty":"RSA","n":"AQAB","e":"AQAB","d":"AQAB"}'],
    ['a secret key', '{"kty":"oct","k":"AQAB","d":"AQAB","alg":"HS256"}'],
  ])('updateIdentityProvider rejects a private key that is %s, without quoting it', async (_, text) => {
    const change = { params: { id: provider.id }, body: { client_secret: text } };
    const refusal = console.as(operator).updateIdentityProvider(change);
    await expect(refusal).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'client_secret'], msg: expect.stringMatching(/^A private key must be/) }],
    });
  });
});

describe('signing out', () => {
  it('logout ends the session and returns the URL that ends the session at the provider', async () => {
    const { userId, sessionId } = await signIn();
    const credential = { kind: 'session' as const, sessionId };
    const mara: Principal = { ...operator, userId, role: 'user', credential };
    const ended = notices.received();
    const { logout_url: url } = await console.as(mara).logout();
    expect(await liveSessions()).toEqual([]);
    const returned = await openid.visit(url ?? '');
    expect(returned.href).toBe(`${publicUrl}/login`);
    await ended;
  });

  it('logout returns no URL for a password session', async () => {
    const credential = { kind: 'session' as const, sessionId: randomUUID() };
    expect(await console.as({ ...operator, credential }).logout()).toEqual({ logout_url: null });
  });

  it('receiveBackchannelLogout ends the session that the provider ended, and no other', async () => {
    const first = await signIn();
    openid.signInAs('ben', { email: 'ben@one.test', email_verified: true });
    const second = await signIn();
    const ended = notices.received();
    const sealed = { kind: 'session' as const, sessionId: second.sessionId };
    const ben: Principal = { ...operator, userId: second.userId, role: 'user', credential: sealed };
    const { logout_url: url } = await console.as(ben).logout();
    await database.pool.query('UPDATE sessions SET ended_at = NULL');
    await openid.visit(url ?? '');
    const form = { logout_token: await ended };
    await visitor.receiveBackchannelLogout({ params: { id: provider.id }, form });
    expect(await liveSessions()).toEqual([first.sessionId]);
  });
});
