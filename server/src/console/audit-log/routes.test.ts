import {
  auditedAmounts,
  auditedObjectTypes,
  auditLogRoutes,
  creditsRoutes,
  settingsRoutes,
  usersRoutes,
} from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSetMarkup } from '#console/credits/change-settings.ts';
import { createCreditsHandlers } from '#console/credits/routes.ts';
import { createSetSuperAdminFactor } from '#console/second-factor/super-admin-rule.ts';
import { createSettingsHandlers } from '#console/settings/routes.ts';
import { createUsersHandlers } from '#console/users/routes.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createPasswordHasher } from '#platform/password.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { findLinked } from './link-names.ts';
import { createAuditLogHandlers } from './routes.ts';

let database: TestDatabase;
let home: number;
let admin: Principal;
let operator: Principal;
let foreignAdmin: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  home = await addTenant(database.pool, 'Home', { timeZone: 'Asia/Tokyo' });
  const foreign = await addTenant(database.pool, 'Foreign');
  admin = await addPerson(database.pool, home, 'admin', 'ada@home.test');
  operator = await addPerson(database.pool, home, 'super_admin', 'olga@home.test');
  foreignAdmin = await addPerson(database.pool, foreign, 'admin', 'fred@foreign.test');
});
afterAll(() => database.close());

const auditLogOf = (principal: Principal) =>
  createTestConsole(database.pool, auditLogRoutes, createAuditLogHandlers())({ principal });
const usersOf = (principal: Principal) =>
  createTestConsole(
    database.pool,
    usersRoutes,
    createUsersHandlers({ passwords: createPasswordHasher() }),
  )({ principal, address: "192.0.2.7'; DROP TABLE users; --" });
const settingsOf = (principal: Principal) =>
  createTestConsole(
    database.pool,
    settingsRoutes,
    createSettingsHandlers({
      setMarkup: createSetMarkup(createSystemDatabase(database.pool)),
      setSuperAdminFactor: createSetSuperAdminFactor(createSystemDatabase(database.pool)),
      clock: Date.now,
    }),
  )({ principal });
const creditsOf = (principal: Principal) =>
  createTestConsole(
    database.pool,
    creditsRoutes,
    createCreditsHandlers({ system: createSystemDatabase(database.pool) }),
  )({ principal });

let peopleCount = 0;
async function addUser(): Promise<Principal> {
  return addPerson(database.pool, home, 'user', `person-${++peopleCount}@home.test`);
}

const newest = async (principal: Principal, query: object = {}) => {
  const [entry] = await auditLogOf(principal).listAuditEntries({ query: { limit: 1, ...query } });
  return entry;
};

