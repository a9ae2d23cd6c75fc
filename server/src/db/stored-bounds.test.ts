import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StoredBoundError } from '#errors/console-error.ts';
import { mirroredTables } from '#gateway/snapshot/tables/all-tables.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import {
  addTenantToFill,
  insertRows,
  type TenantToFill,
  withoutTriggers,
} from '#test/database/stored-rows.ts';
import { explainStoredBound } from './explain-stored-bound.ts';

interface Bound {
  readonly table: string;
  readonly noun: string;
  readonly rowsMax: number | null;
  readonly rowsPerUser: number;
  readonly rowBytesMax: number;
  readonly bytesMax: number | null;
  readonly bytesPerUser: number;
}

/** Tables with tenant rows that need no bound, and why. */
const unbounded: Readonly<Record<string, string>> = {
  allowances: 'made by the gateway, a few for each user and assignment',
  appeals: 'one open appeal for each block',
  alerts: 'raised by banners',
  audit_entries: 'history',
  banners: 'a few kinds for each tenant',
  chat_images: 'at most 4 for each message',
  first_steps: 'one row for each tenant',
  idempotency_keys: 'deleted after 24 hours',
  intent_corrections: 'one for each request',
  ledger_entries: 'history of money',
  llm_comparison_results: 'at most 6 for each comparison',
  llm_comparison_votes: 'one for each comparison',
  mails: 'deleted after their time; sending is limited',
  password_resets: 'one for each user',
  payment_customers: 'one for each tenant',
  payments: 'history of money',
  prompt_list_reads: 'one for each reader and hour',
  provider_circuits: 'made by the gateway, one for each model and node',
  provider_incidents: 'made by the gateway',
  provider_key_refusals: 'made by the gateway, one for each instance',
  request_log_bodies: 'history, deleted by the retention policy',
  request_log_text_blocks: 'history, deleted by the retention policy',
  request_logs: 'history, deleted by the retention policy',
  running_exports: 'one for each tenant',
  score_events: 'history',
  subscription_notices: 'one for each subscription and period',
  subscriptions: 'one for each tenant',
  usage_day_spans: 'one for each tenant',
  usage_days: 'history, deleted by the retention policy',
  usage_rollups: 'history, deleted by the retention policy',
  user_preferences: 'one for each user',
};

let database: TestDatabase;
let pool: pg.Pool;
let bounds: ReadonlyMap<string, Bound>;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.connectionString, max: 20 });
  await pool.query("INSERT INTO provider_registry (provider_key, display_name, icon) VALUES ('a', 'A', 'a')");
  const { rows } = await pool.query<Bound>(
    `SELECT table_name AS "table", noun, rows_max AS "rowsMax", rows_per_user AS "rowsPerUser", row_bytes_max AS "rowBytesMax",
       bytes_max::float8 AS "bytesMax", bytes_per_user AS "bytesPerUser" FROM stored_bounds`,
  );
  bounds = new Map(rows.map((bound) => [bound.table, bound]));
});
afterAll(async () => {
  await pool.end();
  await database.close();
});

const requireBound = (table: string): Bound => {
  const bound = bounds.get(table);
  if (!bound) throw new Error(`${table} has no row in stored_bounds`);
  return bound;
};

/** Returns the bound that a statement would exceed; `null` if it succeeds. */
const exceededBy = (stored: Promise<unknown>) =>
  stored.then(
    () => null,
    (error: unknown) => {
      const explained = explainStoredBound(error);
      if (explained instanceof StoredBoundError) return explained;
      throw error;
    },
  );

const mirrored = Object.values(mirroredTables).map(({ name }) => name);
/** Limited to one row by a constraint. */
const singletons = ['platform_settings'];
const fillable = [
  ...mirrored.filter((table) => !singletons.includes(table) && table !== 'tenants'),
  ...['provider_registry', 'invitations', 'chats', 'chat_messages', 'llm_comparisons'],
];

