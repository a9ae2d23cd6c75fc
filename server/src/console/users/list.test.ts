import { type User, usersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '../../../test/console.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
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

/** A zone where it is early or late morning now, so that no day ends during the test, and that is not UTC. */
function findMorningZone(): string {
  const hour = new Date().getUTCHours();
  const offset = (hour === 6 ? 9 : 6) - hour;
  // The sign of these names is the reverse of the usual one.
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

describe('the list of users', () => {
  it('holds all people of the tenant in the order of their ids, and how many there are', async () => {
    expect(await list()).toEqual({
      total: '3',
      emails: ['admin@one.test', 'a@one.test', 'b@one.test'],
    });
  });

  it('holds one page when skip or limit is given, with the total of all', async () => {
    expect(await list({ limit: 1 })).toEqual({ total: '3', emails: ['admin@one.test'] });
    expect(await list({ skip: 1 })).toEqual({ total: '3', emails: ['a@one.test', 'b@one.test'] });
    expect(await list({ skip: '1', limit: '1' })).toEqual({ total: '3', emails: ['a@one.test'] });
    expect(await list({ skip: 9 })).toEqual({ total: '3', emails: [] });
  });
});

describe('a person of another tenant', () => {
  it('is answered like one who does not exist, whatever is asked', async () => {
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
  it("counts prompt and completion tokens since the start of the tenant's own day and month", async () => {
    const [, a, b] = people;
    const zone = '(SELECT time_zone FROM tenants WHERE id = $1)';
    const startOf = (unit: string) =>
      `date_trunc('${unit}', now() AT TIME ZONE ${zone}) AT TIME ZONE ${zone}`;
    const { rows: logs } = await database.pool.query<{ tokens: number; in_month: boolean }>(
      `INSERT INTO request_logs (id, tenant_id, user_id, protocol, operation, status, http_status, is_stream, attempts,
         received_at, response_time_ms, prompt_tokens, completion_tokens, usage_source)
       SELECT uuid_floor(instant), $1, $2, 'p', 'o', 'success', 200, false, 1, instant, 1, tokens, 1, 'provider'
       FROM (VALUES (${startOf('day')}, 10), (${startOf('day')} - interval '1 ms', 100),
         (${startOf('month')}, 1000), (${startOf('month')} - interval '1 ms', 10000)) AS logs (instant, tokens)
       ON CONFLICT DO NOTHING
       RETURNING prompt_tokens + completion_tokens AS tokens, received_at >= ${startOf('month')} AS in_month`,
      [a!.tenantId, a!.userId],
    );
    const monthly = logs.filter((log) => log.in_month).reduce((sum, log) => sum + log.tokens, 0);
    const user = await asAdmin.getUser({ params: { id: a!.userId } });
    // On the first day of a month its start is the day's start too: one of the two rows counts.
    expect(user.current_daily_usage).toBe(11);
    expect(user.current_monthly_usage).toBe(monthly);
    const rows = await asAdmin.listUsers({ query: {} });
    expect(rows.map((row) => [row.id, row.current_daily_usage, row.current_monthly_usage])).toEqual([
      [people[0]!.userId, 0, 0],
      [a!.userId, 11, monthly],
      [b!.userId, 0, 0],
    ]);
  });
});
