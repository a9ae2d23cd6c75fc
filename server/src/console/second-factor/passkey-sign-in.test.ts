import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, type Caller } from '#test/console/console.ts';
import {
  clock,
  createSecondFactorConsole,
  nextStep,
  outcomesOf,
  password,
  passwords,
  refusalOf,
} from '#test/console/second-factor-console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';

let database: TestDatabase;
let console: ReturnType<typeof createSecondFactorConsole>;
let mara: Principal;
const hash = passwords.hash(password);

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  await emptyTables(database, 'tenants', 'login_attempts', 'mails', 'outbound_counts', 'audit_entries');
  mara = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'user', 'mara@one.test');
  await database.pool.query('UPDATE users SET password_hash = $1', [await hash]);
  console = createSecondFactorConsole(database);
});

type SetUp = Awaited<ReturnType<typeof setUp>>;
type Signing = Omit<Parameters<SetUp['passkey']['sign']>[0], 'challenge'>;

const setUp = async (person = mara) => console.addPasskey(await console.signIn(person));
const start = (caller: Caller = {}) => console.factors(caller).startPasskeySignIn();
const finish = (body: object, caller: Caller = {}) =>
  console.factors(caller).finishPasskeySignIn({ body: body as never });

async function signInWith({ passkey, userHandle }: SetUp, changes: Signing = {}, caller: Caller = {}) {
  const { challenge } = await start(caller);
  return finish({ challenge, passkey: passkey.sign({ challenge, userHandle, ...changes }) }, caller);
}

async function countSessions(): Promise<number> {
  const { rows } = await database.pool.query('SELECT count(*)::int AS count FROM sessions');
  return rows[0].count;
}

describe('finishPasskeySignIn', () => {
  it("finishPasskeySignIn opens a session of the passkey's owner without a password or a second step", async () => {
    const laptop = await setUp();
    const { access_token, token_type } = await signInWith(laptop, { signCount: 5 });
    expect(token_type).toBe('bearer');
    const { credential } = await console.holderOf(mara, access_token);
    const { rows } = await database.pool.query(
      `SELECT s.id, s.user_id, s.user_identity_id, p.sign_count, p.last_used_at, u.last_login_at
       FROM sessions s JOIN passkeys p USING (user_id) JOIN users u ON u.id = s.user_id ORDER BY s.created_at DESC LIMIT 1`,
    );
    expect(rows).toEqual([
      {
        id: credential.kind === 'session' && credential.sessionId,
        user_id: mara.userId,
        user_identity_id: null,
        sign_count: '5',
        last_used_at: expect.any(Date),
        last_login_at: expect.any(Date),
      },
    ]);
  });

  it('finishPasskeySignIn opens a session with the lifetime of the policy', async () => {
    await database.pool.query('INSERT INTO sign_in_policies (tenant_id, session_hours) VALUES ($1, 48)', [
      mara.tenantId,
    ]);
    const laptop = await setUp();
    await database.pool.query('DELETE FROM sessions');
    await signInWith(laptop);
    const { rows } = await database.pool.query(
      'SELECT extract(epoch FROM expires_at - created_at)::int / 3600 AS hours FROM sessions',
    );
    expect(rows).toEqual([{ hours: 48 }]);
  });

  it('finishPasskeySignIn signs in a blocked user, who can still view their account, like a password sign-in', async () => {
    const laptop = await setUp();
    await database.pool.query('UPDATE users SET is_blocked = true');
    expect(await outcomesOf([signInWith(laptop)])).toEqual(['accepted']);
  });

  it('finishPasskeySignIn opens a session that can change second factors without the password', async () => {
    const { access_token } = await signInWith(await setUp());
    const principal = await console.holderOf(mara, access_token);
    expect(await console.factors({ principal }).getSecondFactor()).toMatchObject({ needs_password: false });
  });
});

