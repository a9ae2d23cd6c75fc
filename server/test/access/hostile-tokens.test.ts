import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeyring } from '#platform/keyring.ts';
import { signSessionToken } from '#platform/tokens.ts';
import { type RunningServer, startWorker, testKeyring } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { exchange } from '../requests/raw-exchange.ts';
import { addMember, createWorld } from './world.ts';

const nowSeconds = Math.floor(Date.now() / 1000);
const endedSessionId = crypto.randomUUID();
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

const claims = {
  sid: crypto.randomUUID(),
  ver: 1,
  iss: 'sluice',
  aud: 'sluice-console',
  sub: '1',
  iat: nowSeconds,
  exp: nowSeconds + 3_600,
};
const header = { alg: 'HS256', typ: 'JWT' };

const encode = (part: unknown) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

function forge(
  payload: object | string = {},
  {
    head = {},
    key = testKeyring.sessionKey,
    hash = 'sha256',
  }: { head?: object; key?: Uint8Array; hash?: string } = {},
): string {
  const body = typeof payload === 'string' ? payload : { ...claims, ...payload };
  const content = `${encode({ ...header, ...head })}.${encode(body)}`;
  return `${content}.${createHmac(hash, key).update(content).digest('base64url')}`;
}

function withoutSignature(alg: string): string {
  return `${encode({ ...header, alg })}.${encode(claims)}.`;
}

function signByRsa(head: object): string {
  const content = `${encode({ ...header, alg: 'RS256', ...head })}.${encode(claims)}`;
  return `${content}.${createSign('sha256').update(content).sign(rsa.privateKey, 'base64url')}`;
}

const good = forge();
const [goodHead = '', goodBody = '', goodSignature = ''] = good.split('.');
const publicKey = rsa.publicKey.export({ type: 'spki', format: 'pem' });
const jwk = rsa.publicKey.export({ format: 'jwk' });
const secretJwk = { kty: 'oct', k: Buffer.from('attacker').toString('base64url') };

const hostile: Record<string, string> = {
  'algorithm none': withoutSignature('none'),
  'algorithm None': withoutSignature('None'),
  'algorithm NONE': withoutSignature('NONE'),
  'algorithm nOnE': withoutSignature('nOnE'),
  'no algorithm': withoutSignature(''),
  'algorithm none with a good signature': `${encode({ ...header, alg: 'none' })}.${goodBody}.${goodSignature}`,
  'no signature': `${goodHead}.${goodBody}.`,
  'no signature and no dot': `${goodHead}.${goodBody}`,
  'HS384 by our own key': forge({}, { head: { alg: 'HS384' }, hash: 'sha384' }),
  'HS512 by our own key': forge({}, { head: { alg: 'HS512' }, hash: 'sha512' }),
  'HS256 declared, SHA-512 used': forge({}, { hash: 'sha512' }),
  'RS256 by a key of their own': signByRsa({}),
  'RS256 with the key inside': signByRsa({ jwk }),
  'RS256 with the URL of a key': signByRsa({
    jku: 'http://127.0.0.1:1/keys',
    x5u: 'http://127.0.0.1:1/',
  }),
  'HMAC by the public key': forge({}, { key: Buffer.from(publicKey) }),
  'another key': forge({}, { key: Buffer.alloc(32, 7) }),
  'an empty key': forge({}, { key: Buffer.alloc(0) }),
  'a key of zeros': forge({}, { key: Buffer.alloc(32) }),
  'the key of another purpose': forge({}, { key: testKeyring.sealingKey.current }),
  'the key of another installation': forge({}, { key: createKeyring('another secret').sessionKey }),
  'a key named by path': forge({}, { head: { kid: '../../../../dev/null' }, key: Buffer.alloc(0) }),
  'a key named by query': forge(
    {},
    { head: { kid: "' UNION SELECT 'attacker" }, key: Buffer.from('attacker') },
  ),
  'a secret key inside': forge({}, { head: { jwk: secretJwk }, key: Buffer.from('attacker') }),
  'an extension that must be understood': forge({}, { head: { crit: ['x-admin'], 'x-admin': true } }),
  'a body that is not encoded': forge({}, { head: { crit: ['b64'], b64: false } }),
  'no type': forge({}, { head: { typ: undefined } }),
  'the type of an access token': forge({}, { head: { typ: 'at+jwt' } }),
  'the type of an encrypted token': forge({}, { head: { typ: 'JWE' } }),
  'another issuer': forge({ iss: 'sluice.attacker' }),
  'no issuer': forge({ iss: undefined }),
  'another audience': forge({ aud: 'sluice-api' }),
  'audiences without ours': forge({ aud: ['a', 'b'] }),
  'no audience': forge({ aud: undefined }),
  expired: forge({ exp: nowSeconds - 1 }),
  'expired at the epoch': forge({ exp: 0 }),
  'a missing expiry': forge({ exp: undefined }),
  'an expiry in words': forge({ exp: 'never' }),
  'an expiry that is not finite': forge(JSON.stringify(claims).replace(`"exp":${claims.exp}`, '"exp":1e999')),
  'not yet valid': forge({ nbf: nowSeconds + 600 }),
  'a start in words': forge({ nbf: 'now' }),
  'no date of issue': forge({ iat: undefined }),
  'no person': forge({ sub: undefined }),
  'person 0': forge({ sub: '0' }),
  'a negative person': forge({ sub: '-1' }),
  'a person in another notation': forge({ sub: '1e0' }),
  'a person as a number': forge({ sub: 1 }),
  'a person beyond all ids': forge({ sub: '9999999999' }),
  'an unknown person': forge({ sub: '2147483647' }),
  'a person by query': forge({ sub: "1' OR '1'='1" }),
  'no session': forge({ sid: undefined }),
  'a session as a number': forge({ sid: 7 }),
  'an ended session': forge({ sid: endedSessionId }),
  'no version': forge({ ver: undefined }),
  'an older version': forge({ ver: 0 }),
  'a later version': forge({ ver: 2 }),
  'a version in words': forge({ ver: '1' }),
  'a changed body': `${goodHead}.${encode({ ...claims, sub: '2' })}.${goodSignature}`,
  'a changed head': `${encode({ ...header, kid: '1' })}.${goodBody}.${goodSignature}`,
  'a signature cut in half': `${goodHead}.${goodBody}.${goodSignature.slice(0, 21)}`,
  'a cut token': good.slice(0, good.length / 2),
  'one character': 'e',
  'dots alone': '..',
  'five parts': `${goodHead}.${goodBody}.${goodSignature}.${goodBody}.${goodSignature}`,
  'a part too many': `${good}.x`,
  'a body that is no JSON': forge('not JSON'),
  'a body that is a list': forge('[]'),
  'a body that is null': forge('null'),
  'a body of a thousand levels': forge(`${'['.repeat(1_000)}${']'.repeat(1_000)}`),
  'a head that is no JSON': `${encode('{')}.${goodBody}.${goodSignature}`,
  'characters outside the alphabet': `${goodHead}.${goodBody}.${'*'.repeat(43)}`,
  '15 KB of body': forge({ note: 'x'.repeat(11_000) }),
  '15 KB of nothing': `eyJ${'A'.repeat(15_000)}`,
};

