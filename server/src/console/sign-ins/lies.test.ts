import type { Client, IdentityProvider, signInsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import {
  callbackOf,
  createSignInConsole,
  type SignInConsole,
  setUpProvider,
} from '#test/console/sign-in-console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import {
  type Lie,
  type LyingOpenIdProvider,
  startLyingOpenIdProvider,
} from '#test/providers/lying-openid-provider.ts';

let database: TestDatabase;
let console: SignInConsole;
let openid: LyingOpenIdProvider;
let other: LyingOpenIdProvider;
let provider: IdentityProvider;
let operator: Principal;
let tenantId: number;
let visitor: Client<typeof signInsRoutes>;

beforeAll(async () => {
  database = await createTestDatabase();
  [openid, other] = await Promise.all([startLyingOpenIdProvider(), startLyingOpenIdProvider()]);
});
afterAll(async () => {
  await openid.close();
  await other.close();
  await database.close();
});

beforeEach(async () => {
  await emptyTables(database, 'tenants', 'login_attempts', 'outbound_counts');
  // Create a new instance for each test, because discovery documents are cached.
  await console?.close();
  console = createSignInConsole(database);
  openid.lie = {};
  other.lie = {};
  openid.user = { sub: 'mara', email: 'mara@one.test', email_verified: true };
  tenantId = await addTenant(database.pool, 'One');
  operator = await addPerson(database.pool, tenantId, 'super_admin', 'root@one.test');
  provider = await setUpProvider(console, operator, openid, 'one.test');
  visitor = console.as();
});
afterAll(() => console.close());

async function signIn(lie: Lie = {}) {
  const { authorization_url: url, secret } = await visitor.startSignIn({
    body: { identity_provider_id: provider.id },
  });
  openid.lie = lie;
  return visitor.finishSignIn({
    body: { secret, response: openid.authorize(url), callback: callbackOf(provider) },
  });
}

const countSessions = async () => {
  const { rows } = await database.pool.query<{ count: number }>('SELECT count(*)::int FROM sessions');
  return rows[0]?.count;
};

const nowSeconds = () => Math.floor(Date.now() / 1_000);

const lies: Readonly<Record<string, () => Lie>> = {
  'a wrong nonce': () => ({ claims: { nonce: 'another' } }),
  'a missing nonce': () => ({ claims: { nonce: undefined } }),
  'a wrong state': () => ({ redirect: { state: 'another' } }),
  'a missing state': () => ({ redirect: { state: undefined } }),
  'the issuer of another provider in the redirect': () => ({ redirect: { iss: other.issuer } }),
  'a missing issuer in the redirect of a provider that announces it': () => ({
    redirect: { iss: undefined },
  }),
  'a wrong issuer in the token': () => ({ claims: { iss: other.issuer } }),
  'a wrong audience': () => ({ claims: { aud: 'another-client' } }),
  'several audiences without an authorized party': () => ({ claims: { aud: ['sluice', 'another-client'] } }),
  'another authorized party': () => ({
    claims: { aud: ['sluice', 'another-client'], azp: 'another-client' },
  }),
  'an expired token': () => ({ claims: { exp: nowSeconds() - 61 } }),
  'a missing expiry': () => ({ claims: { exp: undefined } }),
  'a token that is not valid yet': () => ({ claims: { nbf: nowSeconds() + 90 } }),
  'a missing subject': () => ({ claims: { sub: undefined } }),
  'an empty subject': () => ({ claims: { sub: '' } }),
  'a subject that is too long': () => ({ claims: { sub: 'x'.repeat(256) } }),
  'a subject that is a number': () => ({ claims: { sub: 7 } }),
  'an unsigned token': () => ({ alg: 'none' }),
  'a token signed with the client secret': () => ({ alg: 'HS256' }),
  'a token signed with an unknown key': () => ({ hasForeignKey: true }),
  'a missing code': () => ({ redirect: { code: undefined } }),
};