describe('audit entry', () => {
  it('an audit entry records who changed what, from where, and the old and new values', async () => {
    const { userId } = await addUser();
    await usersOf(admin).updateUser({ params: { id: userId }, body: { name: 'Mara', daily_quota: 5 } });
    expect(await newest(admin)).toEqual({
      id: expect.any(Number),
      created_at: expect.stringMatching(/Z$/),
      actor_id: admin.userId,
      actor_name: 'ada',
      actor_email: 'ada@home.test',
      action: 'updateUser',
      object_type: 'user',
      object_id: String(userId),
      object_name: 'Mara',
      before: { name: `person-${peopleCount}`, daily_quota: null },
      after: { name: 'Mara', daily_quota: 5 },
      measure: null,
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      address: "192.0.2.7'; DROP TABLE users; --",
    });
  });

  it('an audit entry records only that a secret changed', async () => {
    const { userId } = await addUser();
    await usersOf(admin).changeUserPassword({ params: { id: userId }, body: { password: 'a new horse' } });
    expect(await newest(admin)).toMatchObject({
      action: 'changeUserPassword',
      before: { password_hash: '[redacted]' },
      after: { password_hash: '[redacted]' },
    });
  });

  it('an audit entry contains the values of an inserted or deleted row', async () => {
    const { userId } = await addUser();
    expect(await newest(admin)).toMatchObject({
      actor_id: null,
      actor_name: null,
      action: null,
      before: null,
      after: { name: `person-${peopleCount}`, role_id: 3, password_hash: '[redacted]', is_active: true },
    });
    await database.pool.query('DELETE FROM users WHERE id = $1', [userId]);
    expect(await newest(admin)).toMatchObject({
      object_id: String(userId),
      object_name: `person-${peopleCount}`,
      before: { name: `person-${peopleCount}`, password_hash: '[redacted]' },
      after: null,
    });
  });

  it('changes of background columns and unchanged rows are not audited', async () => {
    const { userId } = await addUser();
    const before = await newest(admin);
    await database.pool.query(
      `UPDATE users SET last_login_at = now(), token_version = token_version + 1, name = name WHERE id = ${userId}`,
    );
    expect(await newest(admin)).toEqual(before);
  });

  it('a change that is rolled back leaves no audit entry', async () => {
    const before = await newest(admin);
    await expect(
      usersOf(admin).updateUser({ params: { id: operator.userId }, body: { role_id: 3 } }),
    ).rejects.toMatchObject({ status: 403 });
    expect(await newest(admin)).toEqual(before);
  });

  it('an audit entry hides the name of an operator of another tenant and shows money in dollars', async () => {
    await creditsOf(operator).rechargeTenantOfUser({
      params: { userId: foreignAdmin.userId },
      body: { amount: 12.5, description: 'a gift' },
    });
    expect(await newest(foreignAdmin)).toMatchObject({
      actor_id: operator.userId,
      actor_name: 'Platform operator',
      actor_email: null,
      address: null,
      action: 'rechargeTenantOfUser',
      object_type: 'credit_transaction',
      object_name: 'a gift',
      after: { kind: 'recharge', amount: 12.5, balance_after: 12.5 },
    });
  });
});

describe('amounts in audit entries', () => {
  it('every audited bigint column is classified as money, a limit of a budget or another number', async () => {
    const { rows } = await database.pool.query<{ name: string }>(`
      SELECT DISTINCT c.relname || '.' || a.attname AS name
      FROM pg_trigger t
      JOIN pg_proc p ON p.oid = t.tgfoid AND p.proname = 'record_change'
      JOIN pg_class c ON c.oid = t.tgrelid
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE a.atttypid = 'bigint'::regtype AND is_audited_column(a.attname)
      ORDER BY name`);
    const names = rows.map(({ name }) => name);
    expect(names).toContain('budgets.limit_amount');
    expect(names.filter((name) => !Object.hasOwn(auditedAmounts, name.split('.')[1]!))).toEqual([]);
  });

  it('monetary limits of budgets, defaults and requests for a higher limit are audited in dollars, with their measure', async () => {
    const { userId } = await addUser();
    const insert = async (text: string, values: readonly unknown[]) =>
      (await database.pool.query<{ id: number }>(`INSERT INTO ${text} RETURNING id`, [...values])).rows[0]!
        .id;
    const ofBudgets =
      'budgets (tenant_id, user_id, measure, period, limit_amount) VALUES ($1, $2, $3, $4, $5)';
    const money = await insert(ofBudgets, [home, userId, 'usd', 'month', 50_380_000_000]);
    expect(await newest(admin)).toMatchObject({ measure: 'usd', after: { limit_amount: 50.38 } });
    await database.pool.query(
      "UPDATE budgets SET raised_limit = 60000000000, raised_until = now() + interval '1 day', raise_reason = 'x' WHERE id = $1",
      [money],
    );
    expect(await newest(admin)).toMatchObject({ measure: 'usd', after: { raised_limit: 60 } });
    await insert(
      "budget_raise_requests (tenant_id, budget_id, user_id, limit_amount, until, reason) VALUES ($1, $2, $3, $4, now() + interval '1 day', 'x')",
      [home, money, userId, 1_920_000_000],
    );
    expect(await newest(admin)).toMatchObject({ measure: 'usd', after: { limit_amount: 1.92 } });
    const tokens = await insert(ofBudgets, [home, userId, 'tokens', 'day', 500_000]);
    await database.pool.query('UPDATE budgets SET limit_amount = 600000 WHERE id = $1', [tokens]);
    await database.pool.query('DELETE FROM budgets WHERE id = $1', [tokens]);
    const [deleted, changed] = await auditLogOf(admin).listAuditEntries({ query: { limit: 2 } });
    expect(deleted).toMatchObject({ measure: 'tokens', before: { limit_amount: 600_000 }, after: null });
    expect(changed).toMatchObject({ measure: 'tokens', after: { limit_amount: 600_000 } });
    await insert('budgets (tenant_id, measure, period, limit_amount) VALUES ($1, $2, $3, $4)', [
      home,
      'requests',
      'day',
      100,
    ]);
    expect(await newest(admin)).toMatchObject({ object_name: 'Organization' });
    const byDefault = await insert(
      'budget_defaults (tenant_id, measure, period, limit_amount) VALUES ($1, $2, $3, $4)',
      [home, 'usd', 'month', 50_000_000_000],
    );
    await database.pool.query('UPDATE budget_defaults SET limit_amount = 1000000000 WHERE id = $1', [
      byDefault,
    ]);
    expect(await newest(admin)).toMatchObject({
      object_name: 'Organization',
      measure: 'usd',
      before: { limit_amount: 50 },
      after: { limit_amount: 1 },
    });
    await database.pool.query('DELETE FROM budget_defaults WHERE id = $1', [byDefault]);
  });
});

