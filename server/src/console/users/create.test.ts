import { usersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { createUsersHandlers } from './routes.ts';

const roleIds = { super_admin: 1, admin: 2, user: 3 };

let database: TestDatabase;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof usersRoutes>>>;
let tenantId: number;
let admin: Principal;
let superAdmin: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const handlers = createUsersHandlers({ passwords: { hash: async (password) => `hash of ${password}` } });
  const console = createTestConsole(database.pool, usersRoutes, handlers);
  as = (principal) => console({ principal });
});
afterAll(() => database.close());

beforeEach(async () => {
  await emptyTables(database, 'tenants');
  tenantId = await addTenant(database.pool, 'One', { adminLimit: 3, userLimit: 5 });
  admin = await addPerson(database.pool, tenantId, 'admin', 'admin@one.test');
  superAdmin = await addPerson(database.pool, tenantId, 'super_admin', 'root@one.test');
});

const person = (email: string, role: keyof typeof roleIds = 'user') => ({
  email,
  name: 'Mara',
  password: 'secret1',
  role_id: roleIds[role],
});
const taken = [{ loc: ['body', 'email'], msg: 'A user with this email already exists', type: 'value_error' }];

const confirmDomain = (owner: number, name: string) =>
  database.pool.query('INSERT INTO domains (tenant_id, name, confirmed_at) VALUES ($1, $2, now())', [
    owner,
    name,
  ]);

describe('createUser', () => {
  it('createUser rejects an email of a domain that another tenant owns, even for a super administrator', async () => {
    const two = await addTenant(database.pool, 'Two');
    await confirmDomain(two, 'two.test');
    await database.pool.query("INSERT INTO domains (tenant_id, name) VALUES ($1, 'claimed.test')", [two]);
    await confirmDomain(tenantId, 'one.test');
    for (const author of [admin, superAdmin])
      for (const email of ['mara@two.test', 'Mara@TWO.test']) {
        await expect(as(author).createUser({ body: person(email) })).rejects.toMatchObject({
          status: 422,
          detail: [{ loc: ['body', 'email'], msg: expect.stringContaining('two.test') }],
        });
      }
    for (const email of ['mara@one.test', 'mara@claimed.test', 'mara@sub.two.test'])
      expect(await as(admin).createUser({ body: person(email) })).toMatchObject({ email });
  });

  it('createUser returns the row, active and unblocked, with the default quotas', async () => {
    const created = await as(admin).createUser({ body: person('mara@one.test') });
    expect(created).toMatchObject({
      email: 'mara@one.test',
      name: 'Mara',
      role_name: 'user',
      daily_quota: 1000,
      monthly_quota: 30_000,
      requests_per_hour: 100,
      current_daily_usage: 0,
      is_active: true,
      is_blocked: false,
      last_login: null,
      provisioned_by: null,
    });
    expect(await as(admin).getUser({ params: { id: created.id } })).toEqual(created);
  });

  it('createUser uses the default quotas of the tenant', async () => {
    await database.pool.query(
      'UPDATE tenants SET default_daily_quota = 50000, default_monthly_quota = NULL, default_requests_per_hour = 7',
    );
    const body = { ...person('mara@one.test'), requests_per_hour: 9 };
    expect(await as(admin).createUser({ body })).toMatchObject({
      daily_quota: 50_000,
      monthly_quota: null,
      requests_per_hour: 9,
    });
  });

  it('createUser stores the given quotas, with null as unlimited', async () => {
    const body = { ...person('mara@one.test'), daily_quota: null, monthly_quota: 5 };
    expect(await as(admin).createUser({ body })).toMatchObject({
      daily_quota: null,
      monthly_quota: 5,
      requests_per_hour: 100,
    });
  });

  it('createUser stores the hash of the password, not the password', async () => {
    const { id } = await as(admin).createUser({ body: person('mara@one.test') });
    const { rows } = await database.pool.query('SELECT password_hash FROM users WHERE id = $1', [id]);
    expect(rows).toEqual([{ password_hash: 'hash of secret1' }]);
  });

  it('createUser rejects an email in use in any tenant, ignoring case', async () => {
    await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'user', 'Mara@Two.test');
    for (const email of ['mara@two.TEST', 'ADMIN@one.test']) {
      await expect(as(admin).createUser({ body: person(email) })).rejects.toMatchObject({
        status: 422,
        detail: taken,
      });
    }
  });

  it('createUser succeeds for one of many concurrent calls with one email', async () => {
    const creates = Array.from({ length: 5 }, () => as(admin).createUser({ body: person('mara@one.test') }));
    const outcomes = await Promise.allSettled(creates);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 422, detail: taken });
    }
  });

  it('createUser requires a super administrator to create a super administrator', async () => {
    expect((await as(admin).createUser({ body: person('a@one.test', 'admin') })).role_name).toBe('admin');
    await expect(as(admin).createUser({ body: person('b@one.test', 'super_admin') })).rejects.toMatchObject({
      status: 403,
    });
    const created = await as(superAdmin).createUser({ body: person('c@one.test', 'super_admin') });
    expect(created.role_name).toBe('super_admin');
  });

  it('createUser rejects an unknown role id', async () => {
    for (const role_id of [4, 2 ** 31 - 1]) {
      await expect(
        as(admin).createUser({ body: { ...person('mara@one.test'), role_id } }),
      ).rejects.toMatchObject({ status: 422, detail: [{ loc: ['body', 'role_id'] }] });
    }
  });

  it('createUser rejects table columns that are not in the form', async () => {
    const { rows } = await database.pool.query<{ column_name: string }>(
      "SELECT column_name FROM information_schema.columns WHERE table_name = 'users'",
    );
    const allowed = Object.keys(usersRoutes.createUser.request.body.shape);
    const columns = rows.map((row) => row.column_name).filter((column) => !allowed.includes(column));
    expect(columns).toEqual(
      expect.arrayContaining(['tenant_id', 'token_version', 'password_hash', 'is_blocked']),
    );
    for (const column of columns) {
      const body = { ...person('mara@one.test'), [column]: 1 };
      await expect(as(admin).createUser({ body }), column).rejects.toThrow(/unrecognized_keys/);
    }
  });
});

describe('plan limits', () => {
  const createMany = (role: 'user' | 'admin', how: number) =>
    Promise.allSettled(
      Array.from({ length: how }, (_, place) =>
        as(admin).createUser({ body: person(`${role}${place}@one.test`, role) }),
      ),
    );

  it('createUser enforces the limit of administrators under 20 concurrent calls', async () => {
    const outcomes = await createMany('admin', 20);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      expect(outcome.reason).toMatchObject({
        status: 422,
        detail: [
          {
            loc: ['body', 'role_id'],
            msg: 'Admin limit reached. Upgrade your plan to create more admins.',
          },
        ],
      });
    }
  });

  it('createUser enforces the limit of users under 20 concurrent calls, separately from administrators', async () => {
    const outcomes = await createMany('user', 20);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  it('createUser does not count inactive users or those of another tenant', async () => {
    const other = await addTenant(database.pool, 'Two');
    for (const place of [1, 2, 3]) await addPerson(database.pool, other, 'admin', `a${place}@two.test`);
    for (const place of [1, 2]) {
      const { userId } = await addPerson(database.pool, tenantId, 'admin', `gone${place}@one.test`);
      await database.pool.query('UPDATE users SET is_active = false WHERE id = $1', [userId]);
    }
    const outcomes = await createMany('admin', 3);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });
});
