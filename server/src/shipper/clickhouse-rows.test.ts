import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createPool } from '#db/pool.ts';
import { createRunInTenant } from '#db/tenant.ts';
import type { TenantLog } from '#domain/request-log/tenant-log.ts';
import { createLogger } from '#platform/logger.ts';
import {
  openClickhouseRequestLog,
  prepareClickhouse,
} from '#request-log/clickhouse/clickhouse-request-log.ts';
import { type ClickhouseConnection, connect } from '#request-log/clickhouse/connection.ts';
import { toUuid } from '#request-log/clickhouse/row-id.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import type { RequestLog } from '#request-log/request-log.ts';
import { type Chdb, describeWithClickhouse, startChdb, testedStore } from '#test/clickhouse/start-chdb.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { startTransactionCutter, type TransactionStep } from '#test/database/transaction-cutter.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { ClickhouseRows } from './clickhouse-rows.ts';
import { createPostgresRows } from './log-row-store.ts';
import { createShipRequests, type EndedRequest, type ShipRequests } from './ship-requests.ts';

const log = createLogger('silent');
let engine: Chdb;
let connection: ClickhouseConnection;
let requestLog: RequestLog;
let database: TestDatabase;
let tenantId: number;
let userId: number;
let runId: string;

const insert = async (statement: string): Promise<number> =>
  (await database.pool.query(statement)).rows[0].id;

async function start(): Promise<void> {
  engine = await startChdb(testedStore);
  await prepareClickhouse(engine.url);
  connection = connect(engine.url);
  requestLog = openClickhouseRequestLog(engine.url);
}

async function begin(): Promise<void> {
  database = await createTestDatabase();
  runId = randomUUIDv7();
  tenantId = await insert("INSERT INTO tenants (name, slug) VALUES ('T', 't') RETURNING id");
  await connection.run(`TRUNCATE TABLE ${connection.tables.stored}`);
  userId = await insert(
    `INSERT INTO users (tenant_id, role_id, email, name, password_hash) VALUES (${tenantId}, 3, 'a@b.c', 'A', 'x') RETURNING id`,
  );
}

function startShipping(pool = database.pool, through = connection): ShipRequests {
  const rows = new ClickhouseRows({ pool, connection: through, journal: runId, log });
  return createShipRequests({ pool, nodeSlot: 0, runId, rows, log });
}

function settle(count: number, hasPosition = true): EndedRequest[] {
  return Array.from({ length: count }, (_, index) => ({
    ...createRecord({
      tenantId,
      userId,
      model: 'm',
      status: 'success',
      httpStatus: 200,
      prompt: `Question ${index}`,
      response: 'Answer',
      signals: { off_topic: 1 },
    }),
    ...(hasPosition && { position: { segment: 1 + Math.floor(index / 3), offset: 8 + (index % 3) * 100 } }),
  }));
}

interface ScoredRow {
  readonly id: string;
  readonly before: number;
  readonly after: number;
}

async function expectOnce(requests: readonly EndedRequest[]): Promise<void> {
  const rows = await connection.read<ScoredRow>(
    'SELECT id, user_score_before AS before, user_score_after AS after FROM request_logs ORDER BY id',
  );
  const ids = requests.map(({ id }) => id);
  expect(rows.map(({ id }) => toUuid(id)).toSorted()).toEqual(ids.toSorted());
  // Each request raises the score, so the order of scores is the order of requests.
  const settled = rows.toSorted((one, next) => one.before - next.before);
  const { rows: booked } = await database.pool.query(
    'SELECT sum(requests)::integer AS requests, sum(scored_requests)::integer AS scored FROM usage_rollups',
  );
  expect(booked).toEqual([{ requests: requests.length, scored: requests.length }]);
  const { rows: users } = await database.pool.query('SELECT deviation_score FROM users WHERE id = $1', [
    userId,
  ]);
  expect(settled.map(({ before }) => before)).toEqual([0, ...settled.slice(0, -1).map(({ after }) => after)]);
  expect(settled.at(-1)?.after).toBe(users[0].deviation_score);
  expect((await database.pool.query('SELECT FROM request_logs')).rowCount).toBe(0);
}

async function shipAgain(requests: readonly EndedRequest[]): Promise<void> {
  const ship = startShipping();
  await ship(requests.slice(0, 2));
  await ship(requests.slice(2));
}

type Step = 'insert' | 'read' | 'run';

