import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { addTenant } from '#test/console/console.ts';
import { testKeyring, testSecret } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createSource, litellmSaltKey, type SourceOfTest } from '#test/import/source.ts';
import { itAtFullSize } from '#test/load/sample.ts';
import { findFreePort } from '#test/processes/free-port.ts';
import { callCommand } from '#test/processes/run-command.ts';

let database: TestDatabase;
let source: SourceOfTest | undefined;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase();
  await database.pool.query('INSERT INTO installation (secret_check) VALUES ($1)', [testKeyring.secretCheck]);
  await addTenant(database.pool, 'Acme');
  await syncRegistry(drizzle({ client: database.pool }));
  folder = mkdtempSync(join(tmpdir(), 'sluice-shadow-'));
});
afterEach(async () => {
  await source?.close();
  source = undefined;
  await database.close();
  rmSync(folder, { recursive: true });
});

const environment = () => ({
  DATABASE_URL: database.connectionString,
  SLUICE_SECRET: testSecret,
  SLUICE_DATA_DIR: folder,
  SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
  IMPORT_TEST_OPENAI_KEY: 'key-of-openai',
  PORT: '0',
});
const call = async (args: readonly string[], input = '') => {
  const found = await callCommand([...args, '--json'], environment(), input);
  return { ...found, report: found.code === 0 ? JSON.parse(found.stdout) : null };
};
const select = async (sql: string) => (await database.pool.query(sql)).rows;
const write = (name: string, lines: readonly object[]) => {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
};

/** Imports a LiteLLM fixture, so that LiteLLM's keys are valid in Sluice. */
async function importLitellm(): Promise<SourceOfTest> {
  source = await createSource('litellm.sql');
  writeFileSync(join(folder, 'salt'), litellmSaltKey);
  const args = ['import', 'litellm', '--database', source.url, '--salt-key-file', join(folder, 'salt')];
  expect(await call(args)).toMatchObject({ code: 0 });
  return source;
}

const ada = 'sk-ada-alone-0002';
const digestOf = (key: string) => createHash('sha256').update(key).digest('hex');
const start = Date.parse('2026-11-02T10:00:00Z');
const timeAt = (seconds: number) => new Date(start + seconds * 1000).toISOString();
const gpt = 'from-environment';
const chat = (model = gpt, text = 'Summarize this text') => ({
  model,
  messages: [{ role: 'user', content: text }],
});

interface Recorded {
  readonly at: number;
  readonly key?: string;
  readonly model?: string;
  readonly path?: string;
}
const record = ({ at, key = ada, model, path = '/v1/chat/completions' }: Recorded, index: number) => ({
  time: timeAt(at),
  path,
  key,
  request_id: `r${index}`,
  body: chat(model),
});
const served = (id: string, at: number, rest: object = {}) => ({
  time: timeAt(at),
  request_id: id,
  key_sha256: digestOf(ada),
  model: gpt,
  served_model: 'openai/gpt-4o',
  outcome: 'served',
  cost_usd: 0.0075,
  input_tokens: 1_000,
  output_tokens: 500,
  ...rest,
});

const rows = () =>
  select(`SELECT position, error_code, model, other_outcome, other_request_id, difference, cost_nano_usd::text AS cost,
    input_tokens::int AS input FROM shadow_requests ORDER BY position`);

