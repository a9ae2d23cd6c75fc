import { authRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { ConsoleError } from '#errors/console-error.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createPasswordHasher, needsRehash, type PasswordHasher } from '#platform/password.ts';
import { verifySessionToken } from '#platform/tokens.ts';
import { addPerson, addTenant, type Caller, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createAuthHandlers } from './routes.ts';

const keyring = createKeyring('test');
const real = createPasswordHasher();
const right = 'correct horse';
const nowMs = Date.UTC(2026, 10, 20, 10, 0, 1);
const cheaperHash = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';

let database: TestDatabase;
let logInFrom: (
  caller: string | Caller,
  password: string,
  username?: string,
) => Promise<{ access_token: string }>;
let overload: ConsoleError | null;
let verified: string[];
let userId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  const tenantId = await addTenant(database.pool, 'One');
  ({ userId } = await addPerson(database.pool, tenantId, 'user', 'Mara@One.test'));
  await addPerson(database.pool, tenantId, 'user', 'other@one.test');
});
afterAll(() => database.close());

function createLogIn(): typeof logInFrom {
  const counting: PasswordHasher = {
    hash: real.hash,
    verify: async (password, hash) => {
      if (overload) throw overload;
      verified.push(hash);
      return real.verify(password, hash);
    },
  };
  const handlers = createAuthHandlers({
    database: createSystemDatabase(database.pool),
    keyring,
    passwords: counting,
    clock: () => nowMs,
  });
  const as = createTestConsole(database.pool, authRoutes, handlers);
  return (caller, password, username = 'mara@one.test') =>
    as(typeof caller === 'string' ? { address: caller } : caller).login({ form: { username, password } });
}

beforeEach(async () => {
  // Create a new instance for each test, because recent rejections are cached in memory.
  logInFrom = createLogIn();
  verified = [];
  overload = null;
  await database.pool.query('DELETE FROM login_attempts; DELETE FROM sessions');
  await database.pool.query(
    `UPDATE users SET password_hash = $1, is_active = true, is_blocked = false, token_version = 1, last_login_at = NULL`,
    [await rightHash],
  );
});
const rightHash = real.hash(right);

const refusalOf = async (attempt: Promise<unknown>) => {
  const refusal = await attempt.then(
    () => 'let in',
    (error: unknown) => error,
  );
  if (!(refusal instanceof ConsoleError)) throw new Error(`expected a refusal, got ${String(refusal)}`);
  return refusal;
};

describe('logIn', () => {
  it('logIn returns a token of the new session with the current token version, and records both', async () => {
    await database.pool.query('UPDATE users SET token_version = 7 WHERE id = $1', [userId]);
    const { access_token } = await logInFrom('192.0.2.1', right);
    const { rows } = await database.pool.query('SELECT id, user_id, address, expires_at FROM sessions');
    expect(await verifySessionToken(keyring.sessionKey, access_token, nowMs)).toEqual({
      userId,
      sessionId: rows[0].id,
      tokenVersion: 7,
      isFromProvider: false,
      issuedAtMs: Math.floor(nowMs / 1000) * 1000,
    });
    expect(rows).toEqual([
      expect.objectContaining({
        user_id: userId,
        address: '192.0.2.1',
        expires_at: new Date(nowMs + 12 * 3_600_000),
      }),
    ]);
    const { rows: people } = await database.pool.query('SELECT last_login_at FROM users WHERE id = $1', [
      userId,
    ]);
    expect(people[0].last_login_at).toEqual(new Date(nowMs));
  });

  it('logIn ignores case and surrounding whitespace of the email', async () => {
    await expect(logInFrom('192.0.2.1', right, ' MARA@one.TEST ')).resolves.toHaveProperty('access_token');
  });

  it('logIn rejects an unknown email and a wrong password with the same message, after the same hashing', async () => {
    const unknown = await refusalOf(logInFrom('192.0.2.1', right, 'nobody@one.test'));
    const wrong = await refusalOf(logInFrom('192.0.2.1', 'wrong'));
    expect([unknown.status, unknown.detail]).toEqual([401, 'Incorrect email or password']);
    expect([wrong.status, wrong.detail]).toEqual([unknown.status, unknown.detail]);
    expect(verified).toHaveLength(2);
    expect(verified.map(needsRehash)).toEqual([false, false]);
  });

  it('logIn reports an inactive account only after the correct password', async () => {
    await database.pool.query('UPDATE users SET is_active = false WHERE id = $1', [userId]);
    const known = await refusalOf(logInFrom('192.0.2.1', right));
    expect([known.status, known.detail]).toEqual([403, 'This account is inactive. Ask your administrator.']);
    expect((await refusalOf(logInFrom('192.0.2.1', 'wrong'))).status).toBe(401);
  });

  it('logIn lets a blocked user sign in to see their portal', async () => {
    await database.pool.query('UPDATE users SET is_blocked = true WHERE id = $1', [userId]);
    await expect(logInFrom('192.0.2.1', right)).resolves.toHaveProperty('access_token');
  });

  it('logIn rehashes a password that was hashed at another cost', async () => {
    await database.pool.query('UPDATE users SET password_hash = $1 WHERE id = $2', [cheaperHash, userId]);
    await logInFrom('192.0.2.1', 'password');
    const { rows } = await database.pool.query('SELECT password_hash FROM users WHERE id = $1', [userId]);
    expect(needsRehash(rows[0].password_hash)).toBe(false);
    await expect(logInFrom('192.0.2.1', 'password')).resolves.toHaveProperty('access_token');
  });
});

