import { randomUUIDv7 } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import { createLogger, type Logger } from '#platform/logger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { createRowReader } from '#test/requests/request-rows.ts';
import { createShipRequests } from './ship-requests.ts';

let database: TestDatabase;
let told: { requestId: string; msg: string }[];
let log: Logger;
beforeEach(async () => {
  database = await createTestDatabase();
  told = [];
  // Use one logger per test, because a logger folds repeated warnings.
  log = createLogger('info', { write: (line: string) => void told.push(JSON.parse(line)) });
});
afterEach(() => database.close());

const ship = (records: RequestRecord[]) =>
  createShipRequests({ pool: database.pool, nodeSlot: 0, log })(records);
const readRows = () => createRowReader(database.pool).readRows();

// safe because it represents a record journaled by an older version
const nothing = null as unknown as string;

const record = (more: Partial<RequestRecord> = {}): RequestRecord =>
  createRecord({
    id: randomUUIDv7(),
    clientRequestId: 'mine',
    receivedAtMs: Date.parse('2026-11-20T10:00:00.250Z'),
    tenantId: 1,
    userId: 2,
    modelRequested: 'alias',
    model: 'm',
    status: 'success',
    httpStatus: 200,
    attempts: 1,
    responseTimeMs: 12.3456,
    usage: { inputTokens: 5, cacheReadTokens: 3, cacheWriteTokens: 2, outputTokens: 7, reasoningTokens: 4 },
    usageSource: 'provider',
    prompt: 'Hi',
    response: 'Hello',
    requestBody: '{}',
    requestBytes: 2,
    ...more,
  });

describe('shipRequests', () => {
  it('shipRequests writes the row and its texts', async () => {
    const one = record({ requestSha256: 'ab'.repeat(32), taskId: 9, firstByteMs: null });
    await ship([one]);
    expect(await readRows()).toMatchObject([
      {
        id: one.id,
        tenant_id: 1,
        user_id: 2,
        task_id: 9,
        client_request_id: 'mine',
        model_requested: 'alias',
        model: 'm',
        status: 'success',
        received_at: new Date(one.receivedAtMs),
        first_byte_ms: null,
        response_time_ms: 12.346,
        prompt_tokens: 10,
        cache_read_tokens: 3,
        cache_write_tokens: 2,
        completion_tokens: 7,
        reasoning_tokens: 4,
        prompt: 'Hi',
        response: 'Hello',
        request_sha256: Buffer.from('ab'.repeat(32), 'hex'),
      },
    ]);
  });

  it('shipRequests compresses long texts with LZ4 if the database supports it', async () => {
    await ship([record({ prompt: 'words '.repeat(2_000) })]);
    const { rows } = await database.pool.query(
      `SELECT pg_column_compression(prompt) AS used, (SELECT 'lz4' = ANY (enumvals) FROM pg_settings
         WHERE name = 'default_toast_compression') AS "hasLz4" FROM request_log_bodies`,
    );
    expect(rows).toEqual([{ used: rows[0].hasLz4 ? 'lz4' : 'pglz', hasLz4: rows[0].hasLz4 }]);
  });

  it('shipRequests keeps the first version of a row, however often the request is shipped', async () => {
    const one = record();
    await ship([one]);
    await ship([{ ...one, status: 'error', response: 'other' }, record()]);
    await Promise.all([ship([one]), ship([one]), ship([one])]);
    const rows = await readRows();
    expect(rows).toHaveLength(2);
    expect(rows.find(({ id }) => id === one.id)).toMatchObject({ status: 'success', response: 'Hello' });
  });

  it('shipRequests accepts the same request twice in one batch', async () => {
    const one = record();
    await ship([one, one]);
    expect(await readRows()).toHaveLength(1);
  });

  it('shipRequests updates when a key was last used, never to an earlier time', async () => {
    const { rows: tenants } = await database.pool.query(
      "INSERT INTO tenants (name, slug) VALUES ('T', 't') RETURNING id",
    );
    const tenantId = tenants[0].id;
    const { rows: users } = await database.pool.query(
      "INSERT INTO users (tenant_id, role_id, email, name, password_hash) VALUES ($1, 1, 'a@b.c', 'A', 'x') RETURNING id",
      [tenantId],
    );
    const { rows: keys } = await database.pool.query(
      "INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes) VALUES ($1, $2, 'k', 'h', 'abcd', '{}') RETURNING id",
      [tenantId, users[0].id],
    );
    const used = (receivedAtMs: number) => record({ apiKeyId: keys[0].id, receivedAtMs });
    await ship([used(2_000), used(9_000), used(5_000)]);
    await ship([used(4_000)]);
    const { rows } = await database.pool.query('SELECT last_used_at FROM api_keys');
    expect(rows[0].last_used_at).toEqual(new Date(9_000));
  });
});

describe('shipRequests with a rejected row', () => {
  it.each<[fault: string, more: Partial<RequestRecord>]>([
    ['NUL in a text', { prompt: 'a\0b' }],
    ['a number that no column holds', { taskId: 3_000_000_000 }],
    [
      'more tokens than there can be',
      {
        usage: {
          inputTokens: 5e9,
          cacheReadTokens: 0,
          cacheWriteTokens: 0,
          outputTokens: 1,
          reasoningTokens: 0,
        },
      },
    ],
  ])(
    'shipRequests stores a row rejected for %s without its faulty fields, and the other rows completely',
    async (_, more) => {
      const batch = [record(), record(), record(more), record(), record()];
      await ship(batch);
      const byId = new Map((await readRows()).map((row) => [row.id, row]));
      const rows = batch.map(({ id }) => byId.get(id)!);
      expect(rows.map(({ prompt }) => prompt)).toEqual(['Hi', 'Hi', null, 'Hi', 'Hi']);
      expect(rows[2]).toMatchObject({
        status: 'success',
        task_id: null,
        completion_tokens: 0,
        usage_source: 'none',
      });
      expect(told).toMatchObject([{ requestId: batch[2]?.id }]);
    },
  );

  it('shipRequests reports a permanently rejected row and stores the others', async () => {
    const batch = [record(), record({ protocol: nothing }), record()];
    await ship(batch);
    expect((await readRows()).map(({ id }) => id).sort()).toEqual([batch[0]?.id, batch[2]?.id].sort());
    expect(told.at(-1)).toMatchObject({ requestId: batch[1]?.id, msg: expect.stringContaining('lost') });
  });
});

it('shipRequests rejects the whole batch while the database is unavailable, and writes it on retry', async () => {
  const away = new pg.Pool({ host: '127.0.0.1', port: 1 });
  const batch = [record(), record()];
  await expect(createShipRequests({ pool: away, nodeSlot: 0, log })(batch)).rejects.toThrow('ECONNREFUSED');
  await away.end();
  await ship(batch);
  expect(await readRows()).toHaveLength(2);
  expect(told).toEqual([]);
});

it('shipRequests leaves nothing behind if its connection is cut in the middle of a batch', async () => {
  const one = record();
  const blocker = await database.pool.connect();
  await blocker.query('BEGIN; LOCK TABLE request_log_bodies IN ACCESS EXCLUSIVE MODE');
  const shipped = ship([one]).then(
    () => 'written',
    () => 'rejected',
  );
  const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'COPY request_log_bodies%'`;
  await expect.poll(async () => (await database.pool.query(cut)).rowCount).toBe(1);
  expect(await shipped).toBe('rejected');
  await blocker.query('COMMIT');
  blocker.release();
  expect((await database.pool.query('SELECT 1 FROM request_logs')).rowCount).toBe(0);
  await ship([one]);
  expect(await readRows()).toHaveLength(1);
});
