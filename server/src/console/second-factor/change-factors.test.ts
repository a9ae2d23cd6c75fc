import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeUserPassword } from '#console/users/change-password.ts';
import { createRunInTenant } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import {
  codeOf,
  createSecondFactorConsole,
  outcomesOf,
  passkeySite,
  password,
  passwords,
  refusalOf,
  wrongCode,
} from '#test/console/second-factor-console.ts';
import { cborArray, cborMap, createSoftwarePasskey } from '#test/console/software-passkey.ts';
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
  await emptyTables(database, 'tenants', 'login_attempts', 'mails', 'outbound_counts');
  const tenantId = await addTenant(database.pool, 'One');
  mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  await database.pool.query('UPDATE users SET password_hash = $1', [await hash]);
  console = createSecondFactorConsole(database);
});

const newest = async (query: string) => (await database.pool.query(query)).rows;

/** Backdates all sign-ins, so that changing factors requires the password. */
const growOld = () => database.pool.query("UPDATE sessions SET proved_at = now() - interval '16 minutes'");

const noPasskey = {
  id: 'none',
  rawId: 'none',
  type: 'public-key' as const,
  response: { clientDataJSON: '', attestationObject: '' },
};

type Factors = ReturnType<ReturnType<typeof createSecondFactorConsole>['factors']>;
const changes: readonly [string, (factors: Factors) => Promise<unknown>][] = [
  ['startTotp', (factors) => factors.startTotp()],
  ['confirmTotp', (factors) => factors.confirmTotp({ body: { code: '123456' } })],
  ['removeTotp', (factors) => factors.removeTotp()],
  ['startPasskey', (factors) => factors.startPasskey()],
  ['addPasskey', (factors) => factors.addPasskey({ body: { name: 'One', passkey: noPasskey } })],
  ['removePasskey', (factors) => factors.removePasskey({ params: { id: 1 } })],
  ['renewRecoveryCodes', (factors) => factors.renewRecoveryCodes()],
];