describe('audit log', () => {
  it('listAuditEntries finds acts by the words of the console, with and without a recorded action', async () => {
    const mara = await addPerson(database.pool, home, 'user', 'mara@acts.test');
    await usersOf(admin).updateUser({ params: { id: mara.userId }, body: { name: 'Mara Acts' } });
    const find = async (search: string) =>
      (await auditLogOf(admin).listAuditEntries({ query: { search, object_id: String(mara.userId) } })).map(
        ({ action, before }) => [action, before === null],
      );
    expect(await find('Update user')).toEqual([['updateUser', false]]);
    expect(await find('create user')).toEqual([[null, true]]);
  });

  it('listAuditEntries shows changes of the installation only to super administrators', async () => {
    await settingsOf(operator).updateSettings({ body: { markup_percentage: 33 } });
    const query = { object_type: 'platform_settings' as const };
    const entry = await newest(operator, query);
    expect(entry).toMatchObject({
      actor_name: 'olga',
      action: 'updateSettings',
      before: { markup_percentage: 20 },
      after: { markup_percentage: 33 },
    });
    expect(await newest(admin, query)).toBeUndefined();
    await expect(auditLogOf(admin).getAuditEntry({ params: { id: entry!.id } })).rejects.toMatchObject({
      status: 404,
    });
    expect(await auditLogOf(operator).getAuditEntry({ params: { id: entry!.id } })).toMatchObject({
      ...entry,
    });
  });

  it('listAuditEntries returns no changes of another tenant', async () => {
    const { userId } = await addUser();
    const entry = await newest(admin);
    expect(entry?.object_id).toBe(String(userId));
    const seen = await auditLogOf(foreignAdmin).listAuditEntries({ query: { search: 'home.test' } });
    expect(seen).toEqual([]);
    await expect(auditLogOf(foreignAdmin).getAuditEntry({ params: { id: entry!.id } })).rejects.toMatchObject(
      { status: 404 },
    );
  });

  it('listAuditEntries applies each filter and returns how many entries match', async () => {
    const { userId } = await addUser();
    await usersOf(admin).blockUser({ params: { id: userId }, query: { reason: 'a 100 % test' } });
    const total = async (query: object) => {
      let count = '';
      const onHeaders = (headers: Headers) => {
        count = headers.get('x-total-count') ?? '';
      };
      await auditLogOf(admin).listAuditEntries({ query: { limit: 1, ...query } }, { onHeaders });
      return count;
    };
    const object = { object_type: 'user' as const, object_id: String(userId) };
    expect(await total(object)).toBe('2');
    expect(await total({ ...object, action: 'blockUser' })).toBe('1');
    expect(await total({ ...object, actor_id: admin.userId })).toBe('1');
    expect(await total({ ...object, actor_id: foreignAdmin.userId })).toBe('0');
    expect(await total({ ...object, search: '100 % TEST' })).toBe('1');
    expect(await total({ ...object, search: '1__ % test' })).toBe('0');
    expect(await total({ ...object, object_type: 'team' })).toBe('0');
  });

  it("listAuditEntries counts days by the tenant's calendar", async () => {
    const { rows } = await database.pool.query<{ id: number }>(
      `INSERT INTO audit_entries (tenant_id, object_type, object_id, created_at)
       VALUES ($1, 'team', '1', '2026-03-01 14:59:59Z'), ($1, 'team', '2', '2026-03-01 15:00:00Z') RETURNING id`,
      [home],
    );
    const on = async (start_date?: string, end_date?: string) =>
      (
        await auditLogOf(admin).listAuditEntries({
          query: { object_type: 'team', ...(start_date && { start_date }), ...(end_date && { end_date }) },
        })
      ).map(({ object_id }) => object_id);
    expect(rows).toHaveLength(2);
    expect(await on('2026-03-01', '2026-03-01')).toEqual(['1']);
    expect(await on('2026-03-02')).toEqual(['2']);
    expect(await on(undefined, '2026-03-02')).toEqual(['2', '1']);
    expect(await on('0000-01-01', '9999-12-31')).toEqual(['2', '1']);
  });

  it.each(['UPDATE audit_entries SET action = NULL', 'DELETE FROM audit_entries', 'TRUNCATE audit_entries'])(
    'the audit log is append-only, even for its owner: %s',
    async (statement) => {
      await expect(database.pool.query(statement)).rejects.toThrow(/is refused/);
      const client = await database.pool.connect();
      await client.query(
        `BEGIN; SET LOCAL ROLE sluice_tenant; SELECT set_config('app.tenant', '${home}', true)`,
      );
      await expect(client.query(statement)).rejects.toThrow(/permission denied/);
      await client.query('ROLLBACK');
      client.release();
    },
  );

  it('the audit log is not writable by the tenant role', async () => {
    const client = await database.pool.connect();
    await client.query(
      `BEGIN; SET LOCAL ROLE sluice_tenant; SELECT set_config('app.tenant', '${home}', true)`,
    );
    await expect(
      client.query("INSERT INTO audit_entries (tenant_id, object_type, object_id) VALUES (1, 'user', '1')"),
    ).rejects.toThrow(/permission denied/);
    await client.query('ROLLBACK');
    client.release();
  });
});