describe('a file of requests', () => {
  it('shadow stores the difference between each verdict and its log entry', async () => {
    await importLitellm();
    const requests = write(
      'requests.jsonl',
      [
        { at: 0 },
        { at: 1, key: 'sk-unknown' },
        { at: 2, model: 'nothing' },
        { at: 3 },
        { at: 4 },
        { at: 5 },
        { at: 6 },
      ].map(record),
    );
    const log = write('log.jsonl', [
      served('r0', 0),
      served('r1', 1, { key_sha256: digestOf('sk-unknown'), outcome: 'refused' }),
      served('r2', 2),
      served('r3', 3, { outcome: 'refused' }),
      served('r4', 4, { served_model: 'openai/gpt-4.1' }),
      served('r5', 5, { cost_usd: 0.01 }),
    ]);
    const { code, report, stderr } = await call(['shadow', '--against', log, '--requests', requests]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('7 requests judged') });
    expect(await rows()).toMatchObject([
      {
        error_code: null,
        model: 'gpt-4o',
        other_request_id: 'r0',
        difference: 'none',
        cost: '7500000',
        input: 1_000,
      },
      { error_code: 'invalid_api_key', other_outcome: 'refused', difference: 'none' },
      { error_code: 'model_not_found', model: null, difference: 'refused_here', cost: null },
      { error_code: null, other_outcome: 'refused', difference: 'refused_there' },
      { difference: 'other_model' },
      { difference: 'other_cost' },
      { other_outcome: null, difference: 'not_compared' },
    ]);
    expect(report.summary.run).toMatchObject({
      requests: 7,
      ...{
        none: 2,
        refused_here: 1,
        refused_there: 1,
        other_model: 1,
        other_cost: 1,
        not_compared: 1,
      },
    });
    expect(report.summary.refusals.map(({ error_code }: { error_code: string }) => error_code)).toEqual([
      'invalid_api_key',
      'model_not_found',
    ]);
    expect(await select('SELECT name, source, ended_at IS NOT NULL AS ended FROM shadow_runs')).toEqual([
      { name: log, source: 'file', ended: true },
    ]);
  });

  it('shadow counts limits by the times of the requests, not the current time', async () => {
    await importLitellm();
    await database.pool.query(`UPDATE users SET requests_per_hour = 2 WHERE email = 'ada@import.test'`);
    const before = await select('SELECT id, settled, leased FROM allowances ORDER BY id');
    const requests = write(
      'requests.jsonl',
      [0, 60, 120, 3600, 3660, 3720].map((at) => ({ at })).map(record),
    );
    const log = write('log.jsonl', [served('r0', 0)]);
    await call(['shadow', '--against', log, '--requests', requests]);
    expect((await rows()).map(({ error_code }) => error_code)).toEqual([
      ...[null, null, 'requests_per_hour_exceeded'],
      ...[null, null, 'requests_per_hour_exceeded'],
    ]);
    expect(await select('SELECT id, settled, leased FROM allowances ORDER BY id')).toEqual(before);
    expect(await select('SELECT count(*)::int AS n FROM request_logs')).toEqual([{ n: 0 }]);
  });

  // The third request is accepted with a lower output cap and uses more than this cap.
  it('shadow charges a budget with the usage that the other gateway reports', async () => {
    await importLitellm();
    await database.pool.query(`INSERT INTO budgets (tenant_id, user_id, measure, period, limit_amount)
      SELECT tenant_id, id, 'usd', 'day', 20000000 FROM users WHERE email = 'ada@import.test'`);
    const places = [0, 1, 2, 3, 86_400];
    const requests = write('requests.jsonl', places.map((at) => ({ at })).map(record));
    const log = write(
      'log.jsonl',
      places.map((at, index) => served(`r${index}`, at)),
    );
    await call(['shadow', '--against', log, '--requests', requests]);
    expect((await rows()).map(({ error_code }) => error_code)).toEqual([
      ...[null, null, null, 'budget_exceeded', null],
    ]);
  });

  it('shadow matches requests without an id by key, model and time', async () => {
    await importLitellm();
    const requests = [{ at: 0 }, { at: 100 }, { at: 100, key: 'sk-red-service-0003' }].map((one, index) => ({
      ...record(one, index),
      request_id: undefined,
    }));
    const log = write('log.jsonl', [
      served('late', 101),
      served('early', 1),
      served('other-model', 100, { model: 'basic' }),
      served('far', 4_000),
    ]);
    await call(
      ['shadow', '--against', log, '--requests', '-'],
      requests.map((one) => JSON.stringify(one)).join('\n'),
    );
    expect((await rows()).map(({ other_request_id }) => other_request_id)).toEqual(['early', 'late', null]);
  });

  it.each([
    ['invalid JSON', '{"time"', 'line 1: the line is not a JSON object'],
    ['no time', '{"path":"/v1/chat/completions","body":{}}', 'line 1: time'],
    ['more than 32 MiB', 'x'.repeat(33 * 2 ** 20), 'line 1: the line is longer than 32 MiB'],
    ['a path without slash', '{"time":"2026-11-02T10:00:00Z","path":"v1","body":{}}', 'line 1: path'],
  ])('shadow rejects a line with %s and reports its number', async (_, text, problem) => {
    const log = write('log.jsonl', []);
    const { code, stderr } = await call(['shadow', '--against', log, '--requests', '-'], `${text}\n`);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`standard input, ${problem}`),
    });
  });

  it('shadow counts requests to other endpoints, but does not judge them', async () => {
    await importLitellm();
    const requests = write(
      'requests.jsonl',
      [
        { at: 0, path: '/v1/models' },
        { at: 1, path: '/v1/files' },
      ].map(record),
    );
    const { report } = await call(['shadow', '--against', write('log.jsonl', []), '--requests', requests]);
    expect(report).toMatchObject({ summary: { run: { requests: 0 } }, skipped: 2 });
  });
});