describe('changing factors', () => {
  it.each(changes)('%s requires a recent sign-in or the password', async (_name, change) => {
    const { principal } = await console.addTotp(mara);
    const factors = console.factors({ principal });
    await growOld();
    expect(await factors.getSecondFactor()).toMatchObject({ needs_password: true });
    expect(await outcomesOf([change(factors)])).toEqual(['password_confirmation_required']);
    const wrong = factors.confirmPassword({ body: { password: 'wrong' } });
    expect(await refusalOf(wrong)).toMatchObject({ status: 422 });
    expect(await outcomesOf([change(factors)])).toEqual(['password_confirmation_required']);
    await factors.confirmPassword({ body: { password } });
    expect(await outcomesOf([change(factors)])).not.toEqual(['password_confirmation_required']);
  });

  const ends = [
    ['signing out', 'UPDATE sessions SET ended_at = now()'],
    ['a new password', 'UPDATE users SET token_version = token_version + 1'],
  ] as const;
  it.each(
    ends.flatMap(([end, statement]) =>
      changes.map(([name, change]) => [name, end, statement, change] as const),
    ),
  )(
    '%s is rejected if %s ended the session after the request was authorized',
    async (_name, _end, statement, change) => {
      const { principal } = await console.addTotp(mara);
      await database.pool.query(statement);
      const state =
        'SELECT u.token_version, s.token_version AS "ofSession" FROM users u JOIN sessions s ON s.user_id = u.id';
      const before = await newest(state);
      expect(await outcomesOf([change(console.factors({ principal }))])).toEqual(['401']);
      expect(await newest(state)).toEqual(before);
    },
  );

  it('password guesses in a session are throttled', async () => {
    const principal = await console.signIn(mara);
    const guess = () => console.factors({ principal }).confirmPassword({ body: { password: 'wrong' } });
    const outcomes: string[] = [];
    for (let count = 0; count < 12; count += 1) outcomes.push(...(await outcomesOf([guess()])));
    expect(outcomes).toEqual([...Array(10).fill('422'), '429', '429']);
  });

  it('startTotp has one entry in the audit log, without the secret', async () => {
    const principal = await console.signIn(mara);
    await console.factors({ principal }).startTotp();
    const entries = await newest(
      `SELECT action, before, after FROM audit_entries
       WHERE object_type = 'totp_authenticator' AND actor_id = ${mara.userId}`,
    );
    expect(entries).toEqual([
      {
        action: 'startTotp',
        before: null,
        after: { user_id: mara.userId, sealed_secret: '[redacted]' },
      },
    ]);
  });

  it('each change of factors ends other sessions, renews the current one, is audited, and is emailed to the owner', async () => {
    const other = await console.signIn(mara);
    const principal = await console.signIn(mara);
    const { secret } = await console.factors({ principal }).startTotp();
    const { access_token } = await console
      .factors({ principal })
      .confirmTotp({ body: { code: codeOf(secret) } });
    const [user] = await newest('SELECT has_second_factor, token_version FROM users');
    expect(user).toEqual({ has_second_factor: true, token_version: 2 });
    const sessions = await console.auth({ principal }).listSessions();
    expect(sessions.map(({ is_current }) => is_current)).toEqual([true]);
    expect((await console.holderOf(mara, access_token)).credential).toEqual(principal.credential);
    expect(other.credential).not.toEqual(principal.credential);
    await console.addPasskey(principal);
    await console.factors({ principal }).renewRecoveryCodes();
    await console.factors({ principal }).removeTotp();
    const mails = await newest('SELECT body FROM mails ORDER BY id');
    const words = ['An authenticator app was added', 'A passkey was added', 'codes', 'app was removed'];
    expect(mails).toHaveLength(words.length);
    for (const [index, word] of words.entries()) expect(mails[index].body).toContain(word);
    const entries = await newest(
      `SELECT DISTINCT action, object_type FROM audit_entries WHERE actor_id = ${mara.userId} ORDER BY 1, 2`,
    );
    expect(entries).toEqual(
      expect.arrayContaining([
        { action: 'confirmTotp', object_type: 'totp_authenticator' },
        { action: 'confirmTotp', object_type: 'user' },
        { action: 'addPasskey', object_type: 'passkey' },
        { action: 'renewRecoveryCodes', object_type: 'recovery_codes' },
        { action: 'removeTotp', object_type: 'totp_authenticator' },
      ]),
    );
  });

  it('confirmTotp rejects a wrong first code, and startTotp rejects a second app', async () => {
    const principal = await console.signIn(mara);
    const factors = console.factors({ principal });
    const { secret, otpauth_url } = await factors.startTotp();
    expect(otpauth_url).toContain(`secret=${secret}`);
    const wrong = factors.confirmTotp({ body: { code: wrongCode(secret) } });
    expect(await refusalOf(wrong)).toMatchObject({ status: 422 });
    await factors.confirmTotp({ body: { code: codeOf(secret) } });
    expect(await refusalOf(factors.startTotp())).toMatchObject({ status: 409 });
    expect(await refusalOf(factors.confirmTotp({ body: { code: codeOf(secret) } }))).toMatchObject({
      status: 409,
    });
  });

  it('removing the last factor turns off the second step and deletes the recovery codes', async () => {
    const { principal } = await console.addTotp(mara);
    await console.factors({ principal }).removeTotp();
    await expect(console.enterPassword(mara.email)).resolves.toHaveProperty('access_token');
    expect(await newest('SELECT 1 FROM recovery_codes')).toEqual([]);
  });

  it('the last factor cannot be removed while the role requires one', async () => {
    const { principal: signedIn } = await console.addTotp(mara);
    const principal = { ...signedIn, secondFactor: { isOn: true, isRequired: true } };
    expect(await refusalOf(console.factors({ principal }).removeTotp())).toMatchObject({ status: 409 });
    expect(await console.startSignIn(mara.email)).toMatchObject({ methods: ['totp', 'recovery_code'] });
  });

  it('the second factor is kept after a password change by the user or an administrator', async () => {
    const { principal } = await console.addTotp(mara);
    await console
      .auth({ principal })
      .changeOwnPassword({ body: { current_password: password, new_password: 'another horse' } });
    await createRunInTenant(database.pool, postgresRequestLog.openTenant)(mara.tenantId, async (tx) => {
      const author = { userId: null, tenantId: mara.tenantId, role: 'admin' } as const;
      await changeUserPassword(tx, author, { userId: mara.userId, passwordHash: await hash });
    });
    expect(await console.startSignIn(mara.email)).toMatchObject({ code: 'second_factor_required' });
  });
});

