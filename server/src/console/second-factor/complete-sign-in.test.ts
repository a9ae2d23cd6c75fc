import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import {
  codeOf,
  createSecondFactorConsole,
  nextStep,
  outcomesOf,
  password,
  passwords,
  refusalOf,
  wrongCode,
} from '#test/console/second-factor-console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';

let database: TestDatabase;
let console: ReturnType<typeof createSecondFactorConsole>;
let mara: Principal;
let noor: Principal;
const hash = passwords.hash(password);

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  await emptyTables(database, 'tenants', 'login_attempts', 'mails', 'outbound_counts');
  const tenantId = await addTenant(database.pool, 'One');
  mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  noor = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'user', 'noor@two.test');
  await database.pool.query('UPDATE users SET password_hash = $1', [await hash]);
  console = createSecondFactorConsole(database);
});

const complete = (body: object, caller = {}) =>
  console.factors(caller).completeSignIn({ body: body as never });
const countSessions = async (person: Principal) => {
  const { rows } = await database.pool.query(
    'SELECT count(*)::int AS count FROM sessions WHERE user_id = $1',
    [person.userId],
  );
  return rows[0].count;
};

describe('login of an account with a second factor', () => {
  it('login returns a token if the account has no second factor', async () => {
    await expect(console.enterPassword(mara.email)).resolves.toMatchObject({ token_type: 'bearer' });
  });

  it('login returns a 401 with a ticket and the methods, and opens no session', async () => {
    await console.addTotp(mara);
    const before = await countSessions(mara);
    const refusal = await refusalOf(console.enterPassword(mara.email));
    expect(refusal.status).toBe(401);
    expect(await console.startSignIn(mara.email)).toMatchObject({
      code: 'second_factor_required',
      methods: ['totp', 'recovery_code'],
      passkey_options: null,
    });
    expect(await countSessions(mara)).toBe(before);
  });

  it('login with a wrong password does not reveal the second factor', async () => {
    await console.addTotp(mara);
    const attempt = console.auth().login({ form: { username: mara.email, password: 'wrong' } });
    expect(await refusalOf(attempt)).toMatchObject({ status: 401, message: 'Incorrect email or password' });
  });

  it('login keeps at most ten tickets per user', async () => {
    await console.addTotp(mara);
    for (let count = 0; count < 14; count += 1) await console.startSignIn(mara.email);
    const { rows } = await database.pool.query('SELECT count(*)::int AS count FROM sign_in_tickets');
    expect(rows).toEqual([{ count: 10 }]);
  });
});

