import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { type LyingOpenIdProvider, startLyingOpenIdProvider } from '../providers/lying-openid-provider.ts';
import { workerVariables } from './attempts.ts';
import { addCaller, callerKinds } from './callers.ts';
import { addMember, createWorld, password, type World } from './world.ts';

/** Tests of session fixation and login CSRF with the requests that an attacker's page would trigger in a browser. */
let database: TestDatabase;
let world: World;
let worker: RunningServer;
let openid: LyingOpenIdProvider;
let providerId: number;
let planted: string;

beforeAll(async () => {
  database = await createTestDatabase();
  world = await createWorld(database.pool);
  openid = await startLyingOpenIdProvider();
  const variables = { ...workerVariables, SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1' };
  worker = await startWorker({ connectionString: database.connectionString, variables });
  const add = (wanted: string) => addCaller(world, callerKinds.find(({ name }) => name === wanted)!);
  const operator = await add('super_admin');
  const made = await send('POST', '/admin/identity-providers', {
    headers: { authorization: String(operator.authorization) },
    json: {
      name: 'Acme',
      issuer: openid.issuer,
      client_id: openid.clientId,
      client_secret: openid.clientSecret,
      email_domains: ['acme.test'],
    },
  });
  providerId = (await read<{ id: number }>(made)).id;
});
afterAll(async () => {
  await worker.close();
  await openid.close();
  await database.close();
});
beforeEach(async () => {
  const attacker = await addMember(world, world.home, 'user');
  planted = await tokenOf(await logIn(attacker.email));
});

// safe because the contract defines the fields of each response
const read = async <Fields>(response: Response) => (await response.json()) as Fields;

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: object;
  readonly form?: Readonly<Record<string, string>>;
}

function send(method: string, path: string, { headers, json, form }: Sent = {}): Promise<Response> {
  return fetch(`${worker.origin}/api/v1${path}`, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(json && { 'content-type': 'application/json' }) },
    ...(json && { body: JSON.stringify(json) }),
    ...(form && { body: new URLSearchParams(form) }),
  });
}

const logIn = (email: string, headers = {}) =>
  send('POST', '/auth/login', { headers, form: { username: email, password } });

async function signInAtProvider(email: string, headers: Readonly<Record<string, string>> = {}) {
  const started = await send('GET', `/auth/oidc/${providerId}/start`, { headers });
  const own = started.headers.get('set-cookie')?.split(';')[0] ?? '';
  openid.user = { sub: email, email, email_verified: true };
  return send('POST', '/auth/sign-ins/finish', {
    headers: { ...headers, cookie: [own, headers.cookie].filter(Boolean).join('; ') },
    json: {
      callback: String(providerId),
      response: openid.authorize(started.headers.get('location') ?? ''),
    },
  });
}

async function tokenOf(response: Response): Promise<string> {
  expect(response.status).toBe(200);
  return (await read<{ access_token: string }>(response)).access_token;
}

const sessionOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid;

async function emailOf(token: string): Promise<string> {
  const response = await send('GET', '/auth/me', { headers: { authorization: `Bearer ${token}` } });
  return (await read<{ email: string }>(response)).email;
}

const waysIn: Readonly<
  Record<string, (headers: Readonly<Record<string, string>>) => Promise<[string, Response]>>
> = {
  password: async (headers) => {
    const { email } = await addMember(world, world.home, 'user');
    return [email, await logIn(email, headers)];
  },
  'identity provider': async (headers) => [
    'mara@acme.test',
    await signInAtProvider('mara@acme.test', headers),
  ],
};

it.each(Object.entries(waysIn))(
  'session fixation: a sign-in by %s opens a session with a new id, regardless of the token and cookies that the browser sends',
  async (_, signIn) => {
    const [email, response] = await signIn({
      authorization: `Bearer ${planted}`,
      cookie: `auth_token=${planted}; session=${sessionOf(planted)}; sluice-sign-in=planted`,
      'x-session-id': sessionOf(planted),
    });
    const token = await tokenOf(response);
    expect(sessionOf(token)).not.toBe(sessionOf(planted));
    expect(await emailOf(token)).toBe(email);
    // The attacker's token still opens the attacker's own session.
    expect(await emailOf(planted)).not.toBe(email);
  },
);

it.each(Object.entries(waysIn))(
  'login CSRF: the response of a sign-in by %s sets no cookie that signs in, and another site cannot read it',
  async (_, signIn) => {
    const [, response] = await signIn({ origin: 'https://evil.test' });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    const cookie = response.headers.get('set-cookie');
    // The response deletes the cookie of the completed sign-in.
    if (cookie !== null) expect(cookie).toMatch(/^sluice-sign-in=; Path=\/; Max-Age=0; /);
    const token = await tokenOf(response);
    const asCookie = { cookie: `auth_token=${token}; access_token=${token}; token=${token}` };
    expect((await send('GET', '/auth/me', { headers: asCookie })).status).toBe(401);
  },
);

it('login CSRF: a response to the attacker completes no sign-in in a browser that has started its own', async () => {
  const started = await send('GET', `/auth/oidc/${providerId}/start`);
  openid.user = { sub: 'mallory', email: 'mallory@acme.test', email_verified: true };
  const ofAttacker = openid.authorize(started.headers.get('location') ?? '');
  const victim = await send('GET', `/auth/oidc/${providerId}/start`);
  const cookie = victim.headers.get('set-cookie')?.split(';')[0] ?? '';
  const finish = (headers: Record<string, string>) =>
    send('POST', '/auth/sign-ins/finish', {
      headers,
      json: { callback: String(providerId), response: ofAttacker },
    });
  expect((await finish({ cookie })).status).toBe(400);
  expect((await finish({})).status).toBe(400);
});
