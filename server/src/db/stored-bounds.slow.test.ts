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
import { explainRefusedWrite } from './explain-refused-write.ts';

interface Bound {
  readonly table: string;
  readonly noun: string;
  readonly rowsMax: number | null;
  readonly rowsPerUser: number;
  readonly rowBytesMax: number;
  readonly bytesMax: number | null;
  readonly bytesPerUser: number;
}

/**
 * Reason why a table without a row in `stored_bounds` cannot grow without limit. All kinds except `only` are
 * verified.
 */
type Limit =
  /** One row per value of the columns in this unique index. */
  | { readonly oneFor: readonly string[] }
  | { readonly deletedIn: string }
  /** At most this many rows per row of the table referenced by a foreign key. */
  | { readonly of: string; readonly atMost: number }
  | { readonly only: string };

const nightly = { deletedIn: 'server/src/jobs/delete-old-rows.ts' };
const withLogs = { deletedIn: 'server/src/request-log/postgres/delete-rows.ts' };

const unbounded: Readonly<Record<string, Limit>> = {
  alerts: { deletedIn: 'server/src/jobs/send-alerts.ts' },
  allowances: { deletedIn: 'server/src/gateway/allowance/expired-nodes.ts' },
  api_key_expiry_notices: { oneFor: ['api_key_id'] },
  appeals: { oneFor: ['score_event_id'] },
  audit_entries: nightly,
  backups: { only: 'made by the operator; the last 100 are kept' },
  banners: { oneFor: ['id'] },
  body_keys: { oneFor: ['tenant_id'] },
  body_objects: { deletedIn: 'server/src/body-store/object-rows.ts' },
  budget_defaults: { oneFor: ['tenant_id', 'team_id', 'measure', 'period'] },
  budget_notices: { oneFor: ['budget_id'] },
  clickhouse_log: { only: 'one row' },
  chat_images: { of: 'chat_messages', atMost: 4 },
  first_steps: { oneFor: ['tenant_id'] },
  idempotency_keys: nightly,
  installation: { only: 'one row' },
  intent_corrections: { oneFor: ['request_id'] },
  job_runs: { oneFor: ['name'] },
  job_schedules: { oneFor: ['name'] },
  undelivered_scores: { deletedIn: 'server/src/shipper/undelivered-scores.ts' },
  interrupted_requests: { deletedIn: 'server/src/shipper/clickhouse-rows.ts' },
  log_move_days: { deletedIn: 'server/src/db/log-moves/move-state.ts' },
  log_move_deletions: { deletedIn: 'server/src/request-log/postgres/delete-rows.ts' },
  journal_positions: { deletedIn: 'server/src/shipper/journal-position.ts' },
  late_log_rows: { deletedIn: 'server/src/log-export/hours.ts' },
  leases: { oneFor: ['allowance_id', 'node_id'] },
  ledger_entries: { only: 'history of money: one row per tenant, instance, model and minute' },
  llm_comparison_results: { of: 'llm_comparisons', atMost: 6 },
  llm_comparison_votes: { oneFor: ['comparison_id', 'user_id'] },
  log_export_start: { only: 'one row' },
  log_exports: { deletedIn: 'server/src/log-export/hours.ts' },
  login_attempts: nightly,
  mails: nightly,
  managed_objects: { oneFor: ['kind', 'object_id'] },
  node_reports: { deletedIn: 'server/src/console/system/store.ts' },
  nodes: { deletedIn: 'server/src/gateway/allowance/expired-nodes.ts' },
  obsolete_body_files: { deletedIn: 'server/src/body-store/object-rows.ts' },
  outbound_counts: nightly,
  password_resets: nightly,
  payment_customers: { oneFor: ['tenant_id', 'provider'] },
  payments: { only: 'history of money' },
  plans: { only: 'made by the operator' },
  prompt_list_reads: nightly,
  provider_circuits: { oneFor: ['node_id', 'llm_provider_id', 'model'] },
  provider_incidents: { oneFor: ['llm_provider_id', 'kind'] },
  provider_key_refusals: { oneFor: ['llm_provider_id'] },
  request_log_bodies: withLogs,
  request_log_text_blocks: withLogs,
  request_logs: withLogs,
  roles: { only: 'part of the product' },
  running_exports: { oneFor: ['tenant_id'] },
  schema_migrations: { only: 'part of the product' },
  score_events: nightly,
  secret_holders: { deletedIn: 'server/src/master-key/store.ts' },
  device_codes: nightly,
  shadow_requests: { only: 'at most 200,000 per run, which the command checks' },
  shadow_runs: { only: 'the command keeps the newest 20 of a tenant' },
  sign_in_attempts: nightly,
  sign_in_policies: { oneFor: ['tenant_id'] },
  signups: nightly,
  simulated_customers: { only: 'payments of a demonstration' },
  simulated_intents: { only: 'payments of a demonstration' },
  simulated_payment_methods: { only: 'payments of a demonstration' },
  simulated_setup_intents: { only: 'payments of a demonstration' },
  simulated_subscriptions: { only: 'payments of a demonstration' },
  stored_bounds: { only: 'part of the product' },
  stray_changes: { deletedIn: 'server/src/db/log-partitions/move-strays.ts' },
  stray_moves: { deletedIn: 'server/src/db/log-partitions/move-strays.ts' },
  subscription_notices: { oneFor: ['tenant_id', 'kind', 'happens_at'] },
  subscriptions: { oneFor: ['tenant_id'] },
  usage_day_spans: { oneFor: ['tenant_id'] },
  usage_days: nightly,
  usage_rollups: nightly,
  labeled_usage: nightly,
  user_preferences: { oneFor: ['user_id'] },
  recovery_codes: { oneFor: ['user_id'] },
  totp_authenticators: { oneFor: ['user_id'] },
  webhook_events: nightly,
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

const exceededBy = (stored: Promise<unknown>) =>
  stored.then(
    () => null,
    (error: unknown) => {
      const explained = explainRefusedWrite(error);
      if (explained instanceof StoredBoundError) return explained;
      throw error;
    },
  );

const mirrored = Object.values(mirroredTables).map(({ name }) => name);
const singletons = ['platform_settings'];
const fillable = [
  ...mirrored.filter((table) => !singletons.includes(table) && table !== 'tenants'),
  ...['provider_registry', 'invitations', 'chats', 'chat_messages', 'llm_comparisons', 'scim_tokens'],
  ...[
    'passkeys',
    'sign_in_tickets',
    'management_tokens',
    'signed_in_tools',
    'domains',
    'identity_providers',
    'user_identities',
  ],
  'budget_raise_requests',
];

describe('stored bounds', () => {
  it.each(mirrored)(
    'the mirrored table %s has a bound on rows or bytes that a trigger enforces',
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

  it('every table has a bound or another limit', async () => {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    const names = rows.map(({ name }) => name);
    expect(names.filter((name) => !bounds.has(name) && !Object.hasOwn(unbounded, name))).toEqual([]);
    expect(Object.keys(unbounded).filter((name) => !names.includes(name) || bounds.has(name))).toEqual([]);
  });

  it.each(Object.entries(unbounded))('the declared limit of %s exists: %j', async (table, limit) => {
    if ('oneFor' in limit) {
      const { rows } = await pool.query<{ columns: string[] }>(
        `SELECT array_agg(a.attname::text ORDER BY a.attname) AS columns
         FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
         WHERE i.indrelid = $1::regclass AND i.indisunique AND i.indpred IS NULL GROUP BY i.indexrelid`,
        [table],
      );
      expect(rows.map(({ columns }) => columns)).toContainEqual(limit.oneFor.toSorted());
    } else if ('deletedIn' in limit) {
      const source = readFileSync(join(import.meta.dirname, '../../..', limit.deletedIn), 'utf8');
      const camelCase = table.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
      expect(source.includes(table) || source.includes(camelCase)).toBe(true);
    } else if ('of' in limit) {
      const { rowCount } = await pool.query(
        "SELECT FROM pg_constraint WHERE contype = 'f' AND conrelid = $1::regclass AND confrelid = $2::regclass",
        [table, limit.of],
      );
      expect(rowCount).toBeGreaterThan(0);
      expect(bounds.has(limit.of)).toBe(true);
    } else expect(limit.only).not.toBe('');
  });

  it('rows that do not count toward a bound exist only in budgets and sessions, where other limits apply', async () => {
    const { rows } = await pool.query<{ name: string }>(
      "SELECT table_name AS name FROM stored_bounds WHERE counted_if <> 'true' AND closed_max IS NULL",
    );
    // Expired sessions are deleted hourly, and a user has one default budget per measure and period.
    expect(rows.map(({ name }) => name).toSorted()).toEqual(['budgets', 'sessions']);
  });

  it('every bound on rows is covered by the test that fills tables', () => {
    const limited = [...bounds.values()].filter(({ rowsMax }) => rowsMax !== null).map(({ table }) => table);
    expect(limited.filter((table) => !singletons.includes(table)).toSorted()).toEqual(fillable.toSorted());
  });
});

it.each([
  ['operating/bounds.md', 'bound', () => true],
  ['INVARIANTS.md', 'bound of a mirrored table', (table: string) => mirrored.includes(table)],
])('docs/%s lists every %s with its limits', (path, _, isListed) => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs', path), 'utf8');
  const listed = [
    ...page.matchAll(/^\| `(\w+)` \|[^|]*\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm),
  ].map(([, table, ...cells]) => [table, ...cells.map((cell) => Number(cell.replaceAll(/[ ,]/g, '')))]);
  const expected = [...bounds.values()].filter(({ table }) => isListed(table));
  const declared = expected.map((bound) => [
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
  // Delete rows that are shared by all tenants, because they would affect the tests below.
  afterAll(() => pool.query("DELETE FROM provider_registry WHERE provider_key LIKE 'vendor-%'"));

  it('a bound on rows is exact for a bulk insert and for 20 parallel inserts', {
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
  budgets: 'model_pattern',
  sessions: 'user_agent',
  management_tokens: 'name',
  signed_in_tools: 'device_name',
  provider_registry: 'supported_models',
  invitations: 'invited_by_name',
  chats: 'title',
  chat_messages: 'content',
  llm_comparisons: 'prompt',
  scim_tokens: 'name',
  budget_raise_requests: 'reason',
};

describe.each(Object.entries(textColumns))('a row of %s', (table, column) => {
  it('inserts and updates cannot exceed the maximum row size, but an existing larger row can be shortened', async () => {
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

it('every table with a bound on the total size is covered by the test that fills tables', () => {
  const limited = [...bounds.values()].filter(({ bytesMax }) => bytesMax !== null).map(({ table }) => table);
  expect(limited.toSorted()).toEqual(heavyTables.toSorted());
});
describe.each(heavyTables)('the bytes of all %s of a tenant', (table) => {
  it('the total size of the rows of a tenant is bounded for inserts and updates', async () => {
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
});

it('a reactivated assignment counts toward the bound', async () => {
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

const closings: Readonly<Record<string, string>> = {
  api_keys: 'UPDATE api_keys SET revoked_at = now() WHERE tenant_id = $1 AND revoked_at IS NULL',
  management_tokens:
    'UPDATE management_tokens SET revoked_at = now() WHERE tenant_id = $1 AND revoked_at IS NULL',
  signed_in_tools:
    'UPDATE signed_in_tools SET revoked_at = now() WHERE tenant_id = $1 AND revoked_at IS NULL',
  invitations: 'UPDATE invitations SET cancelled_at = now() WHERE tenant_id = $1 AND cancelled_at IS NULL',
  task_assignments:
    "UPDATE task_assignments SET status = 'cancelled', ended_at = now() WHERE tenant_id = $1 AND status = 'active'",
  budget_raise_requests:
    "UPDATE budget_raise_requests SET status = 'declined', decided_at = now() WHERE tenant_id = $1 AND status = 'open'",
  scim_tokens: 'UPDATE scim_tokens SET revoked_at = now() WHERE tenant_id = $1 AND revoked_at IS NULL',
  tasks: 'UPDATE tasks SET deleted_at = now() WHERE tenant_id = $1 AND deleted_at IS NULL',
};

it('every table with a bound on closed rows is covered by the test that closes them', async () => {
  const { rows } = await pool.query<{ name: string }>(
    'SELECT table_name AS name FROM stored_bounds WHERE closed_max IS NOT NULL',
  );
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(closings).toSorted());
});

it.each(Object.entries(closings))(
  'the closed rows of %s are limited to their bound',
  async (table, close) => {
    const tenant = await addTenantToFill(pool, `closed-${table}`.replaceAll('_', '-'), table);
    const closedMax = 5;
    const former = await pool.query<{ kept: number }>(
      `UPDATE stored_bounds b SET closed_max = $2 FROM stored_bounds f
     WHERE b.table_name = $1 AND f.table_name = $1 RETURNING f.closed_max AS kept`,
      [table, closedMax],
    );
    try {
      for (let round = 0; round < 8; round++) {
        await insertRows(pool, table, tenant, { from: round * 2 + 1, to: round * 2 + 2 });
        await pool.query(close, [tenant.id]);
      }
      await insertRows(pool, table, tenant, { from: 101, to: 102 });
      const { rows } = await pool.query(`SELECT FROM ${table} WHERE tenant_id = $1`, [tenant.id]);
      expect(rows).toHaveLength(closedMax + 2);
    } finally {
      await pool.query('UPDATE stored_bounds SET closed_max = $2 WHERE table_name = $1', [
        table,
        former.rows[0]?.kept,
      ]);
    }
  },
);