describe('passkeys', () => {
  it('addPasskey returns no recovery codes for a second passkey and rejects an eleventh', async () => {
    const principal = await console.signIn(mara);
    const first = await console.addPasskey(principal, 'Key 1');
    expect(first.recoveryCodes).toHaveLength(10);
    for (let count = 2; count <= 10; count += 1) {
      expect((await console.addPasskey(principal, `Key ${count}`)).recoveryCodes).toBeNull();
    }
    await expect(console.addPasskey(principal, 'Key 11')).rejects.toThrow('passkeys of a user');
    const { passkeys } = await console.factors({ principal }).getSecondFactor();
    expect(passkeys.map(({ name }) => name)).toEqual(
      Array.from({ length: 10 }, (_, index) => `Key ${index + 1}`),
    );
  });

  it('addPasskey rejects a passkey for another site, a used challenge, and a challenge of another session', async () => {
    const principal = await console.signIn(mara);
    const other = await console.signIn(mara);
    const factors = console.factors({ principal });
    const passkey = createSoftwarePasskey(passkeySite);
    const start = async (of: Principal) =>
      String((await console.factors({ principal: of }).startPasskey()).challenge);
    const add = (response: ReturnType<typeof passkey.create>) =>
      factors.addPasskey({ body: { name: 'One', passkey: response } });
    const challenge = await start(principal);
    const foreign = await start(other);
    for (const response of [
      passkey.create({ challenge, origin: 'https://evil.example' }),
      passkey.create({ challenge, domain: 'evil.example' }),
      passkey.create({ challenge: foreign }),
    ])
      expect(await refusalOf(add(response))).toMatchObject({ status: 422 });
    await add(passkey.create({ challenge }));
    const again = createSoftwarePasskey(passkeySite);
    expect(await refusalOf(add(again.create({ challenge })))).toMatchObject({ status: 422 });
  });

  it('a passkey of one account cannot be added to another', async () => {
    const principal = await console.signIn(mara);
    const { passkey } = await console.addPasskey(principal);
    const thief = await addPerson(database.pool, mara.tenantId, 'user', 'thief@one.test');
    await database.pool.query('UPDATE users SET password_hash = $1', [await hash]);
    const session = await console.signIn(thief);
    const { challenge } = await console.factors({ principal: session }).startPasskey();
    const response = passkey.create({ challenge: String(challenge) });
    const attempt = console
      .factors({ principal: session })
      .addPasskey({ body: { name: 'Stolen', passkey: response } });
    expect(await refusalOf(attempt)).toMatchObject({ status: 422 });
  });

  it('addPasskey rejects certificates, whose revocation lists would be fetched', async () => {
    const principal = await console.signIn(mara);
    const passkey = createSoftwarePasskey(passkeySite);
    const { challenge } = await console.factors({ principal }).startPasskey();
    const statement = cborMap([
      ['alg', -7],
      ['sig', Buffer.alloc(70)],
      ['x5c', cborArray([Buffer.alloc(100)])],
    ]);
    for (const format of ['packed', 'fido-u2f', 'android-key', 'tpm', 'apple']) {
      const response = passkey.create({ challenge: String(challenge) }, [format, statement]);
      const attempt = console.factors({ principal }).addPasskey({ body: { name: 'One', passkey: response } });
      expect(await refusalOf(attempt)).toMatchObject({ status: 422 });
    }
  });
});