const spendLogs = `CREATE TABLE "LiteLLM_SpendLogs" (request_id text PRIMARY KEY, call_type text NOT NULL, api_key text NOT NULL DEFAULT '',
  spend double precision NOT NULL DEFAULT 0, prompt_tokens int NOT NULL DEFAULT 0, completion_tokens int NOT NULL DEFAULT 0,
  "startTime" timestamp(3) NOT NULL, model text NOT NULL DEFAULT '', model_group text DEFAULT '', status text,
  metadata jsonb DEFAULT '{}', messages jsonb DEFAULT '{}', proxy_server_request jsonb DEFAULT '{}')`;

it('shadow stores the requests so far when it is interrupted', async () => {
  await importLitellm();
  const requests = write(
    'requests.jsonl',
    Array.from({ length: 3_000 }, (_, at) => record({ at }, at)),
  );
  const args = ['shadow', '--against', write('log.jsonl', []), '--requests', requests];
  const running = call(args);
  await expect.poll(async () => (await rows()).length, { timeout: 20_000 }).toBeGreaterThan(0);
  process.emit('SIGINT');
  const { report } = await running;
  expect([1_000, 2_000]).toContain(report.summary.run.requests);
  expect(await select('SELECT ended_at IS NOT NULL AS ended FROM shadow_runs')).toEqual([{ ended: true }]);
});