describe('a passkey that is not accepted', () => {
  const changeUsers = (change: string) => () => database.pool.query(`UPDATE users SET ${change}`);
  const nothing = async () => undefined;
  const encode = (text: string) => Buffer.from(text).toString('base64url');

  it.each<[string, Signing, () => Promise<unknown>]>([
    ['without user verification', { isUserVerified: false }, nothing],
    ['without a user handle', { userHandle: '' }, nothing],
    ['with the user handle of another account', { userHandle: encode('user 1') }, nothing],
    ['with a user handle that is no id', { userHandle: encode('mara@one.test') }, nothing],
    ['for the origin of another site', { origin: 'https://sluice.test.evil.example' }, nothing],
    ['for the domain of another site', { domain: 'evil.example' }, nothing],
    ['with a counter that did not grow', { signCount: 3 }, nothing],
    ['of a deactivated account', {}, changeUsers('is_active = false')],
    ['that was removed', {}, () => database.pool.query('DELETE FROM passkeys')],
    [
      'with the key of another passkey',
      {},
      () =>
        database.pool.query("UPDATE passkeys SET public_key = overlay(public_key PLACING 'AAAA' FROM 30)"),
    ],
  ])('finishPasskeySignIn rejects a passkey %s with the same response', async (_name, changes, prepare) => {
    const laptop = await setUp();
    await signInWith(laptop, { signCount: 3 });
    await prepare();
    const before = await countSessions();
    const refusal = await refusalOf(signInWith(laptop, changes));
    expect({ ...refusal, message: refusal.message }).toMatchObject({
      status: 401,
      message: 'This passkey was not accepted. Use another passkey, or sign in with your email and password.',
      fields: { code: 'passkey_incorrect' },
    });
    expect(await countSessions()).toBe(before);
  });

  it.each([
    { clientDataJSON: '', authenticatorData: '', signature: '' },
    { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' },
    { clientDataJSON: encode('{}'), authenticatorData: 'A'.repeat(60), signature: '!' },
  ])('finishPasskeySignIn rejects the malformed response %j', async (response) => {
    const { passkey, userHandle } = await setUp();
    const { challenge } = await start();
    const credential = { id: passkey.id, rawId: passkey.id, type: 'public-key' };
    const signed = { ...credential, response: { ...response, userHandle } };
    expect(await outcomesOf([finish({ challenge, passkey: signed })])).toEqual(['passkey_incorrect']);
  });

  it("finishPasskeySignIn rejects a passkey's signature with the id of another account's passkey", async () => {
    const victim = await addPerson(database.pool, mara.tenantId, 'admin', 'vera@one.test');
    await database.pool.query('UPDATE users SET password_hash = $1', [await hash]);
    const own = await setUp();
    const theirs = await setUp(victim);
    const { challenge } = await start();
    const signed = own.passkey.sign({ challenge, userHandle: theirs.userHandle });
    const forged = { ...signed, id: theirs.passkey.id, rawId: theirs.passkey.id };
    expect(await outcomesOf([finish({ challenge, passkey: forged })])).toEqual(['passkey_incorrect']);
  });
});

describe('the challenge of a passkey sign-in', () => {
  it('finishPasskeySignIn accepts a challenge once, even for parallel requests', async () => {
    const { passkey, userHandle } = await setUp();
    const { challenge } = await start();
    const sign = () => finish({ challenge, passkey: passkey.sign({ challenge, userHandle }) });
    const outcomes = await outcomesOf(Array.from({ length: 6 }, sign));
    expect(outcomes.toSorted()).toEqual(['accepted', ...Array(5).fill('sign_in_expired')]);
  });

  it('finishPasskeySignIn uses up a challenge with a wrong signature', async () => {
    const { passkey, userHandle } = await setUp();
    const { challenge } = await start();
    const wrong = passkey.sign({ challenge, userHandle, isUserVerified: false });
    const right = passkey.sign({ challenge, userHandle });
    expect(await outcomesOf([finish({ challenge, passkey: wrong })])).toEqual(['passkey_incorrect']);
    expect(await outcomesOf([finish({ challenge, passkey: right })])).toEqual(['sign_in_expired']);
  });

  it('finishPasskeySignIn rejects a challenge after five minutes', async () => {
    const laptop = await setUp();
    const { challenge, expires_at } = await start();
    expect(Date.parse(expires_at) - clock.nowMs).toBe(300_000);
    const signed = laptop.passkey.sign({ challenge, userHandle: laptop.userHandle });
    nextStep(10);
    expect(await outcomesOf([finish({ challenge, passkey: signed })])).toEqual(['sign_in_expired']);
  });

  it('finishPasskeySignIn accepts a challenge only from the client that requested it', async () => {
    const { passkey, userHandle } = await setUp();
    const { challenge } = await start({ userAgent: 'one' });
    const signed = passkey.sign({ challenge, userHandle });
    const attempt = (userAgent: string) =>
      outcomesOf([finish({ challenge, passkey: signed }, { userAgent })]);
    expect(await attempt('another')).toEqual(['sign_in_expired']);
    expect(await attempt('one')).toEqual(['accepted']);
  });

  it('finishPasskeySignIn rejects challenges that it did not create or that were changed', async () => {
    const { passkey, userHandle } = await setUp();
    const { challenge } = await start();
    const bytes = Buffer.from(challenge, 'base64url');
    const later = Buffer.from(bytes);
    later.writeBigUInt64BE(later.readBigUInt64BE(16) + 1n, 16);
    const forged = [
      'AAAA',
      bytes.subarray(0, 24),
      later,
      Buffer.concat([bytes, Buffer.of(0)]),
      Buffer.alloc(56),
    ];
    for (const one of forged) {
      const text = typeof one === 'string' ? one : one.toString('base64url');
      const signed = passkey.sign({ challenge: text, userHandle });
      expect(await outcomesOf([finish({ challenge: text, passkey: signed })])).toEqual(['sign_in_expired']);
    }
  });

  it('finishPasskeySignIn rejects a signature for another challenge', async () => {
    const { passkey, userHandle } = await setUp();
    const [first, second] = [await start(), await start()];
    const signed = passkey.sign({ challenge: first.challenge, userHandle });
    expect(await outcomesOf([finish({ challenge: second.challenge, passkey: signed })])).toEqual([
      'passkey_incorrect',
    ]);
  });

  it('finishPasskeySignIn rejects the challenge of a second step, and completeSignIn that of a passkey sign-in', async () => {
    const { passkey, userHandle } = await setUp();
    const { ticket, passkey_options: options } = await console.startSignIn(mara.email);
    const ofTicket = String(options?.challenge);
    const asFirst = finish({
      challenge: ofTicket,
      passkey: passkey.sign({ challenge: ofTicket, userHandle }),
    });
    expect(await outcomesOf([asFirst])).toEqual(['sign_in_expired']);
    const { challenge } = await start();
    const body = { ticket, passkey: passkey.sign({ challenge }) };
    expect(await outcomesOf([console.factors().completeSignIn({ body })])).toEqual([
      'second_factor_incorrect',
    ]);
  });

  it('startPasskeySignIn requires user verification, names no passkey, and stores nothing', async () => {
    await setUp();
    const { challenge, options } = await start();
    expect(options).toEqual({
      challenge,
      rpId: 'sluice.test',
      timeout: 300_000,
      userVerification: 'required',
      allowCredentials: [],
    });
    const { rows } = await database.pool.query("SELECT 1 FROM login_attempts WHERE subject LIKE 'once:%'");
    expect(rows).toEqual([]);
  });

  it('startPasskey requests passkeys that the browser finds without the email, if the device can store them', async () => {
    const principal = await console.signIn(mara);
    expect(await console.factors({ principal }).startPasskey()).toMatchObject({
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
  });
});

describe('changes during a sign-in', () => {
  async function signInDuring(first: string, second: string) {
    const laptop = await setUp();
    const client = await database.pool.connect();
    await client.query(`BEGIN; ${first}`);
    const outcome = outcomesOf([signInWith(laptop)]);
    const waiting =
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    while ((await database.pool.query(waiting)).rows.length === 0) await pause(5);
    await client.query(`${second}; COMMIT`);
    client.release();
    return outcome;
  }

  it('finishPasskeySignIn does not deadlock with the removal of the passkey', async () => {
    const outcome = await signInDuring('SELECT FROM users FOR NO KEY UPDATE', 'DELETE FROM passkeys');
    expect(outcome).toEqual(['passkey_incorrect']);
  });
});

describe('the sign-in policy and passkeys', () => {
  const requireProvider = (breakGlass: number[] = []) =>
    database.pool.query(
      "INSERT INTO sign_in_policies (tenant_id, local_passwords, break_glass_users) VALUES ($1, 'break_glass', $2)",
      [mara.tenantId, breakGlass],
    );

  it('finishPasskeySignIn rejects users of a tenant that requires its identity provider', async () => {
    const laptop = await setUp();
    await requireProvider();
    const before = await countSessions();
    expect(await refusalOf(signInWith(laptop))).toMatchObject({
      status: 403,
      message:
        'Your organization does not allow passkeys. Sign in with its identity provider, or use a break-glass account.',
    });
    expect(await countSessions()).toBe(before);
  });

  it('finishPasskeySignIn reveals the policy only to the owner of the passkey', async () => {
    const laptop = await setUp();
    await requireProvider();
    expect(await outcomesOf([signInWith(laptop, { isUserVerified: false })])).toEqual(['passkey_incorrect']);
  });

  it('finishPasskeySignIn counts no attempt that only the policy rejects', async () => {
    const laptop = await setUp();
    await requireProvider();
    for (let count = 0; count < 12; count += 1)
      expect(await outcomesOf([signInWith(laptop)])).toEqual(['403']);
    const { rows } = await database.pool.query(
      "SELECT 1 FROM login_attempts WHERE subject NOT LIKE 'once:%' AND attempts > 0",
    );
    expect(rows).toEqual([]);
  });

  it('finishPasskeySignIn signs in a break-glass account of a tenant that requires its identity provider', async () => {
    const admin = await addPerson(database.pool, mara.tenantId, 'admin', 'vera@one.test');
    await database.pool.query('UPDATE users SET password_hash = $1', [await hash]);
    const laptop = await setUp(admin);
    await requireProvider([admin.userId]);
    expect(await outcomesOf([signInWith(laptop)])).toEqual(['accepted']);
  });
});

describe('attempts with passkeys', () => {
  it('ten wrong signatures block a passkey, but not at an IP that its owner has used', async () => {
    const laptop = await setUp();
    const elsewhere = { address: '198.51.100.7' };
    const outcomes: string[] = [];
    for (let count = 0; count < 11; count += 1)
      outcomes.push(...(await outcomesOf([signInWith(laptop, { isUserVerified: false }, elsewhere)])));
    expect(outcomes).toEqual([...Array(10).fill('passkey_incorrect'), '429']);
    expect(await outcomesOf([signInWith(laptop, {}, elsewhere)])).toEqual(['429']);
    expect(await outcomesOf([signInWith(laptop)])).toEqual(['accepted']);
  });

  it('unknown passkeys are counted like known ones', async () => {
    const laptop = await setUp();
    await database.pool.query('DELETE FROM passkeys');
    const outcomes: string[] = [];
    for (let count = 0; count < 11; count += 1) outcomes.push(...(await outcomesOf([signInWith(laptop)])));
    expect(outcomes).toEqual([...Array(10).fill('passkey_incorrect'), '429']);
  });

  it('invalid challenges count against the IP', async () => {
    const { passkey } = await setUp();
    const signed = passkey.sign({ challenge: 'AAAA' });
    const attempts = Array.from({ length: 101 }, () =>
      finish({ challenge: 'AAAA', passkey: signed }, { address: '192.0.2.9' }),
    );
    const outcomes = await outcomesOf(attempts);
    expect(outcomes.filter((outcome) => outcome === 'sign_in_expired')).toHaveLength(100);
    expect(outcomes.filter((outcome) => outcome === '429')).toHaveLength(1);
  });

  it('a successful passkey sign-in reverts its counted attempts', async () => {
    const laptop = await setUp();
    await database.pool.query('DELETE FROM login_attempts');
    for (let count = 0; count < 12; count += 1)
      expect(await outcomesOf([signInWith(laptop)])).toEqual(['accepted']);
    const digest = createHash('sha256').update(laptop.passkey.id).digest('hex');
    const { rows } = await database.pool.query(
      "SELECT attempts FROM login_attempts WHERE subject LIKE 'passkey:' || $1 || '%' OR (subject LIKE 'address:%' AND attempts > 0)",
      [digest],
    );
    expect(rows).toEqual([]);
  });
});