describe('a code of an authenticator app', () => {
  it('completeSignIn opens a new session with the code, once per ticket', async () => {
    const { secret } = await console.addTotp(mara);
    const before = await database.pool.query('SELECT id FROM sessions');
    const { ticket } = await console.startSignIn(mara.email);
    const { access_token } = await complete({ ticket, code: codeOf(secret) });
    const { credential } = await console.holderOf(mara, access_token);
    expect(before.rows.map(({ id }) => id)).not.toContain(
      credential.kind === 'session' && credential.sessionId,
    );
    nextStep();
    expect(await outcomesOf([complete({ ticket, code: codeOf(secret) })])).toEqual(['sign_in_expired']);
  });

  it('completeSignIn opens no session if the policy has forbidden passwords since the first step', async () => {
    const { secret } = await console.addTotp(mara);
    const before = await countSessions(mara);
    const { ticket } = await console.startSignIn(mara.email);
    await database.pool.query(
      "INSERT INTO sign_in_policies (tenant_id, local_passwords) VALUES ($1, 'break_glass')",
      [mara.tenantId],
    );
    expect(await outcomesOf([complete({ ticket, code: codeOf(secret) })])).toEqual(['403']);
    expect(await countSessions(mara)).toBe(before);
    // The policy is checked in the first step, so that it does not reveal whether the account has a second factor.
    expect(await outcomesOf([console.enterPassword(mara.email)])).toEqual(['403']);
  });

  it('completeSignIn opens a session with the lifetime of the policy', async () => {
    await database.pool.query('INSERT INTO sign_in_policies (tenant_id, session_hours) VALUES ($1, 48)', [
      mara.tenantId,
    ]);
    const { secret } = await console.addTotp(mara);
    const { ticket } = await console.startSignIn(mara.email);
    await complete({ ticket, code: codeOf(secret) });
    const { rows } = await database.pool.query<{ hours: number }>(
      'SELECT DISTINCT extract(epoch FROM expires_at - created_at)::int / 3600 AS hours FROM sessions WHERE ended_at IS NULL ORDER BY 1 DESC',
    );
    expect(rows[0]).toEqual({ hours: 48 });
  });

  it('completeSignIn rejects a code that was used, and any code older than the last one used', async () => {
    const { secret } = await console.addTotp(mara);
    nextStep();
    const codes = [codeOf(secret, -1), codeOf(secret), codeOf(secret, 1)];
    const attempt = async (code: string | undefined) =>
      outcomesOf([complete({ ticket: (await console.startSignIn(mara.email)).ticket, code })]);
    expect(await attempt(codes[1])).toEqual(['accepted']);
    expect(await attempt(codes[1])).toEqual(['second_factor_incorrect']);
    expect(await attempt(codes[0])).toEqual(['second_factor_incorrect']);
    expect(await attempt(codes[2])).toEqual(['accepted']);
  });

  it('completeSignIn rejects the code that confirmed the app', async () => {
    const principal = await console.signIn(mara);
    const { secret } = await console.factors({ principal }).startTotp();
    await console.factors({ principal }).confirmTotp({ body: { code: codeOf(secret) } });
    const { ticket } = await console.startSignIn(mara.email);
    expect(await outcomesOf([complete({ ticket, code: codeOf(secret) })])).toEqual([
      'second_factor_incorrect',
    ]);
  });

  it('parallel requests with one ticket, or with one code on many tickets, open exactly one session', async () => {
    const { secret } = await console.addTotp(mara);
    const { ticket } = await console.startSignIn(mara.email);
    const sameTicket = Array.from({ length: 8 }, () => complete({ ticket, code: codeOf(secret) }));
    expect((await outcomesOf(sameTicket)).filter((outcome) => outcome === 'accepted')).toHaveLength(1);
    nextStep();
    await database.pool.query('DELETE FROM login_attempts');
    const tickets = await Promise.all(Array.from({ length: 8 }, () => console.startSignIn(mara.email)));
    const sameCode = tickets.map((one) => complete({ ticket: one.ticket, code: codeOf(secret) }));
    expect((await outcomesOf(sameCode)).filter((outcome) => outcome === 'accepted')).toHaveLength(1);
  });

  it('login requires no second factor for an app that is not confirmed', async () => {
    const principal = await console.signIn(mara);
    await console.factors({ principal }).startTotp();
    await expect(console.enterPassword(mara.email)).resolves.toHaveProperty('access_token');
  });
});