describe('sign-in throttle', () => {
  const failTimes = async (times: number, address: string | Caller, username?: string) => {
    const refusals = [];
    for (let tried = 0; tried < times; tried++) {
      refusals.push((await refusalOf(logInFrom(address, 'wrong', username))).status);
    }
    return refusals;
  };

  it('logIn rejects the eleventh attempt in 15 minutes before hashing, with a retry time', async () => {
    expect(await failTimes(10, '192.0.2.1')).toEqual(Array(10).fill(401));
    verified = [];
    const refusal = await refusalOf(logInFrom('192.0.2.1', right));
    expect([refusal.status, refusal.detail]).toEqual([
      429,
      'Too many sign-in attempts. Try again in 15 minutes.',
    ]);
    expect(refusal.retryAfterSeconds).toBe(899);
    expect(verified).toEqual([]);
  });

  it('logIn checks the password of exactly ten of 25 parallel attempts and rejects the others', async () => {
    const tries = Array.from({ length: 25 }, (_, place) => refusalOf(logInFrom(`192.0.2.${place}`, 'wrong')));
    const statuses = (await Promise.all(tries)).map((refusal) => refusal.status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
  });

  it("logIn limits attempts for an unknown account like those for a known account, regardless of the email's case", async () => {
    expect(await failTimes(5, '192.0.2.1', 'nobody@one.test')).toEqual(Array(5).fill(401));
    expect(await failTimes(6, '192.0.2.2', 'Nobody@One.test')).toEqual([...Array(5).fill(401), 429]);
    expect(await failTimes(1, '192.0.2.1', 'other@one.test')).toEqual([401]);
  });

  it('logIn does not let other clients lock out a user at an IP that the user has used', async () => {
    await logInFrom('198.51.100.7', right);
    await failTimes(11, '192.0.2.1');
    expect((await refusalOf(logInFrom('192.0.2.1', right))).status).toBe(429);
    await expect(logInFrom('198.51.100.7', right)).resolves.toHaveProperty('access_token');
  });

  it('logIn also throttles an IP that the user has used', async () => {
    await logInFrom('198.51.100.7', right);
    expect(await failTimes(11, '198.51.100.7')).toEqual([...Array(10).fill(401), 429]);
  });

  it("logIn resets the account's attempts after a success", async () => {
    await failTimes(9, '192.0.2.1');
    await logInFrom('192.0.2.1', right);
    expect(await failTimes(11, '192.0.2.9')).toEqual([...Array(10).fill(401), 429]);
  });

  it('logIn rejects attempts from an IP after 100 failed ones within an hour, for any account', async () => {
    await database.pool.query("INSERT INTO login_attempts VALUES ('address:192.0.2.1', $1, 99)", [
      new Date(Date.UTC(2026, 10, 20, 10)),
    ]);
    await logInFrom('192.0.2.1', right);
    expect((await refusalOf(logInFrom('192.0.2.1', 'wrong'))).status).toBe(401);
    const refusal = await refusalOf(logInFrom('192.0.2.1', right, 'other@one.test'));
    expect([refusal.status, refusal.retryAfterSeconds]).toEqual([429, 3599]);
    await expect(logInFrom('192.0.2.2', right)).resolves.toHaveProperty('access_token');
  });

  it("logIn does not count attempts against the IP when the account's limit rejects them", async () => {
    await database.pool.query("INSERT INTO login_attempts VALUES ('address:192.0.2.1', $1, 80)", [
      new Date(Date.UTC(2026, 10, 20, 10)),
    ]);
    expect(await failTimes(40, '192.0.2.1')).toEqual([...Array(10).fill(401), ...Array(30).fill(429)]);
    await expect(logInFrom('192.0.2.1', right, 'other@one.test')).resolves.toHaveProperty('access_token');
  });

  it('logIn does not count attempts whose password was not checked', async () => {
    overload = new ConsoleError(503, 'Too many sign-ins at once. Try again in a moment.', 2);
    expect(await failTimes(20, '192.0.2.1')).toEqual(Array(20).fill(503));
    overload = null;
    await logInFrom('192.0.2.1', right);
    const { rows } = await database.pool.query('SELECT subject FROM login_attempts WHERE attempts > 0');
    expect(rows).toEqual([]);
  });
});
