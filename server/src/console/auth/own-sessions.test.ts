import { authRoutes, type OpenSession } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { createRunInTenant } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createPasswordHasher } from '#platform/password.ts';
import { verifySessionToken } from '#platform/tokens.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { endOwnSession } from './own-sessions.ts';
import { createAuthHandlers } from './routes.ts';

const keyring = createKeyring('test');
const passwords = createPasswordHasher();
const current = 'correct horse';

let database: TestDatabase;
let as: ReturnType<typeof createTestConsole<typeof authRoutes>>;
let mara: Principal;
let noor: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const handlers = createAuthHandlers({
    database: createSystemDatabase(database.pool),
    keyring,
    passwords,
    clock: Date.now,
  });
  as = createTestConsole(database.pool, authRoutes, handlers);
});
afterAll(() => database.close());

beforeEach(async () => {
  await emptyTables(database, 'tenants', 'login_attempts');
  const tenantId = await addTenant(database.pool, 'One');
  mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  noor = await addPerson(database.pool, tenantId, 'user', 'noor@one.test');
  await database.pool.query('UPDATE users SET password_hash = $1', [await passwords.hash(current)]);
});

async function signIn(person: Principal, address: string, password = current): Promise<Principal> {
  const form = { username: person.email, password };
  const { access_token } = await as({ address, userAgent: `Browser of ${address}` }).login({ form });
  const claims = await verifySessionToken(keyring.sessionKey, access_token, Date.now());
  return { ...person, credential: { kind: 'session', sessionId: claims!.sessionId } };
}

const list = (principal: Principal): Promise<OpenSession[]> => as({ principal }).listSessions();
const addressesOf = async (principal: Principal) => (await list(principal)).map(({ address }) => address);

describe('listSessions', () => {
  it("listSessions returns only the caller's sessions, with IP address, browser and the current session marked", async () => {
    const home = await signIn(mara, '192.0.2.1');
    await signIn(mara, '192.0.2.2');
    await signIn(noor, '192.0.2.3');
    const sessions = await list(home);
    expect(sessions.map(({ address, is_current }) => [address, is_current])).toEqual([
      ['192.0.2.2', false],
      ['192.0.2.1', true],
    ]);
    expect(sessions[1]).toMatchObject({ user_agent: 'Browser of 192.0.2.1' });
    expect(sessions[1]?.last_used_at).toBe(sessions[1]?.created_at);
  });

  it('listSessions omits sessions that were ended, have expired, or predate a change of the user', async () => {
    const home = await signIn(mara, '192.0.2.1');
    await signIn(mara, '192.0.2.2');
    await signIn(mara, '192.0.2.3');
    await database.pool.query("UPDATE sessions SET ended_at = now() WHERE address = '192.0.2.2'");
    await database.pool.query("UPDATE sessions SET expires_at = now() WHERE address = '192.0.2.3'");
    expect(await addressesOf(home)).toEqual(['192.0.2.1']);
    await database.pool.query('UPDATE users SET token_version = token_version + 1');
    expect(await list(home)).toEqual([]);
    expect(await addressesOf(await signIn(mara, '192.0.2.4'))).toEqual(['192.0.2.4']);
  });
});

describe('a session', () => {
  it('endOwnSession ends the session and can be repeated', async () => {
    const home = await signIn(mara, '192.0.2.1');
    const work = await signIn(mara, '192.0.2.2');
    const inTenant = createRunInTenant(database.pool, postgresRequestLog.openTenant);
    for (let count = 0; count < 2; count++) await inTenant(home.tenantId, (tx) => endOwnSession(tx, home));
    expect(await addressesOf(work)).toEqual(['192.0.2.2']);
  });

  it('endSession ends another session of the caller once', async () => {
    const home = await signIn(mara, '192.0.2.1');
    const work = await signIn(mara, '192.0.2.2');
    const [{ id } = { id: '' }] = await list(home);
    await as({ principal: home }).endSession({ params: { id } });
    expect(await addressesOf(work)).toEqual(['192.0.2.1']);
    await expect(as({ principal: home }).endSession({ params: { id } })).rejects.toMatchObject({
      status: 404,
      detail: 'Session not found',
    });
  });

  it("endSession returns 404 for another user's session", async () => {
    const home = await signIn(mara, '192.0.2.1');
    const stranger = await signIn(noor, '192.0.2.3');
    const [{ id } = { id: '' }] = await list(home);
    await expect(as({ principal: stranger }).endSession({ params: { id } })).rejects.toMatchObject({
      status: 404,
    });
    await as({ principal: stranger }).endOtherSessions();
    expect(await addressesOf(home)).toEqual(['192.0.2.1']);
  });

  it('endOtherSessions ends all sessions except the current one', async () => {
    await signIn(mara, '192.0.2.1');
    const work = await signIn(mara, '192.0.2.2');
    await signIn(mara, '192.0.2.3');
    await as({ principal: work }).endOtherSessions();
    expect(await addressesOf(work)).toEqual(['192.0.2.2']);
  });
});

