import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepLogPartitions } from '#db/log-partitions/keep-log-partitions.ts';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { retentionCutoff } from '#domain/retention.ts';
import { createLogger } from '#platform/logger.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createDeleteExpiredRequestLogs } from './delete-expired-request-logs.ts';
import { createDeleteOldRows } from './delete-old-rows.ts';
import { runAlone } from './run-alone.ts';

const dayMs = 86_400_000;
const log = createLogger('silent');
const startMs = Date.now();
const inDays = (days: number) => startMs + days * dayMs;

let database: TestDatabase;
let system: SystemDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
});
afterEach(() => database.close());

const read = async (statement: string, values: unknown[] = []) =>
  (await database.pool.query(statement, values)).rows;
const runJob = (nowMs: number) =>
  runAlone(
    system,
    createDeleteExpiredRequestLogs(() => nowMs, postgresRequestLog),
    log,
  );

async function addKeeper(name: string, retentionDays: number, bodyRetentionDays: number) {
  const tenantId = await addTenant(database.pool, name);
  await database.pool.query(
    'UPDATE tenants SET retention_days = $2, body_retention_days = $3 WHERE id = $1',
    [tenantId, retentionDays, bodyRetentionDays],
  );
  return addPerson(database.pool, tenantId, 'user', `${name}@keep.test`);
}

function idAt(ms: number): string {
  const time = Math.floor(ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

async function addDays(tenantId: number, userId: number, first: number, last: number): Promise<void> {
  const ids = Array.from({ length: last - first + 1 }, (_, step) => idAt(inDays(first + step)));
  await database.pool.query(
    `INSERT INTO request_logs (id, tenant_id, user_id, protocol, operation, status, http_status, is_stream, attempts, received_at, response_time_ms, usage_source)
     SELECT id, $2, $3, 'p', 'o', 'success', 200, false, 1, now(), 1, 'none' FROM unnest($1::uuid[]) id`,
    [ids, tenantId, userId],
  );
  for (const statement of [
    "INSERT INTO request_log_bodies (id, tenant_id, prompt, request_bytes, response_bytes) SELECT id, $2, 'Hi', 1, 1 FROM unnest($1::uuid[]) id",
    "INSERT INTO request_log_text_blocks (id, tenant_id, last_id, row_ids, ngrams) SELECT id, $2, id, ARRAY[id], '{}' FROM unnest($1::uuid[]) id",
    "INSERT INTO intent_corrections (request_id, tenant_id, prompt, intent, corrected_by) SELECT id, $2, 'Hi', 'coding', $3 FROM unnest($1::uuid[]) id WHERE $3 > 0",
    "INSERT INTO llm_comparisons (id, tenant_id, user_id, prompt) SELECT id, $2, $3, 'Hi' FROM unnest($1::uuid[]) id",
  ]) {
    const values: unknown[] = [ids, tenantId];
    if (statement.includes('$3')) values.push(userId);
    await database.pool.query(statement, values);
  }
}

async function listDays(table: string, tenantId: number, condition = 'true', key = 'id'): Promise<number[]> {
  const rows = await read(
    `SELECT round((extract(epoch FROM uuid_instant(${key})) * 1000 - $2) / $3)::integer AS day FROM ${table} WHERE tenant_id = $1 AND ${condition} ORDER BY 1`,
    [tenantId, startMs, dayMs],
  );
  return rows.map(({ day }) => day);
}

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, step) => first + step);