describe("LiteLLM's log", () => {
  const insertLog = (id: string, minutesAgo: number, rest: Record<string, unknown> = {}) => {
    const row = {
      request_id: id,
      call_type: 'acompletion',
      api_key: digestOf(ada),
      spend: 0.0075,
      prompt_tokens: 1_000,
      completion_tokens: 500,
      startTime: new Date(Date.now() - minutesAgo * 60_000).toISOString().slice(0, 23),
      model: 'openai/gpt-4o',
      model_group: gpt,
      status: 'success',
      ...rest,
    };
    const names = Object.keys(row);
    return source?.query(`INSERT INTO "LiteLLM_SpendLogs" (${names.map((name) => `"${name}"`).join(', ')})
      SELECT ${names.map((name) => `given."${name}"`).join(', ')}
      FROM jsonb_populate_record(NULL::"LiteLLM_SpendLogs", '${JSON.stringify(row)}') given`);
  };

  it('shadow reads requests from the log without --requests and --listen', async () => {
    const litellm = await importLitellm();
    await litellm.query(spendLogs);
    await insertLog('kept', 50, {
      proxy_server_request: chat(gpt, 'Write a love poem for my girlfriend'),
    });
    await insertLog('not-kept', 40);
    await insertLog('cached', 35, {
      metadata: { usage_object: { prompt_tokens_details: { cached_tokens: 400 } } },
    });
    await insertLog('refused', 30, {
      status: 'failure',
      metadata: { error_information: { error_code: '429', llm_provider: '' } },
    });
    await insertLog('failed', 20, {
      status: 'failure',
      metadata: { error_information: { error_code: '429', llm_provider: 'openai' } },
    });
    await insertLog('too-old', 3 * 24 * 60);
    const { code, stderr } = await call(['shadow', '--against', litellm.url]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(
      await select(`SELECT other_request_id AS id, other_outcome AS other, difference, intent IS NOT NULL AS judged, cost_nano_usd::text AS cost
        FROM shadow_requests ORDER BY position`),
    ).toEqual([
      { id: 'kept', other: 'served', difference: 'none', judged: true, cost: '7500000' },
      { id: 'not-kept', other: 'served', difference: 'none', judged: false, cost: '7500000' },
      { id: 'cached', other: 'served', difference: 'other_cost', judged: false, cost: '7000000' },
      {
        id: 'refused',
        other: 'refused',
        difference: 'refused_there',
        judged: false,
        cost: expect.any(String),
      },
      { id: 'failed', other: 'failed', difference: 'not_compared', judged: false, cost: expect.any(String) },
    ]);
  });

  it('shadow reads all pages of the log of a running LiteLLM', async () => {
    await importLitellm();
    const requestedPages: string[] = [];
    const server = createServer((request, response) => {
      if (request.headers.authorization !== 'Bearer sk-master') return void response.writeHead(401).end('{}');
      const url = new URL(request.url ?? '', 'http://litellm');
      const page = Number(url.searchParams.get('page'));
      requestedPages.push(`${url.pathname} ${page}`);
      const row = {
        ...{ request_id: `r${page - 1}`, call_type: 'acompletion', api_key: digestOf(ada), spend: 0.0075 },
        ...{ prompt_tokens: 1_000, completion_tokens: 500, startTime: timeAt(page), model: 'gpt-4o' },
        ...{ model_group: gpt, status: 'success', metadata: '{}' },
      };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [row], total: 2, page, page_size: 100, total_pages: 2 }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const requests = write('requests.jsonl', [{ at: 1 }, { at: 2 }].map(record));
    const args = ['shadow', '--against', url, '--requests', requests];
    expect(await call([...args, '--key', 'wrong'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('master key'),
    });
    await call([...args, '--key', 'sk-master']);
    server.close();
    expect(requestedPages).toEqual(['/spend/logs/v2 1', '/spend/logs/v2 2']);
    expect((await rows()).map(({ difference }) => difference)).toEqual(['none', 'none']);
  });
});

it("shadow finds requests in One API's log by the name of their key", async () => {
  source = await createSource('one-api.sql');
  expect(await call(['import', 'one-api', '--database', source.url])).toMatchObject({ code: 0 });
  await source.query(`CREATE TABLE logs (id bigserial PRIMARY KEY, created_at bigint, type int, token_name text, model_name text, quota bigint,
    prompt_tokens int, completion_tokens int)`);
  await source.query(`INSERT INTO logs (created_at, type, token_name, model_name, quota, prompt_tokens, completion_tokens)
    VALUES (${start / 1000 + 2}, 2, 'laptop', 'large', 3750, 1000, 500), (${start / 1000 + 2}, 1, 'laptop', 'large', 5, 0, 0)`);
  const key = 'sk-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefghijk1';
  const requests = write('requests.jsonl', [record({ at: 0, key, model: 'large' }, 0)]);
  const { code, stderr } = await call(['shadow', '--against', source.url, '--requests', requests]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(await rows()).toMatchObject([{ other_request_id: '1', other_outcome: 'served' }]);
  expect(await select('SELECT other_cost_nano_usd::text AS cost FROM shadow_requests')).toEqual([
    { cost: '7500000' },
  ]);
});

it('shadow --listen --delay responds to mirrored requests with 204 and judges them', async () => {
  await importLitellm();
  const log = write('log.jsonl', []);
  const port = await findFreePort();
  const args = ['--against', log, '--listen', `127.0.0.1:${port}`, '--delay', '1s', '--for', '6s'];
  const running = call(['shadow', ...args]);
  const send = (headers: Record<string, string>, body: string) =>
    fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ada}`, ...headers },
      body,
    });
  await expect
    .poll(() =>
      send({}, JSON.stringify(chat())).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(204);
  await send({ 'x-original-uri': '/v1/embeddings' }, JSON.stringify({ model: 'nothing', input: 'x' }));
  await send({}, '{');
  await send({ 'x-original-uri': '/v1beta/models/%E0%A4%A:generateContent' }, '{}');
  await fetch(`http://127.0.0.1:${port}/v1/models`);
  await expect.poll(async () => (await rows()).length, { timeout: 5_000 }).toBe(4);
  const { report, stderr } = await running;
  expect(report.summary.run.requests).toBe(4);
  expect(stderr).not.toContain('dropped');
  expect((await rows()).map(({ error_code }) => error_code)).toEqual([
    null,
    'model_not_found',
    'invalid_json',
    expect.any(String),
  ]);
  expect(await select('SELECT source FROM shadow_runs')).toEqual([{ source: 'mirror' }]);
});

it.each<[name: string, args: string[], problem: string, exitCode?: number]>([
  ['without --against', [], '--against is missing'],
  ['with a missing file', ['--against', '/missing.jsonl'], 'there is no file'],
  ['without requests', ['--against', 'EMPTY'], 'no request bodies'],
  ['with both sources', ['--against', 'EMPTY', '--requests', '-', '--listen', '1'], 'cannot be combined'],
  ['with a mistyped scheme', ['--against', 'postgresq://user:pass@db/one'], 'must be a file or a URL'],
  ['with MySQL', ['--against', 'mysql://user:pass@db/one', '--requests', '-'], 'MySQL is not supported', 1],
  [
    'with a password in a URL',
    ['--against', 'https://user:pass@gate.test', '--key', 'k'],
    'without user and password',
  ],
  ['with a duration without unit', ['--against', 'EMPTY', '--listen', '1', '--for', '5'], '--for'],
])('shadow %s fails with an error', async (_, args, problem, exitCode = 2) => {
  const log = write('empty.jsonl', []);
  const { code, stderr } = await call(['shadow', ...args.map((arg) => (arg === 'EMPTY' ? log : arg))]);
  expect({ code, stderr }).toEqual({ code: exitCode, stderr: expect.stringContaining(problem) });
  expect(stderr).not.toContain('pass@');
});

it('shadow deletes the oldest run when a new one exceeds the maximum', async () => {
  await database.pool.query(`INSERT INTO shadow_runs (tenant_id, name, source)
    SELECT id, 'old ' || n, 'file' FROM tenants, generate_series(1, 20) n WHERE name = 'Acme' ORDER BY n`);
  await call([
    'shadow',
    '--against',
    write('log.jsonl', []),
    '--requests',
    write('none.jsonl', []),
    '--name',
    'new',
  ]);
  const names = (await select('SELECT name FROM shadow_runs ORDER BY id')).map(({ name }) => name);
  expect(names).toHaveLength(20);
  expect([names[0], names.at(-1)]).toEqual(['old 2', 'new']);
});

itAtFullSize(
  'shadow judges 100,000 requests of a day, and finds each in the log',
  async () => {
    await importLitellm();
    const count = 100_000;
    const at = (index: number) => index * 0.864;
    const prompts = Array.from(
      { length: 500 },
      (_, index) => `Review function ${index}. ${'word '.repeat(200)}`,
    );
    const requests = Array.from({ length: count }, (_, index) => ({
      ...record({ at: at(index) }, index),
      request_id: undefined,
      body: chat(gpt, prompts[index % 500]),
    }));
    const log = Array.from({ length: count }, (_, index) => served(`r${index}`, at(index) + 0.2));
    const args = ['--against', write('log.jsonl', log), '--requests', write('requests.jsonl', requests)];
    const startedMs = performance.now();
    const { report } = await call(['shadow', ...args]);
    const seconds = (performance.now() - startedMs) / 1000;
    console.info(
      `${Math.round(count / seconds)} requests/s, ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`,
    );
    expect(report.summary.run).toMatchObject({ requests: count, not_compared: 0 });
  },
  300_000,
);
