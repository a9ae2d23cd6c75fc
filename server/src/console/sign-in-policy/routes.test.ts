import { authRoutes, type Client, type RoleName, usersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAuthHandlers } from '#console/auth/routes.ts';
import { createUsersHandlers } from '#console/users/routes.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { endIdleSessions } from '#jobs/delete-old-rows.ts';
import { runAlone } from '#jobs/run-alone.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { createPasswordHasher } from '#platform/password.ts';
import { verifySessionToken } from '#platform/tokens.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createSignInConsole, type SignInConsole } from '#test/console/sign-in-console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';

type Users = Client<typeof usersRoutes>;

const keyring = createKeyring('test');
const hourMs = 3_600_000;

let database: TestDatabase;
let console: SignInConsole;
let admin: Principal;
let mara: Principal;
let asUsers: (principal: Principal) => Users;
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
  const users = createTestConsole(database.pool, usersRoutes, createUsersHandlers({ passwords }));
  asUsers = (principal) => users({ principal });
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

  it('logIn accepts only passwords of break-glass accounts if the policy requires an identity provider', async () => {
    const body = { local_passwords: 'break_glass' as const, break_glass_users: [admin.userId] };
    await console.as(admin).updateSignInPolicy({ body });
    await logIn('ada@one.test');
    await expect(logIn('mara@one.test')).rejects.toMatchObject({
      status: 403,
      detail: expect.stringContaining('does not allow passwords'),
    });
    expect(await countLive()).toBe(1);
  });

  const setRole = (role: RoleName, { userId }: Principal) =>
    database.pool.query('UPDATE users SET role_id = (SELECT id FROM roles WHERE name = $2) WHERE id = $1', [
      userId,
      role,
    ]);
  const requireBreakGlass = (...accounts: Principal[]) =>
    console.as(admin).updateSignInPolicy({
      body: {
        local_passwords: 'break_glass',
        break_glass_users: accounts.map(({ userId }) => userId),
      },
    });

  it('logIn accepts the password of a super administrator who is not a break-glass account', async () => {
    await addPerson(database.pool, admin.tenantId, 'super_admin', 'root@one.test');
    await requireBreakGlass(admin);
    await logIn('root@one.test');
    expect(await countLive()).toBe(1);
  });

  it.each<RoleName>(['user', 'admin'])(
    'logIn accepts the password of a break-glass account only while it is an administrator: %s',
    async (role) => {
      const ben = await addPerson(database.pool, admin.tenantId, 'admin', 'ben@one.test');
      await requireBreakGlass(admin, ben);
      await setRole(role, ben);
      const outcome = await logIn('ben@one.test').then(
        () => 'session',
        ({ status }: { status: number }) => status,
      );
      expect(outcome).toBe(role === 'admin' ? 'session' : 403);
    },
  );

  it('updateSignInPolicy ends password sessions that the stricter policy does not allow', async () => {
    const root = await addPerson(database.pool, admin.tenantId, 'super_admin', 'root@one.test');
    const ben = await addPerson(database.pool, admin.tenantId, 'admin', 'ben@one.test');
    const zoe = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'user', 'zoe@two.test');
    for (const { email } of [admin, mara, root, ben, zoe]) await logIn(email);
    const listLive = async () => {
      const { rows } = await database.pool.query<{ user_id: number }>(
        'SELECT user_id FROM sessions WHERE ended_at IS NULL',
      );
      return rows.map(({ user_id: id }) => id).toSorted((a, b) => a - b);
    };
    // The caller is not a break-glass account but keeps the session to be able to correct a mistake.
    await requireBreakGlass(ben);
    const kept = [admin, root, ben, zoe].map(({ userId }) => userId);
    expect(await listLive()).toEqual(kept.toSorted((a, b) => a - b));
    await console.as(ben).updateSignInPolicy({ body: { session_hours: 8 } });
    expect(await listLive()).toContain(admin.userId);
  });

  it('updateSignInPolicy also ends a session that is being opened under the previous policy', async () => {
    const hash = await createPasswordHasher().hash('right');
    await database.pool.query('UPDATE users SET password_hash = $1', [hash]);
    const client = await database.pool.connect();
    const countWaiting = async () => {
      const { rows } = await database.pool.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows.length;
    };
    let isChanged = false;
    const changePolicy = () =>
      console
        .as(admin)
        .updateSignInPolicy({ body: { local_passwords: 'break_glass', break_glass_users: [admin.userId] } })
        .finally(() => {
          isChanged = true;
        });
    const started: Promise<unknown>[] = [];
    try {
      // Block the sign-in after it has inserted the session and before it updates the user.
      await client.query('BEGIN; SELECT FROM users FOR NO KEY UPDATE');
      started.push(logIn(mara.email));
      await vi.waitUntil(async () => (await countWaiting()) === 1);
      started.push(changePolicy());
      await vi.waitUntil(async () => isChanged || (await countWaiting()) === 2);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    await Promise.all(started);
    expect(await countLive()).toBe(0);
  });

  it('updateSignInPolicy keeps sessions that an identity provider opened', async () => {
    await logIn('mara@one.test');
    await database.pool.query(
      `WITH provider AS (INSERT INTO identity_providers (tenant_id, name, issuer, client_id)
         VALUES ($1, 'Acme', 'https://id.test', 'sluice') RETURNING id),
       identity AS (INSERT INTO user_identities (tenant_id, user_id, identity_provider_id, issuer, subject, email)
         SELECT $1, $2, id, 'https://id.test', 'mara', 'mara@one.test' FROM provider RETURNING id)
       UPDATE sessions SET user_identity_id = (SELECT id FROM identity)`,
      [mara.tenantId, mara.userId],
    );
    await requireBreakGlass(admin);
    expect(await countLive()).toBe(1);
  });

  it.each<[string, (users: Users, params: { id: number }) => Promise<unknown>]>([
    ['demoted', (users, params) => users.updateUser({ params, body: { role_id: 3 } })],
    ['deactivated', (users, params) => users.updateUser({ params, body: { is_active: false } })],
    ['blocked', (users, params) => users.blockUser({ params, query: { reason: 'a test' } })],
  ])('the last break-glass account cannot be %s by another administrator', async (_, change) => {
    const ben = await addPerson(database.pool, admin.tenantId, 'admin', 'ben@one.test');
    const cy = await addPerson(database.pool, admin.tenantId, 'admin', 'cy@one.test');
    await requireBreakGlass(ben);
    const remove = () => change(asUsers(admin), { id: ben.userId });
    await expect(remove()).rejects.toMatchObject({
      status: 409,
      detail: expect.stringContaining('break-glass'),
    });
    await requireBreakGlass(ben, cy);
    await remove();
    expect(await console.as(admin).getSignInPolicy()).toMatchObject({ local_passwords: 'break_glass' });
  });

  it('logIn opens a session with the lifetime of the policy', async () => {
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

  it('endIdleSessions ends sessions that are older than a shortened session lifetime', async () => {
    await logIn('mara@one.test');
    await console.as(admin).updateSignInPolicy({ body: { session_hours: 1 } });
    await database.pool.query(
      "UPDATE sessions SET created_at = now() - interval '61 minutes', last_used_at = now()",
    );
    await endIdle();
    expect(await countLive()).toBe(0);
  });
});
