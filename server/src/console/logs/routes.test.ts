import { type LogEntry, logsOf, logsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createLogsHandlers } from './routes.ts';

let database: TestDatabase;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof logsRoutes>>>;
let admin: Principal;
let mara: Principal;
let stranger: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const console = createTestConsole(database.pool, logsRoutes, createLogsHandlers());
  as = (principal) => console({ principal });
  const tokyo = await addTenant(database.pool, 'Tokyo', { timeZone: 'Asia/Tokyo' });
  admin = await addPerson(database.pool, tokyo, 'admin', 'admin@one.test');
  mara = await addPerson(database.pool, tokyo, 'user', 'mara@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 's@two.test');
});
afterAll(() => database.close());

interface Row {
  at: string;
  owner?: Principal;
  prompt?: string;
  response?: string;
  columns?: Record<string, string | number | boolean>;
}

const idAt = (instant: string) =>
  `overlay(overlay(uuid_floor(${instant})::text placing '7' from 15) placing '8' from 20)::uuid`;

async function addLog({ at, owner = mara, prompt, response, columns = {} }: Row): Promise<string> {
  const row = {
    tenant_id: owner.tenantId,
    user_id: owner.userId,
    protocol: 'openai-chat',
    operation: 'chat',
    status: 'success',
    http_status: 200,
    is_stream: false,
    attempts: 1,
    received_at: at,
    response_time_ms: 12.5,
    usage_source: 'provider',
    ...columns,
  };
  const names = Object.keys(row);
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO request_logs (id, ${names.join(', ')})
     VALUES (${idAt('$1::timestamptz')}, ${names.map((_, place) => `$${place + 2}`).join(', ')}) RETURNING id`,
    [at, ...Object.values(row)],
  );
  const id = rows[0]!.id;
  await database.pool.query(
    'INSERT INTO request_log_bodies (id, tenant_id, prompt, response, request_bytes, response_bytes) VALUES ($1, $2, $3, $4, 0, 0)',
    [id, owner.tenantId, prompt ?? null, response ?? null],
  );
  return id;
}

const list = async (query: object = {}) => {
  let total: string | null = null;
  const onHeaders = (headers: Headers) => {
    total = headers.get('x-total-count');
  };
  const rows: LogEntry[] = logsOf(await as(admin).listLogs({ query }, { onHeaders }));
  return { total, rows, ids: rows.map((row) => row.id) };
};
const reset = () => database.pool.query('TRUNCATE request_logs, request_log_bodies');

describe('a log entry', () => {
  it('getLog returns user, texts, model, key and outcome of a request', async () => {
    await reset();
    const { rows: keys } = await database.pool.query(
      "INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes) VALUES ($1, $2, 'Laptop', 'x', 'wxyz', '{models}') RETURNING id",
      [mara.tenantId, mara.userId],
    );
    const id = await addLog({
      at: '2026-11-20T10:00:00.123Z',
      prompt: 'Hello',
      response: 'Hi',
      columns: {
        api_key_id: keys[0].id,
        model: 'gpt-5',
        prompt_tokens: 3,
        cache_read_tokens: 1,
        completion_tokens: 4,
        reasoning_tokens: 2,
        cost_nano_usd: 15_000,
        price: JSON.stringify({ input: 2, cache_read: 1, output: 2, reasoning: 3 }),
        first_byte_ms: 8.25,
        provider_key: 'openai',
        provider_instance_name: 'Main',
        client_request_id: 'mine',
        intent_classification: 'coding',
        confidence_score: 0.5,
      },
    });
    await database.pool.query(
      `INSERT INTO intent_corrections (request_id, tenant_id, prompt, intent, corrected_by)
       VALUES ($1, $2, 'Hello', 'documentation', $3)`,
      [id, mara.tenantId, admin.userId],
    );
    const entry = await as(admin).getLog({ params: { id } });
    expect(entry).toEqual({
      id,
      labels: null,
      timestamp: '2026-11-20T10:00:00.123Z',
      user_id: mara.userId,
      user_name: 'mara',
      user_email: 'mara@one.test',
      task_id: null,
      task_title: null,
      prompt: 'Hello',
      response: 'Hi',
      prompt_privacy: 'full',
      model_requested: null,
      model: 'gpt-5',
      downgraded_by_budget_id: null,
      status: 'success',
      http_status: 200,
      error_code: null,
      error_message: null,
      response_time_ms: 12.5,
      first_byte_ms: 8.25,
      prompt_tokens: 3,
      completion_tokens: 4,
      openai_tokens_used: 7,
      cache_read_tokens: 1,
      reasoning_tokens: 2,
      usage_source: 'provider',
      cost: 0.000015,
      cost_parts: [
        { part: 'input', tokens: 2, cost: 0.000004 },
        { part: 'cache_read', tokens: 1, cost: 0.000001 },
        { part: 'output', tokens: 2, cost: 0.000004 },
        { part: 'reasoning', tokens: 2, cost: 0.000006 },
      ],
      repeats: 1,
      is_stream: false,
      provider_key: 'openai',
      provider_calls: null,
      provider_instance_name: 'Main',
      api_key_name: 'Laptop',
      client_request_id: 'mine',
      intent_classification: 'coding',
      confidence_score: 0.5,
      corrected_intent: 'documentation',
      user_score_before: null,
      user_score_after: null,
      deviation_score_delta: null,
      deviation_receipts: null,
    });
    expect((await list()).rows).toEqual([entry]);
  });

  it('listLogs truncates texts to 2,000 characters and getLog does not', async () => {
    await reset();
    const long = `${'é'.repeat(2000)}tail`;
    const id = await addLog({ at: '2026-11-20T10:00:00Z', prompt: long, response: long });
    const { rows } = await list();
    expect(rows[0]).toMatchObject({ prompt: 'é'.repeat(2000), response: 'é'.repeat(2000) });
    expect(await as(admin).getLog({ params: { id } })).toMatchObject({ prompt: long, response: long });
  });

  it("getLog returns the same 404 for another tenant's request as for a missing one", async () => {
    const id = await addLog({ at: '2026-11-20T11:00:00Z', owner: stranger, prompt: 'secret' });
    for (const asked of [id, '01920000-0000-7000-8000-000000000000']) {
      await expect(as(admin).getLog({ params: { id: asked } })).rejects.toMatchObject({ status: 404 });
    }
    expect((await list({ search: 'secret' })).ids).toEqual([]);
    expect((await list({ user_id: stranger.userId })).total).toBe('0');
  });

  it('listLogs returns a row whose texts, user and key were deleted', async () => {
    await reset();
    await addLog({ at: '2026-11-20T10:00:00Z', columns: { user_id: 999_999, api_key_id: 999_999 } });
    await database.pool.query('DELETE FROM request_log_bodies');
    expect((await list()).rows).toMatchObject([
      { user_name: null, user_email: null, api_key_name: null, prompt: null, response: null },
    ]);
  });
});

it("listLogs shows all rows after a change of the tenant's time zone, and rollups stay the same", async () => {
  await reset();
  const ids = [];
  for (const at of ['2026-11-19T14:59:59Z', '2026-11-19T15:00:00Z', '2026-11-20T15:00:00Z'])
    ids.unshift(await addLog({ at }));
  await database.pool.query(
    "INSERT INTO usage_rollups (bucket_start, node_slot, tenant_id, requests) VALUES ('2026-11-19 14:45Z', 1, $1, 7)",
    [admin.tenantId],
  );
  const readSums = async () => (await database.pool.query('SELECT sum(requests) FROM usage_rollups')).rows;
  const before = await readSums();
  const day = { start_date: '2026-11-19', end_date: '2026-11-19' };
  expect((await list(day)).total).toBe('1');
  const setZone = (zone: string) =>
    database.pool.query('UPDATE tenants SET time_zone = $2 WHERE id = $1', [admin.tenantId, zone]);
  await setZone('UTC');
  expect((await list(day)).total).toBe('2');
  expect((await list()).ids).toEqual(ids);
  expect(await readSums()).toEqual(before);
  await setZone('Asia/Tokyo');
  expect((await list(day)).total).toBe('1');
});

describe('listLogs', () => {
  it('listLogs pages from newest to oldest with the total', async () => {
    await reset();
    const ids = [];
    for (let minute = 0; minute < 5; minute++)
      ids.unshift(await addLog({ at: `2026-11-20T10:0${minute}:00Z` }));
    expect(await list()).toMatchObject({ ids, total: '5' });
    expect(await list({ skip: 1, limit: 2 })).toMatchObject({ ids: ids.slice(1, 3), total: '5' });
    expect(await list({ skip: 9 })).toMatchObject({ ids: [], total: '5' });
  });

  it('listLogs combines filters by user, task, status, intent and model', async () => {
    await reset();
    const columns = { task_id: 7, status: 'error', intent_classification: 'coding', model: 'gpt-5' };
    const wanted = await addLog({ at: '2026-11-20T10:00:00Z', columns });
    const others: Row[] = [
      { at: '2026-11-20T10:01:00Z', columns, owner: admin },
      { at: '2026-11-20T10:02:00Z', columns: { ...columns, task_id: 8 } },
      { at: '2026-11-20T10:03:00Z', columns: { ...columns, status: 'refused' } },
      { at: '2026-11-20T10:04:00Z', columns: { ...columns, intent_classification: 'other' } },
      { at: '2026-11-20T10:05:00Z', columns: { ...columns, model: 'gpt-4' } },
    ];
    for (const other of others) await addLog(other);
    expect(await list({ ...columns, user_id: mara.userId })).toMatchObject({ ids: [wanted], total: '1' });
    expect((await list({ status: 'error' })).total).toBe('5');
    expect((await list({ model: '', intent_classification: '', search: '' })).total).toBe('6');
  });

  it('listLogs filters by admitted status, provider, team, key, error code and missing intent', async () => {
    await reset();
    const at = (minute: number) => `2026-11-20T10:0${minute}:00Z`;
    const columns = { provider_key: 'openai', team_id: 7, api_key_id: 9, intent_classification: 'coding' };
    const counted = await addLog({ at: at(0), columns });
    const refused = await addLog({
      at: at(1),
      columns: { status: 'refused', error_code: 'policy_blocked' },
    });
    const bare = await addLog({ at: at(2), columns: { status: 'client_closed' } });
    expect((await list({ status: 'admitted' })).ids).toEqual([bare, counted]);
    expect((await list({ provider_key: 'openai' })).ids).toEqual([counted]);
    expect((await list({ team_id: 7 })).ids).toEqual([counted]);
    expect((await list({ by_api_key: 'true' })).ids).toEqual([counted]);
    expect((await list({ by_api_key: 'false' })).ids).toEqual([bare, refused]);
    expect((await list({ error_code: 'policy_blocked' })).ids).toEqual([refused]);
    expect((await list({ intent_classification: 'not_classified' })).ids).toEqual([bare, refused]);
  });

  it("listLogs filters by days of the tenant's calendar, including the last one", async () => {
    await reset();
    // In Tokyo, November 20 lasts from 15:00 UTC on November 19 to 15:00 UTC on November 20.
    await addLog({ at: '2026-11-19T14:59:59.999Z' });
    const first = await addLog({ at: '2026-11-19T15:00:00Z' });
    const last = await addLog({ at: '2026-11-20T14:59:59.999Z' });
    await addLog({ at: '2026-11-20T15:00:00Z' });
    const day = { start_date: '2026-11-20', end_date: '2026-11-20' };
    expect(await list(day)).toMatchObject({ ids: [last, first], total: '2' });
    expect((await list({ start_date: '2026-11-19', end_date: '2026-11-21' })).total).toBe('4');
    await expect(list({ start_date: '2026-11-21', end_date: '2026-11-19' })).rejects.toMatchObject({
      issues: [{ path: ['end_date'], message: 'The end date must not be before the start date' }],
    });
  });

  it('listLogs filters by since and until in the query line, together or alone', async () => {
    await reset();
    const old = await addLog({ at: '2026-01-19T14:59:59Z' });
    const first = await addLog({ at: '2026-01-19T15:00:00Z' });
    const late = await addLog({ at: '2026-01-21T10:00:00Z' });
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const recent = await addLog({ at: minutesAgo(30) });
    const ids = async (query: string) => (await list({ query })).ids;
    expect(await ids('since:2026-01-20')).toEqual([recent, late, first]);
    expect(await ids('until:2026-01-20')).toEqual([first, old]);
    expect(await ids('since:2026-01-20 until:2026-01-20')).toEqual([first]);
    expect(await ids('until:2026-01-21T10:00Z')).toEqual([first, old]);
    expect(await ids('since:1h')).toEqual([recent]);
    expect(await ids('since:10m')).toEqual([]);
    expect(await ids('until:1h')).toEqual([late, first, old]);
    expect(await ids('since:2d until:today')).toEqual([recent]);
    expect(await ids('since:0000-01-01')).toHaveLength(4);
    // PostgreSQL supports neither the year 0 nor offsets of 16 hours.
    expect(await ids('since:0000-01-01T00:00Z')).toHaveLength(4);
    expect(await ids('until:1990-01-01T00:00+23:59')).toEqual([]);
    const day = { start_date: '2026-01-20', end_date: '2026-01-21' };
    expect((await list({ ...day, query: 'since:2026-01-21' })).ids).toEqual([late]);
    await expect(list({ query: 'model:gpt-5 since:monday' })).rejects.toMatchObject({
      issues: [
        {
          message: expect.stringMatching(/^"monday" is not a valid value .* at character 13 of the query\.$/),
        },
      ],
    });
  });

  it('listLogs ignores a single date, and accepts the oldest and newest possible dates', async () => {
    await reset();
    await addLog({ at: '2026-11-20T10:00:00Z' });
    expect((await list({ start_date: '2030-01-01' })).total).toBe('1');
    expect((await list({ end_date: '2000-01-01' })).total).toBe('1');
    expect((await list({ start_date: '0000-01-01', end_date: '9999-12-31' })).total).toBe('1');
    expect((await list({ start_date: '0000-01-01', end_date: '0000-01-02' })).total).toBe('0');
  });

  it('listLogs searches prompts and responses case-insensitively, without wildcards', async () => {
    await reset();
    const percent = await addLog({ at: '2026-11-20T10:00:00Z', prompt: 'Save 100% NOW' });
    const under = await addLog({ at: '2026-11-20T10:01:00Z', response: 'snake_case C:\\temp' });
    await addLog({ at: '2026-11-20T10:02:00Z', prompt: 'snakeXcase 1000 now' });
    await addLog({ at: '2026-11-20T10:03:00Z' });
    expect((await list({ search: '100% now' })).ids).toEqual([percent]);
    expect((await list({ search: 'SNAKE_CASE' })).ids).toEqual([under]);
    expect((await list({ search: 'c:\\TEMP' })).ids).toEqual([under]);
    expect((await list({ search: '%' })).ids).toEqual([percent]);
    expect((await list({ search: "'; DROP TABLE users; --" })).ids).toEqual([]);
  });

  it('listLogs counts exactly up to 1,000 or the end of the page, and returns "1000+" above', async () => {
    await reset();
    await database.pool.query(
      `INSERT INTO request_logs (id, tenant_id, protocol, operation, status, http_status, is_stream, attempts, received_at, response_time_ms, usage_source)
       SELECT ${idAt("now() + n * interval '1 ms'")}, $1, 'p', 'o', 'success', 200, false, 1, now(), 1, 'none' FROM generate_series(1, 1001) n`,
      [admin.tenantId],
    );
    expect(await list({ limit: 1 })).toMatchObject({ total: '1000+' });
    expect(await list({ skip: 999, limit: 2 })).toMatchObject({ total: '1001' });
    await database.pool.query('DELETE FROM request_logs WHERE id = (SELECT id FROM request_logs LIMIT 1)');
    expect(await list({ limit: 1 })).toMatchObject({ total: '1000' });
  });
});