describe('guessing a second factor', () => {
  it('a ticket is rejected after five wrong codes, even with the right code', async () => {
    const { secret } = await console.addTotp(mara);
    const { ticket } = await console.startSignIn(mara.email);
    for (let count = 0; count < 5; count += 1) {
      expect(await outcomesOf([complete({ ticket, code: wrongCode(secret) })])).toEqual([
        'second_factor_incorrect',
      ]);
    }
    expect(await outcomesOf([complete({ ticket, code: codeOf(secret) })])).toEqual(['sign_in_expired']);
  });

  it('parallel wrong codes for one ticket are checked at most five times', async () => {
    const { secret } = await console.addTotp(mara);
    const { ticket } = await console.startSignIn(mara.email);
    const attempts = Array.from({ length: 20 }, () => complete({ ticket, code: wrongCode(secret) }));
    const checked = (await outcomesOf(attempts)).filter((outcome) => outcome === 'second_factor_incorrect');
    expect(checked).toHaveLength(5);
  });

  it('ten wrong codes over new tickets and other IPs block the second step, even for the right code', async () => {
    const { secret } = await console.addTotp(mara);
    const outcomes: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      const caller = { address: `198.51.100.${count}` };
      const { ticket } = await console.startSignIn(mara.email, caller);
      outcomes.push(...(await outcomesOf([complete({ ticket, code: wrongCode(secret) }, caller)])));
    }
    expect(outcomes).toEqual([...Array(10).fill('second_factor_incorrect'), '429', '429']);
    const elsewhere = { address: '203.0.113.7' };
    const blocked = await console.startSignIn(mara.email, elsewhere);
    const right = complete({ ticket: blocked.ticket, code: codeOf(secret) }, elsewhere);
    expect(await outcomesOf([right])).toEqual(['429']);
    // Sign in once, so that the IP address is known for the user.
    const { ticket } = await console.startSignIn(mara.email);
    expect(await outcomesOf([complete({ ticket, code: codeOf(secret) })])).toEqual(['accepted']);
  });

  it('fifty wrong codes in a day block the second step, even in later windows and after a successful sign-in', async () => {
    const { secret } = await console.addTotp(mara);
    const caller = { address: '198.51.100.7' };
    const attempt = async (code: string) => {
      const { ticket } = await console.startSignIn(mara.email, caller);
      return outcomesOf([complete({ ticket, code }, caller)]);
    };
    expect(await attempt(wrongCode(secret))).toEqual(['second_factor_incorrect']);
    expect(await attempt(codeOf(secret))).toEqual(['accepted']);
    // Mark only the IP address of the successful sign-in as known. The attacker uses another address.
    await database.pool.query("UPDATE sessions SET address = '203.0.113.9' WHERE address = $1", [
      caller.address,
    ]);
    // Count wrong codes from earlier in the day. The 15-minute counter only has the latest ones.
    const { rowCount } = await database.pool.query(
      "UPDATE login_attempts SET attempts = attempts + 48 WHERE subject = 'day:second-factor:' || $1 AND attempts = 1",
      [mara.userId],
    );
    expect(rowCount).toBe(1);
    expect(await attempt(wrongCode(secret))).toEqual(['second_factor_incorrect']);
    expect(await attempt(wrongCode(secret))).toEqual(['429']);
    const { ticket } = await console.startSignIn(mara.email);
    expect(await outcomesOf([complete({ ticket, code: wrongCode(secret) })])).toEqual([
      'second_factor_incorrect',
    ]);
  });

  it('unknown tickets count against the IP', async () => {
    const attempts = Array.from({ length: 101 }, (_, count) =>
      complete({ ticket: `unknown-${count}`, code: '123456' }, { address: '192.0.2.9' }),
    );
    const outcomes = await outcomesOf(attempts);
    expect(outcomes.filter((outcome) => outcome === 'sign_in_expired')).toHaveLength(100);
    expect(outcomes.filter((outcome) => outcome === '429')).toHaveLength(1);
  });
});

describe('a ticket', () => {
  it('a ticket accepts no factor of another user, in the same tenant or in another', async () => {
    await console.addTotp(mara);
    const other = await console.addTotp(noor);
    const { passkey } = await console.addPasskey(other.principal);
    const { ticket } = await console.startSignIn(mara.email);
    const { passkey_options: options } = await console.startSignIn(noor.email);
    const signed = passkey.sign({ challenge: String(options?.challenge) });
    for (const proof of [
      { code: codeOf(other.secret) },
      { recovery_code: other.recoveryCodes[0] },
      { passkey: signed },
    ])
      expect(await outcomesOf([complete({ ticket, ...proof })])).toEqual(['second_factor_incorrect']);
  });

  it('a ticket is valid only in the browser that entered the password', async () => {
    const { secret } = await console.addTotp(mara);
    const { ticket } = await console.startSignIn(mara.email, { userAgent: 'one' });
    const attempt = (userAgent: string) => complete({ ticket, code: codeOf(secret) }, { userAgent });
    expect(await outcomesOf([attempt('another')])).toEqual(['sign_in_expired']);
    expect(await outcomesOf([attempt('one')])).toEqual(['accepted']);
  });

  it.each([
    ['five minutes', () => nextStep(10)],
    ['deactivation', () => database.pool.query('UPDATE users SET is_active = false')],
    [
      'a change that ends sessions, such as a new password',
      () => database.pool.query('UPDATE users SET token_version = token_version + 1'),
    ],
  ])('a ticket is invalidated by %s', async (_name, end) => {
    const { secret } = await console.addTotp(mara);
    const { ticket } = await console.startSignIn(mara.email);
    await end();
    expect(await outcomesOf([complete({ ticket, code: codeOf(secret) })])).toEqual(['sign_in_expired']);
  });
});