describe('finishSignIn', () => {
  it('finishSignIn accepts a correct response', async () => {
    await signIn();
    expect(await countSessions()).toBe(1);
  });

  it('finishSignIn tolerates clocks that differ by less than a minute', async () => {
    await signIn({ claims: { exp: nowSeconds() - 50, iat: nowSeconds() - 350 } });
    await signIn({ claims: { iat: nowSeconds() + 50, nbf: nowSeconds() + 50 } });
    expect(await countSessions()).toBe(2);
  });

  it.each(Object.entries(lies))('finishSignIn rejects %s', async (_, lie) => {
    await expect(signIn(lie())).rejects.toMatchObject({
      status: 400,
      detail: expect.stringMatching(
        /^The response of Acme directory could not be verified\. Start the sign-in again\. \(.+\.\)$/,
      ),
    });
    expect(await countSessions()).toBe(0);
    const { rows } = await database.pool.query('SELECT email FROM users');
    expect(rows).toEqual([{ email: 'root@one.test' }]);
  });

  it.each(['access_denied', 'login_required', '<script>', 'x'.repeat(500)])(
    'finishSignIn explains the error %s of a provider without quoting it freely',
    async (error) => {
      const refusal = signIn({ redirect: { error, code: undefined, error_description: 'secret details' } });
      await expect(refusal).rejects.toMatchObject({
        status: 403,
        detail: expect.stringMatching(
          /rejected the sign-in.*\(The provider returned the error [a-z_ ]{1,50}\.\)$/,
        ),
      });
    },
  );

  it('finishSignIn rejects a code of one provider at another provider', async () => {
    const second = await console.as(operator).createIdentityProvider({
      body: {
        issuer: other.issuer,
        client_id: other.clientId,
        client_secret: other.clientSecret,
        name: 'Other',
      },
    });
    const { authorization_url: url, secret } = await visitor.startSignIn({
      body: { identity_provider_id: second.id },
    });
    // The attacker's provider redirects the browser to the honest provider, which then returns its code.
    const response = openid.authorize(url);
    const body = { secret, response, callback: callbackOf(provider) };
    await expect(visitor.finishSignIn({ body })).rejects.toMatchObject({ status: 400 });
    expect(other.requests.get('/token') ?? 0).toBe(0);
    expect(await countSessions()).toBe(0);
  });

  it.each<[string, () => Promise<Principal>]>([
    ['the same tenant', async () => operator],
    [
      'another tenant',
      async () => addPerson(database.pool, await addTenant(database.pool, 'Evil'), 'admin', 'eve@evil.test'),
    ],
  ])(
    'finishSignIn sends no code to another provider of %s, even if the response names no issuer',
    async (_, findOwner) => {
      other.lie = { metadata: { authorization_response_iss_parameter_supported: undefined } };
      const evil = await console.as(await findOwner()).createIdentityProvider({
        body: { issuer: other.issuer, client_id: other.clientId, name: 'Evil' },
      });
      const { authorization_url: url, secret } = await visitor.startSignIn({
        body: { identity_provider_id: evil.id },
      });
      expect(new URL(url).searchParams.get('redirect_uri')).not.toBe(provider.redirect_uri);
      // The attacker's provider redirects the browser to the honest provider, which only redirects to its registered
      // URI.
      openid.lie = { redirect: { iss: undefined } };
      const response = openid.authorize(url);
      await expect(
        visitor.finishSignIn({ body: { secret, response, callback: callbackOf(provider) } }),
      ).rejects.toMatchObject({ status: 400, detail: expect.stringContaining('redirect URI') });
      expect(other.requests.get('/token') ?? 0).toBe(0);
      expect(await countSessions()).toBe(0);
    },
  );

  const bodies: Readonly<Record<string, Lie['answers']>> = {
    'a server error': { '/token': (response) => response.writeHead(500).end() },
    'a redirect to another host': {
      '/token': (response) => response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
    },
    'a token response that is too large': {
      '/token': (response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(600 * 1024)}"`),
    },
    'a closed connection': { '/token': (response) => response.destroy() },
    'keys that are too large': {
      '/jwks': (response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(600 * 1024)}"`),
    },
  };
  it.each(Object.entries(bodies))(
    'finishSignIn reports %s as an unavailable provider',
    async (_, answers) => {
      await expect(signIn({ ...(answers && { answers }) })).rejects.toMatchObject({
        status: 502,
        detail: expect.stringContaining('Acme directory is not available'),
      });
      expect(await countSessions()).toBe(0);
    },
  );

  it('finishSignIn does not fetch the keys of a provider again during the cooldown, even if a key is unknown', async () => {
    await console.close();
    console = createSignInConsole(database, { keysCooldownMs: 60_000 });
    visitor = console.as();
    await signIn();
    const before = openid.requests.get('/jwks') ?? 0;
    await signIn();
    expect(openid.requests.get('/jwks')).toBe(before);
    for (let count = 0; count < 5; count++) {
      await openid.rotateKeys();
      await expect(signIn()).rejects.toMatchObject({ status: 400 });
    }
    expect(openid.requests.get('/jwks')).toBe(before);
  });

  it('startSignIn reads the discovery document once for many sign-ins', async () => {
    await signIn();
    const before = openid.requests.get('/.well-known/openid-configuration');
    for (let count = 0; count < 5; count++) await signIn();
    expect(openid.requests.get('/.well-known/openid-configuration')).toBe(before);
  });
});

describe('startSignIn', () => {
  const away: Lie['answers'] = {
    '/.well-known/openid-configuration': (response) => response.writeHead(503).end(),
  };

  it('startSignIn reports a provider that is down, and stores nothing', async () => {
    await console.close();
    console = createSignInConsole(database);
    openid.lie = { answers: away };
    const body = { identity_provider_id: provider.id };
    for (let count = 0; count < 2; count++) {
      await expect(console.as().startSignIn({ body })).rejects.toMatchObject({
        status: 502,
        detail: expect.stringMatching(
          /^Acme directory is not available\. Try again later, or sign in with a password/,
        ),
      });
    }
    const { rows } = await database.pool.query('SELECT id FROM sign_in_attempts');
    expect(rows).toEqual([]);
  });
});

