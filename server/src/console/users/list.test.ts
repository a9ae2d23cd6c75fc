import { type User, usersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createUsersHandlers } from './routes.ts';

let database: TestDatabase;
let asAdmin: ReturnType<ReturnType<typeof createTestConsole<typeof usersRoutes>>>;
let people: Principal[];
let stranger: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const tenantId = await addTenant(database.pool, 'One', { timeZone: findMorningZone() });
  people = [];
  for (const [role, email] of [
    ['admin', 'admin@one.test'],
    ['user', 'a@one.test'],
    ['user', 'b@one.test'],
  ] as const) {
    people.push(await addPerson(database.pool, tenantId, role, email));
  }
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'user', 's@two.test');
  const handlers = createUsersHandlers({ passwords: { hash: async () => 'x' } });
  asAdmin = createTestConsole(database.pool, usersRoutes, handlers)({ principal: people[0]! });
});
afterAll(() => database.close());

/** Returns a time zone other than UTC in which it is morning, so that the day does not end during the test. */
function findMorningZone(): string {
  const hour = new Date().getUTCHours();
  const offset = (hour === 6 ? 9 : 6) - hour;
  // POSIX zone names use the inverted sign.
  const west = offset < -12 ? -(offset + 24) : -offset;
  return `Etc/GMT${west >= 0 ? '+' : ''}${west}`;
}

const list = async (query = {}) => {
  let total: string | null = null;
  const rows = await asAdmin.listUsers(
    { query },
    {
      onHeaders: (headers) => {
        total = headers.get('x-total-count');
      },
    },
  );
  return { total, emails: rows.map((row: User) => row.email) };
};

describe('listUsers', () => {
  it('listUsers returns all users of the tenant by id with the total', async () => {
    expect(await list()).toEqual({
      total: '3',
      emails: ['admin@one.test', 'a@one.test', 'b@one.test'],
    });
  });

  it('listUsers returns one page with skip or limit, with the total', async () => {
    expect(await list({ limit: 1 })).toEqual({ total: '3', emails: ['admin@one.test'] });
    expect(await list({ skip: 1 })).toEqual({ total: '3', emails: ['a@one.test', 'b@one.test'] });
    expect(await list({ skip: '1', limit: '1' })).toEqual({ total: '3', emails: ['a@one.test'] });
    expect(await list({ skip: 9 })).toEqual({ total: '3', emails: [] });
  });
});

describe('a user of another tenant', () => {
  it("user routes return the same 404 for another tenant's user as for an unknown one", async () => {
    const asks = (id: number) => [
      () => asAdmin.getUser({ params: { id } }),
      () => asAdmin.updateUser({ params: { id }, body: { name: 'X' } }),
      () => asAdmin.blockUser({ params: { id }, query: { reason: 'x' } }),
      () => asAdmin.unblockUser({ params: { id } }),
      () => asAdmin.changeUserPassword({ params: { id }, body: { password: 'secret1' } }),
    ];
    for (const ask of [...asks(stranger.userId), ...asks(999_999)]) {
      await expect(ask()).rejects.toMatchObject({ status: 404, detail: 'User not found' });
    }
    const { rows } = await database.pool.query('SELECT name, is_blocked FROM users WHERE id = $1', [
      stranger.userId,
    ]);
    expect(rows).toEqual([{ name: 's', is_blocked: false }]);
  });
});

describe('the usage of a user', () => {
  it("getUser returns the settled usage of the current day and month in the tenant's time zone", async () => {
    const [, a, b] = people;
    const zone = '(SELECT time_zone FROM tenants WHERE id = $1)';
    const startOf = (unit: string, before = '0') =>
      `(date_trunc('${unit}', now() AT TIME ZONE ${zone}) - interval '${before}') AT TIME ZONE ${zone}`;
    await database.pool.query(
      `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, settled, leased)
       SELECT $1, kind, $2, start, settled, 5 FROM (VALUES
         ('tokens_per_day', ${startOf('day')}, 11), ('tokens_per_day', ${startOf('day', '1 day')}, 100),
         ('tokens_per_month', ${startOf('month')}, 1000), ('tokens_per_month', ${startOf('month', '1 month')}, 10000),
         ('requests_per_hour', date_trunc('hour', now()), 7)) AS windows (kind, start, settled)`,
      [a!.tenantId, a!.userId],
    );
    const user = await asAdmin.getUser({ params: { id: a!.userId } });
    expect([user.current_daily_usage, user.current_monthly_usage]).toEqual([11, 1000]);
    const rows = await asAdmin.listUsers({ query: {} });
    expect(rows.map((row) => [row.id, row.current_daily_usage, row.current_monthly_usage])).toEqual([
      [people[0]!.userId, 0, 0],
      [a!.userId, 11, 1000],
      [b!.userId, 0, 0],
    ]);
  });
});
