import { type LogEntry, logsOf, logsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { seedLog } from '../../../demo/seed-log.ts';
import { seedPeople } from '../../../demo/seed-people.ts';
import { createLogsHandlers } from './routes.ts';

let database: TestDatabase;
let admin: Principal;
let logs: ReturnType<ReturnType<typeof createTestConsole<typeof logsRoutes>>>;
let sample: LogEntry[];

beforeAll(async () => {
  database = await createTestDatabase();
  await syncRegistry(createSystemDatabase(database.pool));
  const tenantId = await addTenant(database.pool, 'Home');
  const client = await database.pool.connect();
  try {
    await seedPeople(client);
    await seedLog(client, { rows: 20_000, days: 20, bodyDays: 3, nowMs: Date.now() });
  } finally {
    client.release();
  }
  admin = await addPerson(database.pool, tenantId, 'admin', 'admin@home.test');
  logs = createTestConsole(database.pool, logsRoutes, createLogsHandlers())({ principal: admin });
  sample = logsOf(await logs.listLogs({ query: { limit: 200 } }));
});
afterAll(() => database.close());

const list = async (query: object): Promise<LogEntry[]> =>
  logsOf(await logs.listLogs({ query: { limit: 200, ...query } }));
const idsOf = (rows: readonly LogEntry[]) => rows.map(({ id }) => id);
const count = async (condition: string): Promise<number> =>
  (
    await database.pool.query(
      `SELECT count(*)::int FROM request_logs log LEFT JOIN request_log_bodies body USING (id)
         LEFT JOIN users ON users.id = log.user_id LEFT JOIN tasks ON tasks.id = log.task_id
       WHERE log.tenant_id = ${admin.tenantId} AND (${condition})`,
    )
  ).rows[0].count;

describe('log search', () => {
  it('listLogs finds a request by its id and by the end of the id that lists show', async () => {
    const [{ id = '' } = {}] = sample;
    expect(idsOf(await list({ search: id }))).toEqual([id]);
    expect(idsOf(await list({ search: id.slice(-8) }))).toEqual([id]);
    expect(idsOf(await list({ search: id.slice(-13).toUpperCase() }))).toEqual([id]);
  });

  it.each([
    ['a name', 'ada abel', "users.name ILIKE '%ada abel%'"],
    ['an email address', 'gus.abel@', "users.email ILIKE '%gus.abel@%'"],
    ['a reason', 'model_blacklisted', "log.error_code = 'model_blacklisted'"],
    ['a part of an error', 'DID NOT ANSWER', "log.error_message ILIKE '%did not answer%'"],
    [
      'words of a prompt or an answer',
      'the webhook',
      "body.prompt ILIKE '%the webhook%' OR body.response ILIKE '%the webhook%'",
    ],
  ])('listLogs finds requests by %s', async (_, search, condition) => {
    const expected = await count(condition);
    expect(expected).toBeGreaterThan(0);
    expect(await logs.countLogs({ query: { search } })).toEqual({ count: expected, is_exact: true });
    const found = await list({ search });
    expect(idsOf(found)).toEqual(idsOf(found).toSorted().toReversed());
    expect(found).toHaveLength(Math.min(expected, 200));
  });
});

describe('log filters', () => {
  it.each([
    ['status:error', "log.status = 'error'"],
    ['model:gpt-4o*', "log.model LIKE 'gpt-4o%'"],
    ['model:gpt-4o', "log.model = 'gpt-4o'"],
    ['user:"Ada Abel"', "users.name = 'Ada Abel'"],
    ['task:handbook', "tasks.title ILIKE '%handbook%'"],
    ['code:upstream_timeout', "log.error_code = 'upstream_timeout'"],
    [
      'provider:anthropic intent:coding',
      "log.provider_key = 'anthropic' AND log.intent_classification = 'coding'",
    ],
    ['cost>0.001', 'log.cost_nano_usd > 1000000'],
    [
      'cost<0.001 tokens>500',
      'log.cost_nano_usd < 1000000 AND log.prompt_tokens + log.completion_tokens > 500',
    ],
    [
      'time>5000 tokens<900',
      'log.response_time_ms > 5000 AND log.prompt_tokens + log.completion_tokens < 900',
    ],
    [
      'status:error user:ada',
      "log.status = 'error' AND (users.name ILIKE '%ada%' OR users.email ILIKE '%ada%')",
    ],
  ])('the query line %s selects the matching rows', async (query, condition) => {
    const expected = await count(condition);
    expect(expected).toBeGreaterThan(0);
    expect(await logs.countLogs({ query: { query } })).toEqual({ count: expected, is_exact: true });
  });

  it('listLogs combines filters and the query line unless they overlap', async () => {
    const both = await logs.countLogs({ query: { status: 'error', query: 'model:gpt-4o' } });
    expect(both.count).toBe(await count("log.status = 'error' AND log.model = 'gpt-4o'"));
    await expect(list({ status: 'error', query: 'status:refused' })).rejects.toMatchObject({ status: 422 });
    await expect(list({ query: 'stauts:refused' })).rejects.toMatchObject({
      issues: [{ path: ['query'], message: expect.stringContaining('"stauts:" is not a field') }],
    });
  });

  it('listLogs returns no rows for a filter with an unknown user or task', async () => {
    expect(await list({ user: 'nobody at all' })).toEqual([]);
    expect(await list({ task: 'no such task' })).toEqual([]);
  });
});

it('listLogs returns pages after a row without duplicates or gaps', async () => {
  const seen: string[] = [];
  for (let before: string | undefined; ; before = seen.at(-1)) {
    const rows = await list({ query: 'status:error', ...(before && { before }) });
    if (rows.length === 0) break;
    seen.push(...idsOf(rows));
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(await count("log.status = 'error'"));
});

it('getLogFacets counts the matching rows by each value', async () => {
  const facets = await logs.getLogFacets({ query: { query: 'status:error' } });
  const errors = await count("log.status = 'error'");
  expect(facets).toMatchObject({ rows: errors, is_whole: true, status: [{ value: 'error', count: errors }] });
  expect(facets.model.length).toBeGreaterThan(0);
  for (const { value, count: counted } of facets.model)
    expect(counted).toBe(await count(`log.status = 'error' AND log.model = '${value}'`));
  const all = await logs.getLogFacets({ query: {} });
  expect(all).toMatchObject({ rows: 10_000, is_whole: false });
});

it('text search uses indexes, which queries under row-level security cannot use', async () => {
  const client = await database.pool.connect();
  const readCounters = async (): Promise<{ scans: number; sequential: number }> => {
    const { rows } = await client.query(
      `SELECT (SELECT sum(pg_stat_get_xact_numscans(indexrelid))::int FROM pg_index
          WHERE indexrelid::regclass::text ~ 'request_log_(bodies.*_text$|text_blocks)') AS scans,
        (SELECT sum(pg_stat_get_xact_tuples_returned(oid))::int FROM pg_class
          WHERE relkind = 'r' AND relname LIKE 'request_log_bodies%') AS sequential`,
    );
    return rows[0];
  };
  const explain = async (statement: string) => {
    // Make sequential scans expensive, because PostgreSQL would choose them for small tables.
    await client.query(
      `BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off; SET LOCAL cpu_tuple_cost = 10; SET LOCAL ROLE sluice_tenant; SELECT set_config('app.tenant', '${admin.tenantId}', true)`,
    );
    const before = await readCounters();
    await client.query(statement);
    const after = await readCounters();
    await client.query('ROLLBACK');
    return { scans: after.scans - before.scans, sequential: after.sequential - before.sequential };
  };
  try {
    // The 20 newest rows are read individually, regardless of indexes.
    const found = await explain(`SELECT find_request_logs('{"search_like": "%zebrafinch%"}', 10)`);
    expect(found.scans).toBeGreaterThan(0);
    expect(found.sequential).toBe(0);
    const filtered = await explain(
      `SELECT find_request_logs('{"search_like": "%zebrafinch%", "provider_key": "openai"}', 10)`,
    );
    expect(filtered.scans).toBeGreaterThan(0);
    expect(filtered.sequential).toBe(0);
    const underPolicy = await explain("SELECT id FROM request_log_bodies WHERE prompt ILIKE '%zebrafinch%'");
    expect(underPolicy.scans).toBe(0);
  } finally {
    client.release();
  }
});