let database: TestDatabase;
let worker: RunningServer;

beforeAll(async () => {
  database = await createTestDatabase();
  const world = await createWorld(database.pool);
  const { userId } = await addMember(world, world.home, 'admin');
  expect(String(userId)).toBe(claims.sub);
  await database.pool.query(
    `INSERT INTO sessions (id, tenant_id, user_id, address, user_agent, expires_at, ended_at)
     VALUES ($1, $2, $3, '192.0.2.1', 'test', now() + interval '1 hour', now())`,
    [endedSessionId, world.home.id, userId],
  );
  worker = await startWorker({ connectionString: database.connectionString });
});
afterAll(async () => {
  await worker.close();
  await database.close();
});

const ask = async (path: string, token: string) => {
  const response = await fetch(worker.origin + path, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, body: await response.text() };
};

const planes = [
  { plane: 'the console', path: '/api/v1/auth/me', words: 'Could not validate credentials' },
  { plane: 'the gateway', path: '/api/v1/models', words: 'invalid_api_key' },
];

describe.each(planes)('$plane', ({ path, words }) => {
  /** Returns the response to a text that is no token. */
  const readGeneralBody = async () => {
    const { body } = await ask(path, 'e');
    expect(body).toContain(words);
    return body;
  };

  it('the session check accepts the token from which the invalid ones are made, and a signed session token', async () => {
    expect(await ask(path, good)).toMatchObject({ status: 200 });
    const ours = { userId: 1, sessionId: crypto.randomUUID(), tokenVersion: 1 };
    const signed = await signSessionToken(testKeyring.sessionKey, ours, Date.now());
    expect(await ask(path, signed)).toMatchObject({ status: 200 });
  });

  it.each(Object.entries(hostile))(
    'the session check rejects a token with the same response as a text that is no token: %s',
    async (_name, token) => {
      expect(await ask(path, token)).toEqual({ status: 401, body: await readGeneralBody() });
    },
  );

  it('the session check rejects a token of one megabyte with 431 or by closing the connection, and continues to serve', async () => {
    const head = `GET ${path} HTTP/1.1\r\nHost: sluice\r\nAuthorization: Bearer eyJ`;
    const answers = await exchange(worker.port, `${head}${'A'.repeat(1_000_000)}\r\n\r\n`);
    // If the connection is reset before the rejection arrives, there is no response.
    expect(answers.filter(({ status }) => status !== 431)).toEqual([]);
    expect(await ask(path, good)).toMatchObject({ status: 200 });
  });

  it.each([
    ['another scheme', `Basic ${good}`],
    ['no scheme', good],
    ['no token', 'Bearer '],
    ['two tokens', `Bearer ${good} ${good}`],
  ])('the session check rejects an Authorization header with %s', async (_name, authorization) => {
    const { status } = await fetch(worker.origin + path, { headers: { authorization } });
    expect(status).toBe(401);
  });
});