describe('a recovery code', () => {
  it('a recovery code in capitals with spaces signs in once, even with parallel requests, and its owner gets an email', async () => {
    const { recoveryCodes } = await console.addTotp(mara);
    expect(recoveryCodes).toHaveLength(10);
    const tickets = await Promise.all(Array.from({ length: 4 }, () => console.startSignIn(mara.email)));
    const typed = ` ${recoveryCodes[3]?.toUpperCase().replaceAll('-', ' ')} `;
    const attempts = tickets.map(({ ticket }) => complete({ ticket, recovery_code: typed }));
    const outcomes = await outcomesOf(attempts);
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
    const { rows } = await database.pool.query('SELECT body FROM mails ORDER BY id DESC LIMIT 1');
    expect(rows[0].body).toContain('A recovery code was used');
    expect(rows[0].body).toContain('Unused codes left: 9.');
  });
});

describe('stored secrets', () => {
  it('authenticator secrets are encrypted, and recovery codes and tickets are stored only as hashes', async () => {
    const { secret, recoveryCodes } = await console.addTotp(mara);
    const { ticket } = await console.startSignIn(mara.email);
    const { rows } = await database.pool.query(
      `SELECT t.*::text || encode(t.sealed_secret, 'escape') || c.*::text || k.*::text AS stored
       FROM totp_authenticators t, recovery_codes c, sign_in_tickets k`.replaceAll('.*::text', '::text'),
    );
    for (const plain of [secret, ticket, ...recoveryCodes]) {
      expect(rows[0].stored).not.toContain(plain);
      expect(rows[0].stored).not.toContain(plain.replaceAll('-', ''));
    }
  });
});

describe('a passkey', () => {
  it('a passkey completes the sign-in, and its counter is stored', async () => {
    const { passkey } = await console.addPasskey(await console.signIn(mara));
    const { ticket, passkey_options: options, methods } = await console.startSignIn(mara.email);
    expect(methods).toEqual(['passkey', 'recovery_code']);
    const challenge = String(options?.challenge);
    expect(await outcomesOf([complete({ ticket, passkey: passkey.sign({ challenge }) })])).toEqual([
      'accepted',
    ]);
    const { rows } = await database.pool.query('SELECT sign_count, last_used_at FROM passkeys');
    expect(rows).toEqual([{ sign_count: '1', last_used_at: expect.any(Date) }]);
  });

  it('a passkey response for another site, challenge or counter is rejected', async () => {
    const { passkey } = await console.addPasskey(await console.signIn(mara));
    const first = await console.startSignIn(mara.email);
    const challenge = String(first.passkey_options?.challenge);
    await complete({ ticket: first.ticket, passkey: passkey.sign({ challenge, signCount: 7 }) });
    const { ticket, passkey_options: options } = await console.startSignIn(mara.email);
    const own = { challenge: String(options?.challenge) };
    for (const response of [
      passkey.sign({ ...own, origin: 'https://sluice.test.evil.example' }),
      passkey.sign({ ...own, domain: 'evil.example' }),
      passkey.sign({ challenge, signCount: 8 }),
      passkey.sign({ ...own, signCount: 7 }),
    ])
      expect(await outcomesOf([complete({ ticket, passkey: response })])).toEqual([
        'second_factor_incorrect',
      ]);
    expect(await outcomesOf([complete({ ticket, passkey: passkey.sign({ ...own, signCount: 9 }) })])).toEqual(
      ['accepted'],
    );
  });

  it.each([
    [{ clientDataJSON: '', authenticatorData: '', signature: '' }],
    [{ clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' }],
    [{ clientDataJSON: btoa('{}'), authenticatorData: 'A'.repeat(60), signature: '!' }],
  ])('a malformed passkey response %j is rejected', async (response) => {
    const { passkey } = await console.addPasskey(await console.signIn(mara));
    const { ticket } = await console.startSignIn(mara.email);
    expect(
      await outcomesOf([
        complete({ ticket, passkey: { id: passkey.id, rawId: passkey.id, type: 'public-key', response } }),
      ]),
    ).toEqual(['second_factor_incorrect']);
  });
});