describe('deleteExpiredRequestLogs', () => {
  it('deleteExpiredRequestLogs keeps rows, texts, corrections and comparisons for the retention period of each tenant', async () => {
    const short = await addKeeper('short', 20, 5);
    const long = await addKeeper('long', 60, 30);
    const days = { clock: () => inDays(0), log, signal: new AbortController().signal };
    for (const { tenantId, userId } of [short, long]) await addDays(tenantId, userId, -70, 0);
    await keepLogPartitions(system, days);
    await runJob(inDays(0) + 1_000);
    for (const [{ tenantId }, rows, bodies] of [
      [short, 20, 5],
      [long, 60, 30],
    ] as const) {
      // Rows older than the retention period by a second are deleted.
      expect(await listDays('request_logs', tenantId)).toEqual(range(-rows + 1, 0));
      for (const table of ['request_log_bodies', 'request_log_text_blocks'])
        expect(await listDays(table, tenantId)).toEqual(range(-bodies + 1, 0));
      expect(await listDays('llm_comparisons', tenantId)).toEqual(range(-bodies + 1, 0));
      expect(await listDays('intent_corrections', tenantId, 'true', 'request_id')).toEqual(
        range(-rows + 1, 0),
      );
      expect(await listDays('intent_corrections', tenantId, 'prompt IS NOT NULL', 'request_id')).toEqual(
        range(-bodies + 1, 0),
      );
    }
    await runJob(inDays(10) + 1_000);
    expect(await listDays('request_logs', short.tenantId)).toEqual(range(-9, 0));
    expect(await listDays('request_logs', long.tenantId)).toEqual(range(-49, 0));
  });

  it('deleteExpiredRequestLogs drops days that no tenant keeps as whole partitions, and leaves all others', async () => {
    const { tenantId, userId } = await addKeeper('only', 30, 10);
    await addDays(tenantId, userId, -60, 0);
    await keepLogPartitions(system, { clock: () => inDays(0), log, signal: new AbortController().signal });
    const count = async (parent: string) =>
      (await read(`SELECT FROM pg_inherits WHERE inhparent = '${parent}'::regclass`)).length;
    const [rowsBefore, bodiesBefore] = [await count('request_logs'), await count('request_log_bodies')];
    await runJob(inDays(0));
    expect(rowsBefore - (await count('request_logs'))).toBe(30);
    expect(bodiesBefore - (await count('request_log_bodies'))).toBe(50);
    expect(
      await read('SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE relname LIKE $1', [
        '%_default',
      ]),
    ).toHaveLength(3);
  });

  it('deleteExpiredRequestLogs does not block writers while a reader uses a partition to be dropped', async () => {
    const { tenantId, userId } = await addKeeper('busy', 30, 30);
    await addDays(tenantId, userId, -40, 0);
    await keepLogPartitions(system, { clock: () => inDays(0), log, signal: new AbortController().signal });
    const reader = await database.pool.connect();
    await reader.query('BEGIN; SELECT count(*) FROM request_logs');
    let isDone = false;
    const running = runJob(inDays(0) + 1_000).then(() => {
      isDone = true;
    });
    for (let written = 0; written < 10; written++) {
      const beganAtMs = performance.now();
      await addDays(tenantId, userId, 0, 0);
      expect(performance.now() - beganAtMs).toBeLessThan(2_000);
    }
    expect(isDone).toBe(false);
    await reader.query('COMMIT');
    reader.release();
    await running;
    expect((await listDays('request_logs', tenantId))[0]).toBe(-29);
  });

  it('deleteExpiredRequestLogs stops when the node drains', async () => {
    const { tenantId, userId } = await addKeeper('drained', 1, 1);
    await addDays(tenantId, userId, -3, 0);
    const stopped = AbortSignal.abort();
    await createDeleteExpiredRequestLogs(() => inDays(0), postgresRequestLog).runInSteps({
      database: system,
      log,
      signal: stopped,
    });
    expect(await listDays('request_logs', tenantId)).toEqual(range(-3, 0));
  });
});

describe('deleteOldRows', () => {
  it('deleteOldRows deletes old rows, but audit log entries only after 400 days', async () => {
    const { tenantId, userId } = await addKeeper('old', 30, 30);
    const at = (days: number) => retentionCutoff(startMs, days).toISOString();
    for (const days of [1, 31, 401]) {
      await database.pool.query(
        "INSERT INTO audit_entries (tenant_id, object_type, object_id, created_at) VALUES ($1, 'export', $3, $2)",
        [tenantId, at(days), String(days)],
      );
      await database.pool.query(
        `INSERT INTO score_events (tenant_id, user_id, kind, score_before, score_after, reason, created_at)
         VALUES ($1, $2, 'spare', 0, 0, $4, $3)`,
        [tenantId, userId, at(days), String(days)],
      );
      await database.pool.query(
        `INSERT INTO mails (tenant_id, to_address, subject, body, action, opens_role_id, status, expires_at, created_at)
         VALUES ($1, 'a@b.test', $3, '', '', 3, 'sent', now(), $2)`,
        [tenantId, at(days), String(days)],
      );
      await database.pool.query(
        "INSERT INTO webhook_events (event_id, event_type, status, payload, created_at) VALUES ($1, 'x', $3, '{}', $2)",
        [String(days), at(days), days === 1 ? 'pending' : 'completed'],
      );
      await database.pool.query(
        'INSERT INTO login_attempts (subject, window_start, attempts) VALUES ($1, $2, 1)',
        [String(days), at(days)],
      );
    }
    await database.pool.query(
      `INSERT INTO password_resets (tenant_id, user_id, token_hash, token_version, mail_id, created_at, expires_at)
       SELECT $1, $2, 'x', 1, id, created_at, created_at FROM mails WHERE subject = '401'`,
      [tenantId, userId],
    );
    await runAlone(
      system,
      createDeleteOldRows(() => startMs),
      log,
    );
    expect(await read('SELECT id FROM password_resets')).toEqual([]);
    expect(await read('SELECT event_id FROM webhook_events ORDER BY id')).toEqual([
      { event_id: '1' },
      { event_id: '31' },
    ]);
    expect(
      await read("SELECT object_id FROM audit_entries WHERE object_type = 'export' ORDER BY id"),
    ).toEqual([{ object_id: '1' }, { object_id: '31' }]);
    // The last written event is the user's last event, regardless of its date.
    expect(await read('SELECT reason FROM score_events ORDER BY id')).toEqual([
      { reason: '1' },
      { reason: '401' },
    ]);
    expect(await read('SELECT subject FROM mails ORDER BY id')).toEqual([
      { subject: '1' },
      { subject: '31' },
    ]);
    expect(await read('SELECT subject FROM login_attempts')).toEqual([{ subject: '1' }]);
  });

  it('the database rejects deleting a recent audit log entry, even by the owner of the table', async () => {
    const { tenantId } = await addKeeper('guard', 30, 30);
    await database.pool.query(
      "INSERT INTO audit_entries (tenant_id, object_type, object_id, created_at) VALUES ($1, 'export', 'x', now() - interval '399 days')",
      [tenantId],
    );
    await expect(database.pool.query("DELETE FROM audit_entries WHERE object_id = 'x'")).rejects.toThrow(
      '400 days',
    );
  });
});
