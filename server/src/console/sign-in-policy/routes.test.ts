import { authRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAuthHandlers } from '#console/auth/routes.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { endIdleSessions } from '#jobs/delete-old-rows.ts';
import { runAlone } from '#jobs/run-alone.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { verifySessionToken } from '#platform/tokens.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createSignInConsole, type SignInConsole } from '#test/console/sign-in-console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';

const keyring = createKeyring('test');
const hourMs = 3_600_000;

let database: TestDatabase;
let console: SignInConsole;
let admin: Principal;
let mara: Principal;
let logIn: (email: string) => Promise<{ access_token: string }>;

beforeAll(async () => {
  database = await createTestDatabase();
  console = createSignInConsole(database);
});
afterAll(async () => {
  await console.close();
  await database.close();
});

beforeEach(async () => {
  await emptyTables(database, 'tenants', 'login_attempts');
  const tenantId = await addTenant(database.pool, 'One');
  admin = await addPerson(database.pool, tenantId, 'admin', 'ada@one.test');
  mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  const passwords = { hash: async (text: string) => text, verify: async (text: string) => text === 'right' };
  const handlers = createAuthHandlers({
    database: createSystemDatabase(database.pool),
    keyring,
    passwords,
    clock: Date.now,
  });
  const auth = createTestConsole(database.pool, authRoutes, handlers);
  logIn = (username) => auth().login({ form: { username, password: 'right' } });
});

const endIdle = () => runAlone(createSystemDatabase(database.pool), endIdleSessions, createLogger('silent'));
const countLive = async () => {
  const { rows } = await database.pool.query('SELECT id FROM sessions WHERE ended_at IS NULL');
  return rows.length;
};

describe('the sign-in policy', () => {
  it('getSignInPolicy returns the default of a tenant without a policy', async () => {
    expect(await console.as(admin).getSignInPolicy()).toEqual({
      local_passwords: 'allowed',
      break_glass_users: [],
      new_accounts: 'created',
      idle_minutes: null,
      session_hours: 12,
    });
  });

  it('updateSignInPolicy changes only the given fields', async () => {
    await console.as(admin).updateSignInPolicy({ body: { idle_minutes: 30 } });
    expect(await console.as(admin).updateSignInPolicy({ body: { session_hours: 8 } })).toMatchObject({
      idle_minutes: 30,
      session_hours: 8,
      new_accounts: 'created',
    });
  });

  it('updateSignInPolicy rejects a policy that would lock everyone out', async () => {
    const update = (break_glass_users: number[]) =>
      console.as(admin).updateSignInPolicy({ body: { local_passwords: 'break_glass', break_glass_users } });
    const stranger = await addPerson(
      database.pool,
      await addTenant(database.pool, 'Two'),
      'admin',
      'zoe@two.test',
    );
    for (const users of [[], [mara.userId], [stranger.userId], [2_147_483_647]]) {
      await expect(update(users)).rejects.toMatchObject({
        status: 422,
        detail: [{ loc: ['body', 'break_glass_users'] }],
      });
    }
    expect(await update([admin.userId])).toMatchObject({ break_glass_users: [admin.userId] });
  });

  it('logIn accepts passwords of break-glass accounts only, if the policy says so', async () => {
    const body = { local_passwords: 'break_glass' as const, break_glass_users: [admin.userId] };
    await console.as(admin).updateSignInPolicy({ body });
    await logIn('ada@one.test');
    await expect(logIn('mara@one.test')).rejects.toMatchObject({
      status: 403,
      detail: expect.stringContaining('does not allow passwords'),
    });
    expect(await countLive()).toBe(1);
  });

  it('logIn opens a session of the length of the policy', async () => {
    await console.as(admin).updateSignInPolicy({ body: { session_hours: 48 } });
    const { access_token: token } = await logIn('mara@one.test');
    const nowMs = Date.now();
    expect(await verifySessionToken(keyring.sessionKey, token, nowMs + 47 * hourMs)).not.toBeNull();
    expect(await verifySessionToken(keyring.sessionKey, token, nowMs + 49 * hourMs)).toBeNull();
    const { rows } = await database.pool.query<{ hours: number }>(
      'SELECT extract(epoch FROM expires_at - created_at)::int / 3600 AS hours FROM sessions',
    );
    expect(rows).toEqual([{ hours: 48 }]);
  });

  it('endIdleSessions ends sessions that were not used for the idle time', async () => {
    await logIn('mara@one.test');
    await database.pool.query("UPDATE sessions SET created_at = now() - interval '40 minutes'");
    await endIdle();
    expect(await countLive()).toBe(1);
    await console.as(admin).updateSignInPolicy({ body: { idle_minutes: 30 } });
    await database.pool.query("UPDATE sessions SET last_used_at = now() - interval '34 minutes'");
    await endIdle();
    expect(await countLive()).toBe(1);
    await database.pool.query("UPDATE sessions SET last_used_at = now() - interval '36 minutes'");
    await endIdle();
    expect(await countLive()).toBe(0);
  });

  it('endIdleSessions ends sessions that are older than a policy that was shortened', async () => {
    await logIn('mara@one.test');
    await console.as(admin).updateSignInPolicy({ body: { session_hours: 1 } });
    await database.pool.query(
      "UPDATE sessions SET created_at = now() - interval '61 minutes', last_used_at = now()",
    );
    await endIdle();
    expect(await countLive()).toBe(0);
  });
});
