import { type createClient, passwordResetsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { createMailbox } from '#mail/mailbox.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createPasswordHasher } from '#platform/password.ts';
import { mailLinkPlace, openSecret } from '#platform/seal-secret.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createPasswordResetsHandlers } from './routes.ts';

const keyring = createKeyring('test');
const passwords = createPasswordHasher();
const minuteMs = 60_000;

let database: TestDatabase;
let nowMs: number;
let tenantId: number;
let mara: { userId: number };

type Calls = ReturnType<typeof createClient<typeof passwordResetsRoutes>>;
let from: (address?: string, hasMailServer?: boolean) => Calls;

beforeAll(async () => {
  database = await createTestDatabase();
  tenantId = await addTenant(database.pool, 'One');
  mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  from = (address = '192.0.2.1', hasMailServer = true) => {
    const handlers = createPasswordResetsHandlers({
      database: createSystemDatabase(database.pool),
      keyring,
      passwords,
      mailbox: createMailbox({ keyring, hasServer: hasMailServer }),
      hasMailServer,
      clock: () => nowMs,
      publicUrl: 'https://sluice.test',
    });
    return createTestConsole(database.pool, passwordResetsRoutes, handlers)({ address });
  };
});
afterAll(() => database.close());
beforeEach(async () => {
  nowMs = Date.now();
  await database.pool.query(
    'DELETE FROM password_resets; DELETE FROM mails; DELETE FROM login_attempts; DELETE FROM outbound_counts; UPDATE users SET token_version = 1, is_active = true',
  );
  await database.pool.query("UPDATE users SET email = 'mara@one.test' WHERE id = $1", [mara.userId]);
});

const ask = (email: string, address?: string) => from(address).requestPasswordReset({ body: { email } });

async function readTokens(): Promise<string[]> {
  const { rows } = await database.pool.query(
    'SELECT id, tenant_id, sealed_link FROM mails WHERE sealed_link IS NOT NULL ORDER BY id',
  );
  return rows.map(({ id, tenant_id, sealed_link }) => {
    const link = openSecret(keyring.sealingKey, mailLinkPlace(tenant_id, id), sealed_link);
    return link.replace('https://sluice.test/reset-password/', '');
  });
}

async function readToken(): Promise<string> {
  await ask('mara@one.test');
  const [token = ''] = await readTokens();
  return token;
}

const passwordOf = async ({ userId }: { userId: number }) => {
  const { rows } = await database.pool.query('SELECT password_hash, token_version FROM users WHERE id = $1', [
    userId,
  ]);
  return rows[0] as { password_hash: string; token_version: number };
};

const choose = (token: string, password = 'a new horse') =>
  from().resetPassword({ params: { token }, body: { password } });
const worthless = { status: 404, detail: 'This link is no longer valid' };

describe('requestPasswordReset', () => {
  it("requestPasswordReset sends one mail with a working link to the account's email", async () => {
    await ask(' MARA@one.test ');
    const { rows } = await database.pool.query('SELECT to_address, subject, status FROM mails');
    expect(rows).toEqual([
      { to_address: 'mara@one.test', subject: 'Choose a new password', status: 'queued' },
    ]);
    const [token = ''] = await readTokens();
    expect(await from().getPasswordReset({ params: { token } })).toEqual({
      email: 'mara@one.test',
      expires_at: new Date(nowMs + 30 * minuteMs).toISOString(),
    });
  });

  it('requestPasswordReset returns the same response, after at least 240 ms, for active, missing and inactive accounts', async () => {
    const idle = await addPerson(database.pool, tenantId, 'user', 'idle@one.test');
    await database.pool.query('UPDATE users SET is_active = false WHERE id = $1', [idle.userId]);
    const durationsMs: number[] = [];
    for (const email of ['mara@one.test', 'nobody@one.test', 'idle@one.test']) {
      const beganAtMs = performance.now();
      expect(await ask(email)).toBeUndefined();
      durationsMs.push(performance.now() - beganAtMs);
    }
    expect(Math.min(...durationsMs)).toBeGreaterThan(240);
    expect(await readTokens()).toHaveLength(1);
  });

  it('requestPasswordReset sends no second email within two minutes, and a later one replaces the first', async () => {
    await ask('mara@one.test');
    await ask('mara@one.test');
    expect(await readTokens()).toHaveLength(1);
    const [first = ''] = await readTokens();
    nowMs += 2 * minuteMs;
    await ask('mara@one.test');
    const tokens = await readTokens();
    expect(tokens).toHaveLength(1);
    expect(tokens).not.toContain(first);
    await expect(choose(first)).rejects.toMatchObject(worthless);
  });

  it('requestPasswordReset throttles a network that exceeds the limit, and no other', async () => {
    await database.pool.query(
      `INSERT INTO login_attempts (subject, window_start, attempts)
       VALUES ('password-reset:192.0.2.9', to_timestamp($1), 100)`,
      [(nowMs - (nowMs % (60 * minuteMs))) / 1000],
    );
    await expect(ask('mara@one.test', '192.0.2.9')).rejects.toMatchObject({ status: 429 });
    await ask('mara@one.test', '192.0.2.10');
    expect(await readTokens()).toHaveLength(1);
  });

  it('requestPasswordReset is rejected without a mail server and names whom to contact', async () => {
    const without = from('192.0.2.1', false);
    expect(await without.getPasswordResetSettings()).toEqual({ has_mail_server: false });
    const asked = without.requestPasswordReset({ body: { email: 'mara@one.test' } });
    await expect(asked).rejects.toMatchObject({
      status: 409,
      detail: 'No mail server is configured. Ask your administrator to set a new password.',
    });
    expect(await readTokens()).toEqual([]);
  });
});

describe('resetPassword', () => {
  it('resetPassword works once per link and ends all sessions', async () => {
    const token = await readToken();
    await choose(token);
    const { password_hash, token_version } = await passwordOf(mara);
    const caller = { purpose: 'sign-in', group: 'test', member: 'test' } as const;
    expect(await passwords.verify('a new horse', password_hash, caller)).toBe(true);
    expect(token_version).toBe(2);
    await expect(choose(token, 'another horse')).rejects.toMatchObject(worthless);
    expect(await passwordOf(mara)).toEqual({ password_hash, token_version });
    expect(await readTokens()).toEqual([]);
  });

  it('resetPassword succeeds for one of many concurrent calls', async () => {
    const token = await readToken();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) => choose(token, `a new horse ${index}`)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await passwordOf(mara)).token_version).toBe(2);
  });

  it('getPasswordReset returns 404 for a link after 30 minutes', async () => {
    const token = await readToken();
    nowMs += 30 * minuteMs - 1;
    await expect(from().getPasswordReset({ params: { token } })).resolves.toBeDefined();
    nowMs += 1;
    await expect(from().getPasswordReset({ params: { token } })).rejects.toMatchObject(worthless);
    await expect(choose(token)).rejects.toMatchObject(worthless);
  });

  it.each([
    ['a new password or a block', 'token_version = token_version + 1'],
    ['being made inactive', 'is_active = false'],
    ['another email', "email = 'other@one.test'"],
  ])('a password reset link is invalidated by %s', async (_event, change) => {
    const token = await readToken();
    await database.pool.query(`UPDATE users SET ${change} WHERE id = $1`, [mara.userId]);
    await expect(choose(token)).rejects.toMatchObject(worthless);
  });

  it('resetPassword rejects a common password, and the link stays valid', async () => {
    const token = await readToken();
    await expect(choose(token, '123456')).rejects.toMatchObject({ status: 422 });
    await choose(token);
  });

  it('resetPassword throttles IPs that try invalid links', async () => {
    await database.pool.query(
      `INSERT INTO login_attempts (subject, window_start, attempts)
       VALUES ('password-reset-link:192.0.2.1', to_timestamp($1), 100)`,
      [(nowMs - (nowMs % (60 * minuteMs))) / 1000],
    );
    await expect(choose('guessed')).rejects.toMatchObject({ status: 429 });
  });
});