/** Tables that contain users' own content, background state or their own audit trail. */
const unaudited = [
  'sessions',
  'idempotency_keys',
  'mails',
  'score_events',
  'llm_comparisons',
  'llm_comparison_results',
  'llm_comparison_votes',
  'chats',
  'chat_messages',
  'chat_images',
  'first_steps',
  'running_exports',
  'user_preferences',
];

/** Tables with one trigger per operation that skips rows written by a change of a default. */
const auditedInPart = ['budgets'];

describe('tables that the console may change', () => {
  it('every table that the console may change is audited or on the list of unaudited tables', async () => {
    const { rows } = await database.pool.query<{ name: string; is_audited: boolean }>(
      `SELECT relname AS name, EXISTS (
         SELECT FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
         WHERE tgrelid = pg_class.oid AND proname = 'record_change'
           AND tgtype & 29 = 29 AND tgqual IS NULL
       ) AS is_audited
       FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND (
         has_table_privilege('sluice_tenant', oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
         OR has_any_column_privilege('sluice_tenant', oid, 'INSERT, UPDATE'))`,
    );
    const silent = rows.filter((table) => !table.is_audited).map(({ name }) => name);
    expect(silent.filter((name) => ![...unaudited, ...auditedInPart].includes(name))).toEqual([]);
    expect(rows.length).toBeGreaterThan(unaudited.length);
  });

  it('every audited table has a resource type in the contract and an id or request_id column', async () => {
    const { rows } = await database.pool.query<{ name: string; arguments: Buffer; has_id: boolean }>(
      `SELECT relname AS name, tgargs AS arguments, EXISTS (
         SELECT FROM pg_attribute WHERE attrelid = tgrelid AND attname IN ('id', 'request_id')
       ) AS has_id
       FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
       WHERE proname = 'record_change'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { name, arguments: words, has_id } of rows) {
      expect(auditedObjectTypes, name).toContain(words.toString().replace('\0', ''));
      expect(has_id, name).toBe(true);
    }
  });

  it('getAuditEntry names the objects of all reference columns except default_id, refunded_entry_id and tool_id', async () => {
    const { rows } = await database.pool.query<{ column: string }>(
      `SELECT DISTINCT attname AS column FROM pg_attribute
       JOIN pg_trigger ON tgrelid = attrelid JOIN pg_proc ON pg_proc.oid = tgfoid
       WHERE proname = 'record_change' AND attnum > 0 AND NOT attisdropped AND is_audited_column(attname)
         AND atttypid = ANY ('{integer,bigint}'::regtype[]) AND attname ~ '_(id|by)$' ORDER BY 1`,
    );
    const nameless = rows.map(({ column }) => column).filter((column) => !findLinked(column));
    expect(nameless).toEqual(['default_id', 'refunded_entry_id', 'tool_id']);
    const after = Object.fromEntries(rows.map(({ column }) => [column, admin.userId]));
    const { rows: added } = await database.pool.query<{ id: string }>(
      `INSERT INTO audit_entries (tenant_id, object_type, object_id, after) VALUES ($1, 'user', '1', $2) RETURNING id`,
      [home, after],
    );
    const { link_names } = await auditLogOf(admin).getAuditEntry({ params: { id: Number(added[0]?.id) } });
    expect(link_names).toMatchObject({
      user_id: { [admin.userId]: 'ada' },
      blocked_by: { [admin.userId]: 'ada' },
    });
  });

  it('every audited table records all columns except background state', async () => {
    const { rows } = await database.pool.query<{ name: string; column: string }>(
      `SELECT relname AS name, attname AS column FROM pg_attribute
       JOIN pg_class ON pg_class.oid = attrelid
       JOIN pg_trigger ON tgrelid = attrelid JOIN pg_proc ON pg_proc.oid = tgfoid
       WHERE proname = 'record_change' AND tgtype & 16 = 16 AND attnum > 0 AND NOT attisdropped
         AND is_audited_column(attname) AND attnum <> ALL (tgattr::int2[]) AND tgattr::text <> ''`,
    );
    expect(rows, 'call audit_table again in the migration that adds the column').toEqual([]);
  });

  it('audited tables record no binary columns', async () => {
    const { rows } = await database.pool.query<{ name: string; column: string }>(
      `SELECT relname AS name, attname AS column FROM pg_attribute
       JOIN pg_class ON pg_class.oid = attrelid
       JOIN pg_trigger ON tgrelid = attrelid JOIN pg_proc ON pg_proc.oid = tgfoid
       WHERE proname = 'record_change' AND atttypid = 'bytea'::regtype`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { name, column } of rows) {
      const {
        rows: [shown],
      } = await database.pool.query(
        "SELECT list_changes(jsonb_build_object($1::text, 'x'), '{}') ->> $1 AS value",
        [column],
      );
      expect(shown.value, `${name}.${column}`).toBe('[redacted]');
    }
  });
});