function failingAt(step: Step, when: 'before' | 'after'): ClickhouseConnection {
  let isDone = false;
  const fail =
    <Args extends unknown[], Result>(name: Step, work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const isHit = name === step && !isDone;
      if (isHit) isDone = true;
      if (isHit && when === 'before') throw new Error('crashed');
      const result = await work(...args);
      if (isHit) throw new Error('crashed');
      return result;
    };
  return {
    ...connection,
    insert: fail('insert', connection.insert),
    // safe because the wrapper has the signature of the wrapped function
    read: fail('read', connection.read) as ClickhouseConnection['read'],
    run: fail('run', connection.run),
  };
}

describeWithClickhouse('shipping to ClickHouse', () => {
  beforeAll(start);
  afterAll(async () => {
    await requestLog.close();
    await connection.close();
    await engine.close();
  });
  beforeEach(async () => {
    await begin();
    return () => database.close();
  });

  it.each([true, false])(
    'a crash at any step of the transaction leaves one row and one booking (positions: %s)',
    async (hasPosition) => {
      const cutter = await startTransactionCutter(database.connectionString);
      const steps = Array.from({ length: 40 }, (_, index) => index + 1).flatMap(
        (number): TransactionStep[] => [
          { number, lost: 'request' },
          { number, lost: 'response' },
        ],
      );
      let cuts = 0;
      for (const step of steps) {
        await database.pool.query(
          'TRUNCATE usage_rollups, journal_positions, undelivered_scores, interrupted_requests',
        );
        await database.pool.query(
          'UPDATE users SET deviation_score = 0, deviation_scored_at = NULL, deviation_pace = NULL, deviation_recent = NULL',
        );
        await connection.run(`TRUNCATE TABLE ${connection.tables.stored}`);
        const requests = settle(5, hasPosition);
        const pool = createPool(cutter.connectionString, 1, 'sluice-test', {});
        cutter.cutAt(step);
        await startShipping(pool)(requests).catch(() => undefined);
        await pool.end();
        if (cutter.hasCut) cuts++;
        await shipAgain(requests);
        await expectOnce(requests);
        if (!cutter.hasCut) break;
      }
      await cutter.close();
      expect(cuts).toBeGreaterThan(10);
    },
  );

  it.each(['before', 'after'] as const)(
    'a crash %s ClickHouse has the rows leaves one row and one booking per request',
    async (when) => {
      for (const hasPosition of [true, false]) {
        const requests = settle(5, hasPosition);
        await expect(startShipping(undefined, failingAt('insert', when))(requests)).rejects.toThrow(
          'crashed',
        );
        for (const [again, at] of [
          ['run', 'before'],
          ['read', 'after'],
          ['insert', 'after'],
        ] as const)
          await startShipping(undefined, failingAt(again, at))(requests).catch(() => undefined);
        await shipAgain(requests);
        await expectOnce(requests);
        await database.close();
        await begin();
      }
    },
  );

  it('a failed insert is repeated by the same process with later requests', async () => {
    const requests = settle(6);
    const ship = startShipping(undefined, failingAt('insert', 'after'));
    await expect(ship(requests.slice(0, 3))).rejects.toThrow('crashed');
    await ship(requests.slice(0, 5));
    await ship(requests.slice(5));
    await expectOnce(requests);
  });

  it('a repeated insert with the same token has no effect, even after other inserts', async () => {
    const requests = settle(3);
    await startShipping()(requests);
    const [row] = await connection.read<object>('SELECT * EXCEPT received_at FROM request_logs LIMIT 1');
    const rows = [{ ...row, received_at: '2026-11-20 10:00:00' }];
    for (const token of ['one', 'two', 'one', 'one'])
      await connection.insert('request_logs', rows, { token });
    expect(await connection.read('SELECT count() AS count FROM request_logs')).toEqual([{ count: '5' }]);
  });

  it('shipping fails while ClickHouse is unavailable, and catches up afterward', async () => {
    const requests = settle(5);
    const ship = startShipping();
    await ship(requests.slice(0, 1));
    await engine.kill();
    await expect(ship(requests.slice(1, 3))).rejects.toThrow('cannot be reached');
    await expect(ship(requests.slice(1))).rejects.toThrow('cannot be reached');
    await engine.restart();
    await ship(requests.slice(1));
    await expectOnce(requests);
  });

  it.each([true, false])(
    'rows that were booked but not delivered are written to PostgreSQL after the log was moved back (positions: %s)',
    async (hasPosition) => {
      const requests = settle(5, hasPosition);
      await expect(startShipping(undefined, failingAt('insert', 'before'))(requests)).rejects.toThrow(
        'crashed',
      );
      const { pool } = database;
      for (const _ of ['once', 'again']) {
        const rows = createPostgresRows(pool, runId);
        const ship = createShipRequests({ pool, nodeSlot: 0, runId, rows, log });
        await ship(requests.slice(0, 2));
        await ship(requests.slice(2));
      }
      const { rows: logs } = await pool.query(
        'SELECT id, user_score_after AS after FROM request_logs ORDER BY user_score_after',
      );
      expect(logs.map(({ id }) => id).toSorted()).toEqual(requests.map(({ id }) => id).toSorted());
      const { rows: users } = await pool.query('SELECT deviation_score AS score FROM users WHERE id = $1', [
        userId,
      ]);
      expect(logs.at(-1)?.after).toBe(users[0].score);
      const { rows: booked } = await pool.query(
        'SELECT sum(requests)::integer AS requests FROM usage_rollups',
      );
      expect(booked).toEqual([{ requests: 5 }]);
      await createPostgresRows(pool, runId).forget();
      expect((await pool.query('SELECT FROM undelivered_scores')).rowCount).toBe(0);
    },
  );

  it('requests that PostgreSQL has lost are booked again, without duplicate rows', async () => {
    const requests = settle(5);
    await startShipping()(requests.slice(0, 4));
    await database.pool.query('TRUNCATE usage_rollups, journal_positions, undelivered_scores');
    await startShipping()(requests);
    const { rows } = await database.pool.query(
      'SELECT sum(requests)::integer AS requests FROM usage_rollups',
    );
    expect(rows).toEqual([{ requests: 5 }]);
    expect(await connection.read('SELECT count() AS count FROM request_logs')).toEqual([{ count: '5' }]);
  });

  it('rows and bodies in ClickHouse equal those shipped to PostgreSQL', async () => {
    const { records } = { records: [fullRecord(), createRecord({ tenantId })] };
    await startShipping()(records);
    const elsewhere = records.map((record) => ({ ...record, hold: null }));
    await createShipRequests({ pool: database.pool, nodeSlot: 0, log })(elsewhere);
    const read = (openLog: RequestLog['openTenant']) =>
      createRunInTenant(database.pool, openLog)(tenantId, async ({ requestLog: tenantLog }) =>
        readAll(tenantLog, records),
      );
    expect(await read(requestLog.openTenant)).toEqual(await read(postgresRequestLog.openTenant));
  });
});