describe('an unusable discovery document', () => {
  const documents: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'another issuer': { issuer: 'https://other.test' },
    'no token endpoint': { token_endpoint: undefined },
    'no keys': { jwks_uri: undefined },
    'an authorization endpoint that is a script': { authorization_endpoint: 'javascript:alert(1)' },
    'a sign-out endpoint that is a script': { end_session_endpoint: 'javascript:alert(1)' },
    'a userinfo endpoint in a file': { userinfo_endpoint: 'file:///etc/passwd' },
    'an authorization endpoint that is data': { authorization_endpoint: 'data:text/html,hello' },
  };
  it.each(Object.entries(documents))(
    'createIdentityProvider rejects a discovery document with %s',
    async (_, metadata) => {
      await console.close();
      console = createSignInConsole(database);
      openid.lie = { metadata };
      const body = { issuer: openid.issuer, client_id: 'sluice', name: 'Second' };
      await expect(console.as(operator).createIdentityProvider({ body })).rejects.toMatchObject({
        status: 422,
        detail: [{ loc: ['body', 'issuer'] }],
      });
    },
  );

  it.each([
    'file:///etc/passwd',
    'http://169.254.169.254',
    'https://user:pass@one.test',
    'https://one.test/?a=b',
    'one',
  ])('createIdentityProvider rejects the issuer %s', async (issuer) => {
    const body = { issuer, client_id: 'sluice', name: 'Second' };
    await expect(console.as(operator).createIdentityProvider({ body })).rejects.toMatchObject({
      status: 422,
    });
  });

  it('createIdentityProvider rejects private network and plain HTTP issuers unless they are allowed', async () => {
    const strict = createSignInConsole(database, { canReachPrivateEndpoints: false });
    for (const issuer of [openid.issuer, 'https://10.0.0.1', 'http://one.test']) {
      const body = { issuer, client_id: 'sluice', name: 'Second' };
      await expect(strict.as(operator).createIdentityProvider({ body })).rejects.toMatchObject({
        status: 422,
      });
    }
    await strict.close();
  });
});

describe('receiveBackchannelLogout', () => {
  const receive = async (claims: Readonly<Record<string, unknown>>) =>
    visitor.receiveBackchannelLogout({
      params: { id: provider.id },
      form: { logout_token: await openid.signLogoutToken(claims) },
    });
  const countLive = async () => {
    const { rows } = await database.pool.query('SELECT id FROM sessions WHERE ended_at IS NULL');
    return rows.length;
  };

  it.each([
    ['the subject', { sub: 'mara' }],
    ['the session', { sid: 'session-1' }],
    ['both', { sub: 'mara', sid: 'session-1' }],
  ])('receiveBackchannelLogout ends sessions by %s', async (_, claims) => {
    await signIn({ claims: { sid: 'session-1' } });
    await receive(claims);
    expect(await countLive()).toBe(0);
  });

  it.each([
    ['another subject', { sub: 'ben' }],
    ['another session', { sub: 'mara', sid: 'session-2' }],
  ])('receiveBackchannelLogout keeps a session if the token names %s', async (_, claims) => {
    await signIn({ claims: { sid: 'session-1' } });
    await receive(claims);
    expect(await countLive()).toBe(1);
  });

  it('receiveBackchannelLogout ends no session that started after a replayed token was issued', async () => {
    const iat = nowSeconds() - 120;
    await signIn();
    await receive({ sub: 'mara', iat });
    expect(await countLive()).toBe(1);
  });

  it.each<[string, () => Readonly<Record<string, unknown>>]>([
    ['without its event', () => ({ sub: 'mara', events: {} })],
    ['with a nonce', () => ({ sub: 'mara', nonce: 'n' })],
    ['without an id', () => ({ sub: 'mara', jti: undefined })],
    ['without subject and session', () => ({})],
    ['for another client', () => ({ sub: 'mara', aud: 'another-client' })],
    ['of another issuer', () => ({ sub: 'mara', iss: other.issuer })],
    ['that has expired', () => ({ sub: 'mara', exp: nowSeconds() - 90 })],
    ['that is old', () => ({ sub: 'mara', iat: nowSeconds() - 600 })],
  ])('receiveBackchannelLogout rejects a token %s', async (_, claims) => {
    await signIn();
    await expect(receive(claims())).rejects.toMatchObject({ status: 400 });
    expect(await countLive()).toBe(1);
  });

  it('receiveBackchannelLogout rejects an ID token and a token of another provider', async () => {
    await signIn();
    const foreign = await other.signLogoutToken({ sub: 'mara', iss: openid.issuer });
    const idToken = await openid.signLogoutToken({ sub: 'mara', events: undefined, nonce: 'n' });
    for (const logout_token of [foreign, idToken, 'x.y.z']) {
      const call = visitor.receiveBackchannelLogout({ params: { id: provider.id }, form: { logout_token } });
      await expect(call).rejects.toMatchObject({ status: 400 });
    }
    expect(await countLive()).toBe(1);
  });
});