describe('changeOwnPassword', () => {
  const change = (principal: Principal, new_password: string, current_password = current) =>
    as({ principal }).changeOwnPassword({ body: { current_password, new_password } });
  const problem = (field: string, msg: string) => ({
    status: 422,
    detail: [{ loc: ['body', field], msg, type: 'value_error' }],
  });

  it('changeOwnPassword returns a token of the same session and ends all others', async () => {
    const home = await signIn(mara, '192.0.2.1');
    await signIn(mara, '192.0.2.2');
    const answer = await change(home, 'another horse');
    expect(answer).toMatchObject({ message: 'Password changed successfully!', token_type: 'bearer' });
    const claims = await verifySessionToken(keyring.sessionKey, answer.access_token, Date.now());
    expect(claims).toMatchObject({ userId: mara.userId, tokenVersion: 2 });
    expect({ kind: 'session', sessionId: claims?.sessionId }).toEqual(home.credential);
    expect(await addressesOf(home)).toEqual(['192.0.2.1']);
    await expect(signIn(mara, '192.0.2.1')).rejects.toMatchObject({ status: 401 });
    await signIn(mara, '192.0.2.1', 'another horse');
  });

  it.each([
    ['signing out', 'UPDATE sessions SET ended_at = now()'],
    ['a new role', 'UPDATE users SET token_version = token_version + 1'],
  ])(
    'changeOwnPassword is rejected if %s ended the session after the request was authorized',
    async (_, end) => {
      const home = await signIn(mara, '192.0.2.1');
      await database.pool.query(end);
      await expect(change(home, 'another horse')).rejects.toMatchObject({ status: 409 });
      expect(await list(home)).toEqual([]);
      await signIn(mara, '192.0.2.2', current);
    },
  );

  it('changeOwnPassword keeps whether an identity provider opened the session', async () => {
    const home = await signIn(mara, '192.0.2.1');
    let password = current;
    for (const isFromProvider of [false, true]) {
      const credential = { ...home.credential, ...(isFromProvider && { isFromProvider }) };
      const next = `another horse of ${isFromProvider ? 'a provider' : 'the console'}`;
      const { access_token } = await change({ ...home, credential } as Principal, next, password);
      const claims = await verifySessionToken(keyring.sessionKey, access_token, Date.now());
      expect(claims?.isFromProvider).toBe(isFromProvider);
      password = next;
    }
  });

  it('changeOwnPassword requires the current password and otherwise changes nothing', async () => {
    const home = await signIn(mara, '192.0.2.1');
    await expect(change(home, 'another horse', 'wrong')).rejects.toMatchObject(
      problem('current_password', 'Current password is incorrect'),
    );
    await signIn(mara, '192.0.2.1');
  });

  it.each([
    [{ new_password: 'another horse' }, 'Current password is required'],
    [{ current_password: '', new_password: 'another horse' }, 'Current password is required'],
    [{ current_password: current }, 'New password is required'],
    [{ current_password: current, new_password: '' }, 'New password is required'],
    [{ current_password: current, new_password: '12345' }, 'New password must be at least 6 characters'],
    [
      { current_password: current, new_password: current },
      'New password must be different from current password',
    ],
  ])('changeOwnPassword rejects %j: %s', (body, message) => {
    const parsed = authRoutes.changeOwnPassword.request.body.safeParse(body);
    expect(parsed.error?.issues[0]?.message).toBe(message);
  });

  it.each(['x'.repeat(64), 'x'.repeat(128), 'only words here', '密碼密碼密碼密碼'])(
    'changeOwnPassword accepts %s',
    async (chosen) => {
      const body = { current_password: current, new_password: chosen };
      expect(authRoutes.changeOwnPassword.request.body.parse(body)).toEqual(body);
      await change(await signIn(mara, '192.0.2.1'), chosen);
      await signIn(mara, '192.0.2.1', chosen);
    },
  );

  it('changeOwnPassword rejects a common password as an error of its field', async () => {
    const home = await signIn(mara, '192.0.2.1');
    await expect(change(home, 'QWERTY123')).rejects.toMatchObject(
      problem('new_password', 'This password is too common. Please choose another one.'),
    );
  });

  it('changeOwnPassword returns 429 after ten wrong passwords, which do not count as sign-in attempts', async () => {
    const home = await signIn(mara, '192.0.2.1');
    for (let tried = 0; tried < 10; tried++) {
      await expect(change(home, 'another horse', 'wrong')).rejects.toMatchObject({ status: 422 });
    }
    await expect(change(home, 'another horse')).rejects.toMatchObject({
      status: 429,
      detail: expect.stringMatching(
        /^Too many attempts with the current password\. Try again in \d+ (?:minute|second)s?\.$/,
      ),
    });
    await signIn(mara, '192.0.2.1');
  });

  it('changeOwnPassword lets one of two concurrent calls succeed', async () => {
    const home = await signIn(mara, '192.0.2.1');
    const outcomes = await Promise.allSettled([change(home, 'second horse'), change(home, 'third horse')]);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toMatchObject([{ status: 409 }]);
  });
});