const readAll = async (tenantLog: TenantLog, records: readonly EndedRequest[]) => ({
  rows: await tenantLog.selectRows(records.map(({ id }) => id)),
  bodies: await Promise.all(records.map(({ id }) => tenantLog.findBody(id))),
  latencies: await tenantLog.selectLatencies(10),
  usage: await tenantLog.sumByProvider(1),
  served: await Array.fromAsync(
    tenantLog.readServed({
      amount: 'tokens',
      countsRequests: false,
      llmProviderId: 7,
      since: null,
      days: 1,
      limit: 9,
    }),
  ),
});

const fullUsage = {
  usage: {
    inputTokens: 10,
    cacheReadTokens: 5,
    cacheWriteTokens: 3,
    outputTokens: 7,
    reasoningTokens: 2,
  } as EndedRequest['usage'],
  usageSource: 'provider',
  costNanoUsd: '9007199254740993',
  price: { input: 2, output: 3.5 } as unknown as EndedRequest['price'],
  intent: 'coding',
  confidence: 0.123456789,
} satisfies Partial<EndedRequest>;

const fullTexts = {
  promptPrivacy: 'redacted',
  prompt: 'Question "with" \\ and \n \ud800 half',
  response: 'Answer',
  requestBody: JSON.stringify({ messages: ['x'.repeat(3_000)] }),
  requestBytes: 3_020,
  requestSha256: 'ab'.repeat(32),
  responseBytes: 6,
} satisfies Partial<EndedRequest>;

const failedCall = {
  instanceId: 7,
  instanceName: 'Main',
  providerKey: 'openai',
  model: 'gpt-5',
  startedMs: 1.26,
  durationMs: 2.55,
  httpStatus: 502,
  errorCode: 'upstream_error',
  cause: null,
  message: 'm',
} as const;

const fullRecord = (): EndedRequest =>
  createRecord({
    ...fullUsage,
    ...fullTexts,
    tenantId,
    userId,
    clientRequestId: 'mine',
    labels: { stage: 'prod', "o'k": 'ü' },
    llmProviderId: 7,
    providerKey: 'openai',
    providerInstanceName: 'Main',
    modelRequested: 'alias',
    model: 'gpt-5',
    downgradedByBudgetId: 3,
    isStream: true,
    status: 'success',
    httpStatus: 200,
    errorCode: 'code',
    errorMessage: 'message \ud83d\ude00',
    attempts: 2,
    providerCalls: [failedCall],
    repeats: 2,
    firstByteMs: 8.123456,
    responseTimeMs: 1234.56789,
  });
