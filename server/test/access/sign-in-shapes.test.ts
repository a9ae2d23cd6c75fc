import { afterAll, beforeAll, expect, it } from 'vitest';
import { computeTotp, totpStepOf } from '#domain/totp.ts';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { type LyingOpenIdProvider, startLyingOpenIdProvider } from '../providers/lying-openid-provider.ts';
import { workerVariables } from './attempts.ts';
import { addCaller, type Caller, callerKinds } from './callers.ts';
import { proveSession } from './own-factors.ts';
import { createWorld, type World } from './world.ts';

// External clients send these requests, so the tests do not use the types of the contract.
let database: TestDatabase;
let world: World;
let worker: RunningServer;
let openid: LyingOpenIdProvider;
let operator: Caller;
let admin: Caller;
let provider: Record<string, unknown>;

beforeAll(async () => {
  database = await createTestDatabase();
  world = await createWorld(database.pool);
  const add = (wanted: string) => addCaller(world, callerKinds.find(({ name }) => name === wanted)!);
  operator = await add('super_admin');
  admin = await add('admin');
  await database.pool.query("INSERT INTO teams (tenant_id, name) VALUES ($1, 'Research')", [world.home.id]);
  openid = await startLyingOpenIdProvider();
  const variables = { ...workerVariables, SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1' };
  worker = await startWorker({ connectionString: database.connectionString, variables });
  const answer = await call(operator.authorization, 'POST', '/admin/identity-providers', {
    kind: 'oidc',
    name: 'Acme',
    issuer: openid.issuer,
    client_id: openid.clientId,
    client_secret: openid.clientSecret,
    email_domains: ['acme.test'],
    role_claim: 'realm_access.roles',
    role_map: { leads: 'admin' },
    team_claim: 'departments',
    team_map: { lab: 'Research' },
    default_role: 'user',
    creates_users: true,
  });
  expect(answer.status).toBe(201);
  provider = answer.body;
});
afterAll(async () => {
  await worker.close();
  await openid.close();
  await database.close();
});

interface Sent {
  readonly authorization?: string | null;
  readonly cookie?: string;
}

async function call(sent: Caller['authorization'] | Sent, method: string, path: string, body?: object) {
  const { authorization, cookie }: Sent =
    typeof sent === 'object' && sent !== null ? sent : { authorization: sent };
  const response = await fetch(`${worker.origin}/api/v1${path}`, {
    method,
    headers: {
      ...(authorization && { authorization }),
      ...(cookie && { cookie }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

const user = (sub: string, more: object = {}) => ({
  sub,
  email: `${sub}@acme.test`,
  email_verified: true,
  realm_access: { roles: ['leads'] },
  departments: ['lab'],
  ...more,
});

/** Fetches a path without following redirects. */
const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${worker.origin}${path}`, { redirect: 'manual', headers });

async function start() {
  const response = await open(`/api/v1/auth/oidc/${provider.id}/start`);
  const setCookie = response.headers.get('set-cookie') ?? '';
  return { response, setCookie, cookie: setCookie.split(';')[0] ?? '' };
}

async function arrive(claims: ReturnType<typeof user>) {
  const { response, cookie } = await start();
  openid.user = claims;
  const query = openid.authorize(response.headers.get('location') ?? '');
  const redirected = await open(`/api/v1/auth/oidc/${provider.id}/callback?${query}`);
  expect(redirected.status).toBe(302);
  const location = redirected.headers.get('location') ?? '';
  expect(location).toMatch(new RegExp(`^/login/callback/${provider.id}\\?`));
  return { cookie, body: { callback: String(provider.id), response: location.split('?')[1] } };
}

const finish = ({ cookie, body }: { cookie: string; body: object }) =>
  call({ cookie }, 'POST', '/auth/sign-ins/finish', body);

const change = (body: object) =>
  call(operator.authorization, 'PUT', `/admin/identity-providers/${provider.id}`, body);

it('an identity provider is returned with the fields that it was created with, and without its secret', async () => {
  const { body: listed } = await call(operator.authorization, 'GET', '/admin/identity-providers');
  for (const row of [provider, listed[0]]) {
    expect(row).toMatchObject({
      kind: 'oidc',
      name: 'Acme',
      issuer: openid.issuer,
      client_id: openid.clientId,
      email_domains: ['acme.test'],
      role_claim: 'realm_access.roles',
      role_map: { leads: 'admin' },
      team_claim: 'departments',
      team_map: { lab: 'Research' },
      default_role: 'user',
      creates_users: true,
      redirect_uri: expect.stringMatching(new RegExp(`/api/v1/auth/oidc/${provider.id}/callback$`)),
      backchannel_logout_uri: expect.stringContaining(`/auth/backchannel-logout/${provider.id}`),
    });
    expect(JSON.stringify(row)).not.toContain(openid.clientSecret);
  }
});

it.each([
  [{ role_map: { leads: 'super_admin' } }, 'role_map'],
  [{ team_map: { lab: 'No such team' } }, 'team_map'],
  [{ email_domains: ['gmail.com'] }, 'email_domains'],
  [{ email_domains: ['not a domain'] }, 'email_domains'],
  [{ kind: 'saml' }, 'kind'],
])('the change %j is rejected with the name of the invalid field', async (body, field) => {
  const answer = await change(body);
  expect(answer.status).toBe(422);
  expect(JSON.stringify(answer.body)).toContain(field);
});

it('a domain that an administrator adds is used only once it is confirmed', async () => {
  const made = await call(admin.authorization, 'POST', '/admin/identity-providers', {
    name: 'Claim',
    issuer: openid.issuer,
    client_id: 'other',
    email_domains: ['claimed.test'],
  });
  expect(made.status).toBe(201);
  const { body: domains } = await call(admin.authorization, 'GET', '/admin/domains');
  const confirmed = domains.map((one: { domain: string; confirmed_at: unknown }) => [
    one.domain,
    one.confirmed_at !== null,
  ]);
  expect(confirmed).toEqual([
    ['acme.test', true],
    ['claimed.test', false],
  ]);
  const offered = await call(null, 'GET', '/auth/providers?email=a@claimed.test');
  expect(offered.body.providers).toEqual([]);
});

it('GET /auth/providers lists the providers for the domain of an email address', async () => {
  const { status, body } = await call(null, 'GET', '/auth/providers?email=mara@acme.test');
  expect(status).toBe(200);
  expect(body.providers).toEqual([
    { id: provider.id, name: 'Acme', kind: 'oidc', start_path: `/api/v1/auth/oidc/${provider.id}/start` },
  ]);
});

it('starting a sign-in redirects to the provider with state, nonce and PKCE, and binds the browser by a cookie', async () => {
  const { response, setCookie } = await start();
  expect(response.status).toBe(302);
  const location = new URL(response.headers.get('location') ?? '');
  expect(location.origin).toBe(openid.issuer);
  expect(Object.fromEntries(location.searchParams)).toMatchObject({
    redirect_uri: provider.redirect_uri,
    code_challenge_method: 'S256',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(setCookie).toMatch(/^sluice-sign-in=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Strict$/);
});

it('a link of another site starts no sign-in', async () => {
  const response = await open(`/api/v1/auth/oidc/${provider.id}/start`, { 'sec-fetch-site': 'cross-site' });
  expect(response.status).toBe(403);
  expect(response.headers.get('set-cookie')).toBeNull();
});

it('the callback leads to a page that opens a session once, with the mapped role and team', async () => {
  const arrived = await arrive(user('mara'));
  const { status, body } = await finish(arrived);
  expect(status).toBe(200);
  const authorization = `Bearer ${body.access_token}`;
  const me = await call(authorization, 'GET', '/auth/me');
  expect(me.body).toMatchObject({ email: 'mara@acme.test', role: { name: 'admin' } });
  const { rows } = await database.pool.query(
    'SELECT t.name FROM team_members m JOIN teams t ON t.id = m.team_id WHERE m.user_id = $1',
    [me.body.id],
  );
  expect(rows).toEqual([{ name: 'Research' }]);
  expect((await finish(arrived)).status).toBe(400);
  const ended = await call(authorization, 'POST', '/auth/logout');
  expect(ended).toMatchObject({
    status: 200,
    body: { logout_url: expect.stringContaining(`${openid.issuer}/logout`) },
  });
  expect((await call(authorization, 'GET', '/auth/me')).status).toBe(401);
});

it.each<[string, (arrived: Awaited<ReturnType<typeof arrive>>) => Promise<{ cookie: string; body: object }>]>(
  [
    ['without a cookie', async ({ body }) => ({ cookie: '', body })],
    [
      'in the browser that started another sign-in',
      async ({ body }) => ({ cookie: (await start()).cookie, body }),
    ],
    [
      'at the redirect URI of another provider',
      async ({ cookie, body }) => ({ cookie, body: { ...body, callback: String(Number(provider.id) + 1) } }),
    ],
  ],
)('a response %s opens no session', async (_, tamper) => {
  const given = await tamper(await arrive(user('noor')));
  expect((await finish(given)).status).toBe(400);
});

it('the callback redirects only to its own page, regardless of its query', async () => {
  const query = 'code=1&state=x&redirect=https://evil.test&redirect_uri=//evil.test';
  const response = await open(`/api/v1/auth/oidc/${provider.id}/callback?${query}`);
  const location = new URL(response.headers.get('location') ?? '', worker.origin);
  expect([location.origin, location.pathname]).toEqual([worker.origin, `/login/callback/${provider.id}`]);
  expect((await open('/api/v1/auth/oidc/..%2F..%2Fevil/callback')).status).toBe(404);
});

it.each([
  ['default_role null', { default_role: null }, user('ben', { realm_access: { roles: [] } })],
  ['creates_users false', { creates_users: false }, user('ben')],
  ['an email of another domain', {}, user('ben', { email: 'ben@elsewhere.test' })],
])('%s rejects a user without an account', async (_, body, claims) => {
  await change(body);
  const { status } = await finish(await arrive(claims));
  await change({ default_role: 'user', creates_users: true });
  expect(status).toBe(403);
});

it('an authenticator app is added with its otpauth URL and a code', async () => {
  await proveSession(world, admin);
  const { status, body } = await call(admin.authorization, 'POST', '/user/second-factor/totp');
  expect(status).toBe(200);
  expect(body.otpauth_url).toMatch(/^otpauth:\/\/totp\//);
  const secret = new URL(body.otpauth_url).searchParams.get('secret') ?? '';
  const code = computeTotp(secret, totpStepOf(Date.now()));
  const confirmed = await call(admin.authorization, 'POST', '/user/second-factor/totp/confirm', { code });
  expect(confirmed.status).toBe(200);
  expect(confirmed.body.recovery_codes).toEqual(expect.arrayContaining([expect.any(String)]));
});

it('a management token with the scope scim, and no other, reaches /scim/v2', async () => {
  const makeToken = async (scopes: string[]) => {
    const body = { name: `Token ${scopes}`, scopes };
    const made = await call(operator.authorization, 'POST', '/admin/tokens', body);
    expect(made.status).toBe(201);
    return `Bearer ${made.body.token}`;
  };
  const listUsers = async (authorization: string) =>
    (await fetch(`${worker.origin}/scim/v2/Users`, { headers: { authorization } })).status;
  const scim = await makeToken(['scim']);
  expect(await listUsers(scim)).toBe(200);
  expect(await listUsers(await makeToken(['users:read', 'users:write']))).toBe(403);
  expect((await call(scim, 'GET', '/admin/users')).status).toBe(403);
});