describe('stored bounds', () => {
  it.each(mirrored)(
    'the mirrored table %s has a bound on rows or bytes and a trigger for it',
    async (table) => {
      const { rowBytesMax } = requireBound(table);
      expect(rowBytesMax).toBeGreaterThan(0);
      const { rows } = await pool.query(
        'SELECT FROM pg_trigger WHERE tgrelid = $1::regclass AND tgname = $2',
        [table, `${table}_bound`],
      );
      expect(rows).toHaveLength(1);
    },
  );

  it('every table with a tenant has a bound or a reason not to', async () => {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND a.attname = 'tenant_id' AND NOT a.attisdropped`,
    );
    const names = rows.map(({ name }) => name);
    expect(names.filter((name) => !bounds.has(name) && !Object.hasOwn(unbounded, name))).toEqual([]);
    expect(Object.keys(unbounded).filter((name) => !names.includes(name) || bounds.has(name))).toEqual([]);
  });

  it('every bound on rows is covered by the test that fills tables', () => {
    const limited = [...bounds.values()].filter(({ rowsMax }) => rowsMax !== null).map(({ table }) => table);
    expect(limited.filter((table) => !singletons.includes(table)).toSorted()).toEqual(fillable.toSorted());
  });
});

it('docs/operating/bounds.md lists every bound with its limits', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/operating/bounds.md'), 'utf8');
  const listed = [
    ...page.matchAll(/^\| `(\w+)` \|[^|]*\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm),
  ].map(([, table, ...cells]) => [table, ...cells.map((cell) => Number(cell.replaceAll(/[ ,]/g, '')))]);
  const declared = [...bounds.values()].map((bound) => [
    bound.table,
    ...[bound.rowsMax, bound.rowsPerUser, bound.rowBytesMax, bound.bytesMax, bound.bytesPerUser].map(Number),
  ]);
  expect(listed.toSorted()).toEqual(declared.toSorted());
});

describe.each(fillable)('the bound of %s', (table) => {
  let tenant: TenantToFill;
  let room: number;
  beforeAll(async () => {
    tenant = await addTenantToFill(pool, `fill-${table}`.replaceAll('_', '-'), table);
    const { rowsMax, rowsPerUser } = requireBound(table);
    const counted = ['users', 'provider_registry'].includes(table) ? 1 : 0;
    room = (rowsMax ?? 0) + rowsPerUser - counted;
  });
  // These rows are shared by all tenants and would affect the tests below.
  afterAll(() => pool.query("DELETE FROM provider_registry WHERE provider_key LIKE 'vendor-%'"));

  it('the bound on rows is exact for a bulk insert and for 20 parallel ones', {
    timeout: 60_000,
  }, async () => {
    const last = room - 5;
    expect(await exceededBy(insertRows(pool, table, tenant, { from: 1, to: last }))).toBeNull();
    const beyond = await exceededBy(insertRows(pool, table, tenant, { from: last + 1, to: last + 6 }));
    const { noun, rowsMax, rowsPerUser } = requireBound(table);
    const limit = (rowsMax ?? 0) + rowsPerUser;
    expect(beyond?.bound).toMatchObject({ noun, kind: 'rows', limit, present: limit - 5, requested: 6 });
    expect(beyond?.status).toBe(422);
    expect(beyond?.message).toContain(
      `Storage limit reached for ${noun}: at most ${limit.toLocaleString('en-US')}`,
    );
    const numbers = Array.from({ length: 20 }, (_, index) => last + 1 + index);
    const outcomes = await Promise.all(
      numbers.map((n) => exceededBy(insertRows(pool, table, tenant, { from: n, to: n }))),
    );
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome?.bound.kind === 'rows')).toHaveLength(15);
  });
});

/** The column that holds the long text of `insertRows`. */
const textColumns: Readonly<Record<string, string>> = {
  tenants: 'name',
  users: 'name',
  api_keys: 'name',
  llm_providers: 'enabled_models',
  user_provider_access: 'allowed_models',
  team_provider_access: 'allowed_models',
  teams: 'description',
  blacklist_entries: 'reason',
  tasks: 'description',
  task_assignments: 'progress_notes',
  price_overrides: 'price',
  sessions: 'user_agent',
  provider_registry: 'supported_models',
  invitations: 'invited_by_name',
  chats: 'title',
  chat_messages: 'content',
  llm_comparisons: 'prompt',
};

describe.each(Object.entries(textColumns))('a row of %s', (table, column) => {
  it('a row cannot be inserted or grow beyond its bytes, but an existing larger row can be changed', async () => {
    const tenant = await addTenantToFill(pool, `row-${table}`.replaceAll('_', '-'), table);
    const { rowBytesMax } = requireBound(table);
    const text = 'x'.repeat(rowBytesMax);
    const tooLarge = await exceededBy(insertRows(pool, table, tenant, { from: 1, to: 1, text }));
    expect(tooLarge?.bound).toMatchObject({ kind: 'row_bytes', limit: rowBytesMax });
    await insertRows(pool, table, tenant, { from: 2, to: 2, text: 'first' });
    const grow = `UPDATE ${table} SET ${column} = replace(${column}::text, 'first', $1)::${await typeOf(table, column)}
      WHERE ${column}::text LIKE '%first%'`;
    expect((await exceededBy(pool.query(grow, [text])))?.bound.kind).toBe('row_bytes');
    await withoutTriggers(pool, [table], (client) => client.query(grow, [`first${text}`]));
    const { rowCount } = await pool.query(grow, ['']);
    expect(rowCount).toBe(1);
  });
});

async function typeOf(table: string, column: string): Promise<string> {
  const { rows } = await pool.query<{ type: string }>(
    'SELECT format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attrelid = $1::regclass AND attname = $2',
    [table, column],
  );
  return rows[0]?.type ?? '';
}

const heavyTables = [
  'llm_providers',
  'user_provider_access',
  'team_provider_access',
  'blacklist_entries',
  'tasks',
];

describe.each(heavyTables)('the bytes of all %s of a tenant', (table) => {
  it('the bytes of a tenant are bounded for inserts and updates', async () => {
    const tenant = await addTenantToFill(pool, `bytes-${table}`.replaceAll('_', '-'), table);
    const { bytesMax, bytesPerUser, rowBytesMax } = requireBound(table);
    const limit = (bytesMax ?? 0) + bytesPerUser;
    const text = 'x'.repeat(rowBytesMax - 1_000);
    const fitting = Math.floor(limit / rowBytesMax);
    await insertRows(pool, table, tenant, { from: 1, to: fitting, text });
    const more = await exceededBy(
      insertRows(pool, table, tenant, { from: fitting + 1, to: fitting + 2, text }),
    );
    expect(more?.bound).toMatchObject({ kind: 'bytes', limit });
    expect(more?.message).toContain('bytes in total per organization');
    await insertRows(pool, table, tenant, { from: fitting + 1, to: fitting + 2, text: 'first' });
    const column = textColumns[table];
    const grow = `UPDATE ${table} SET ${column} = replace(${column}::text, 'first', $1)::${await typeOf(table, column ?? '')}
      WHERE tenant_id = $2 AND ${column}::text LIKE '%first%'`;
    expect((await exceededBy(pool.query(grow, [text, tenant.id])))?.bound.kind).toBe('bytes');
  });

  it('tables with a bound on all bytes are covered by the test that fills them', () => {
    expect(
      [...bounds.values()].flatMap(({ table: name, bytesMax }) => (bytesMax === null ? [] : [name])),
    ).toContain(table);
  });
});

it('an ended assignment that is reactivated counts toward the bound', async () => {
  const table = 'task_assignments';
  const tenant = await addTenantToFill(pool, 'revived', table);
  const { rowsMax, rowsPerUser } = requireBound(table);
  const limit = (rowsMax ?? 0) + rowsPerUser;
  await insertRows(pool, table, tenant, { from: 1, to: limit });
  const end =
    "UPDATE task_assignments SET status = 'completed', ended_at = now() WHERE tenant_id = $1 AND id = (SELECT min(id) FROM task_assignments WHERE tenant_id = $1)";
  await pool.query(end, [tenant.id]);
  await insertRows(pool, table, tenant, { from: limit + 1, to: limit + 1 });
  const revive =
    "UPDATE task_assignments SET status = 'active', ended_at = NULL WHERE tenant_id = $1 AND status = 'completed'";
  expect((await exceededBy(pool.query(revive, [tenant.id])))?.bound).toMatchObject({
    kind: 'rows',
    present: limit,
  });
});