it('administrators of a suspended tenant get each notice, and its users get none', async () => {
  const ada = await addPerson(database.pool, mara.tenantId, 'admin', 'ada@one.test');
  const root = await addPerson(database.pool, mara.tenantId, 'super_admin', 'root@one.test');
  await database.pool.query('UPDATE users SET password_hash = $1', [await hash]);
  await database.pool.query("UPDATE tenants SET status = 'suspended'");
  for (const person of [mara, ada]) {
    const { recoveryCodes } = await console.addTotp(person);
    const { ticket } = await console.startSignIn(person.email);
    const body = { ticket, recovery_code: recoveryCodes[0] ?? '' };
    await console.factors({}).completeSignIn({ body });
    await console.factors({ principal: root }).resetSecondFactor({ params: { id: person.userId } });
  }
  const mails = await newest('SELECT to_address, body FROM mails ORDER BY id');
  expect(new Set(mails.map(({ to_address }) => to_address))).toEqual(new Set([ada.email]));
  const words = ['An authenticator app was added', 'A recovery code was used', 'An administrator removed'];
  expect(mails).toHaveLength(words.length);
  for (const [index, word] of words.entries()) expect(mails[index].body).toContain(word);
});

describe('reset by an administrator', () => {
  it('resetSecondFactor removes all factors, ends the sessions, adds an audit entry and emails the owner', async () => {
    const { principal } = await console.addTotp(mara);
    await console.addPasskey(principal);
    const admin = await addPerson(database.pool, mara.tenantId, 'admin', 'admin@one.test');
    const reset = await console
      .factors({ principal: admin })
      .resetSecondFactor({ params: { id: mara.userId } });
    expect(reset).toMatchObject({ id: mara.userId, has_second_factor: false });
    await expect(console.enterPassword(mara.email)).resolves.toHaveProperty('access_token');
    const [mail] = await newest('SELECT body FROM mails ORDER BY id DESC LIMIT 1');
    expect(mail.body).toContain('An administrator removed all second factors');
    const entries = await newest(
      `SELECT DISTINCT actor_email, object_type FROM audit_entries
       WHERE action = 'resetSecondFactor' AND tenant_id = ${mara.tenantId} ORDER BY 2`,
    );
    expect(entries.map(({ object_type }) => object_type)).toEqual([
      'passkey',
      'recovery_codes',
      'totp_authenticator',
      'user',
    ]);
    expect(new Set(entries.map(({ actor_email }) => actor_email))).toEqual(new Set(['admin@one.test']));
  });

  it("resetSecondFactor rejects callers with a lower role or of another tenant, and the caller's own account", async () => {
    const admin = await addPerson(database.pool, mara.tenantId, 'admin', 'admin@one.test');
    const root = await addPerson(database.pool, mara.tenantId, 'super_admin', 'root@one.test');
    const foreign = await addPerson(
      database.pool,
      await addTenant(database.pool, 'Two'),
      'admin',
      'admin@two.test',
    );
    await database.pool.query('UPDATE users SET password_hash = $1', [await hash]);
    await console.addTotp(root);
    const reset = async (author: Principal, { userId }: Principal) =>
      refusalOf(console.factors({ principal: author }).resetSecondFactor({ params: { id: userId } }));
    expect(await reset(admin, root)).toMatchObject({ status: 403 });
    expect(await reset(root, root)).toMatchObject({ status: 403 });
    expect(await reset(foreign, mara)).toMatchObject({ status: 404 });
    expect(await console.startSignIn(root.email)).toMatchObject({ code: 'second_factor_required' });
  });
});
