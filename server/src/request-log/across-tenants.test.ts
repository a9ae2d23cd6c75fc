import { logsOf, logsRoutes, promptReadsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogsHandlers } from '#console/logs/routes.ts';
import { createPromptReadsHandlers } from '#console/prompt-reads/routes.ts';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { createRunInTenant } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { type BothLogs, daysOfRows, openBothLogs } from '#test/clickhouse/both-logs.ts';
import { describeWithClickhouse } from '#test/clickhouse/start-chdb.ts';
import { addPerson, createTestConsole } from '#test/console/console.ts';
import { createRandom } from '#test/processes/seeded-random.ts';
import { TenantReader } from './clickhouse/tenant-reader.ts';
import { postgresRequestLog } from './postgres/postgres-request-log.ts';
import type { KeptDays, RequestLog } from './request-log.ts';

const dayMs = 86_400_000;
const { signal } = new AbortController();
let logs: BothLogs;
let system: SystemDatabase;

const both = async <Result>(call: (log: RequestLog) => Promise<Result>) => ({
  expected: await call(postgresRequestLog),
  found: await call(logs.requestLog),
});

const byId = (one: { id: string }, next: { id: string }) => one.id.localeCompare(next.id);

async function readIds(): Promise<{ expected: object; found: object }> {
  const { rows } = await logs.database.pool.query(
    'SELECT l.id, b.id IS NOT NULL AS "hasTexts" FROM request_logs l LEFT JOIN request_log_bodies b USING (id) ORDER BY id',
  );
  const found = await logs.connection.read<{ id: string; hasTexts: number }>(
    `SELECT lower(leftPad(hex(id), 32, '0')) AS id, prompt_privacy IS NOT NULL AS "hasTexts" FROM request_logs ORDER BY 1`,
  );
  const idOf = (id: string) => id.replaceAll('-', '');
  return {
    expected: rows.map(({ id, hasTexts }) => ({ id: idOf(id), hasTexts })),
    found: found.map(({ id, hasTexts }) => ({ id, hasTexts: Boolean(hasTexts) })),
  };
}

describeWithClickhouse('the request log across tenants in ClickHouse', () => {
  beforeAll(async () => {
    logs = await openBothLogs(createRandom('7'), 1_500);
    system = createSystemDatabase(logs.database.pool);
  });
  afterAll(() => logs.close());

  it('ClickHouse limits the queries of a tenant to its rows, even with OR conditions and joins', async () => {
    const { connection, foreignIds, home, ids, other } = logs;
    const countAll = `SELECT count() AS count, uniqExact(tenant_id) AS tenants FROM request_logs WHERE tenant_id > 0 OR 1`;
    expect(await connection.read(countAll)).toEqual([
      { count: String(ids.length + foreignIds.length), tenants: '2' },
    ]);
    for (const [tenantId, rows] of [
      [home.id, ids],
      [other.id, foreignIds],
      [1_000_000, []],
    ] as const) {
      const reader = new TenantReader(connection, tenantId);
      const tenants = rows.length > 0 ? '1' : '0';
      expect(await reader.read(countAll)).toEqual([{ count: String(rows.length), tenants }]);
      const twice = 'SELECT count() AS count FROM request_logs a JOIN request_logs b ON a.id = b.id';
      expect(await reader.read(twice)).toEqual([{ count: String(rows.length) }]);
    }
    expect(() => new TenantReader(connection, Number.NaN)).toThrow('integer');
  });

  it('findAwaited finds the same requests as in PostgreSQL', async () => {
    const { rows } = await logs.database.pool.query(
      `SELECT tenant_id AS "tenantId", client_request_id AS "clientRequestId", received_at AS at FROM request_logs
       WHERE client_request_id IS NOT NULL ORDER BY id LIMIT 60`,
    );
    const awaited = rows.map(({ at, ...request }, place) => ({
      ...request,
      since: new Date(at.getTime() - (place % 3 === 0 ? -1_000 : 1_000)),
      until: new Date(at.getTime() + 60_000),
    }));
    const { expected, found } = await both((log) => log.findAwaited(system, awaited));
    expect(found.toSorted(byId)).toEqual(expected.toSorted(byId));
    expect(expected.length).toBeGreaterThan(10);
    expect(expected.length).toBeLessThan(awaited.length);
  });

  it('listRecovered returns the same instances as in PostgreSQL', async () => {
    const { home, other } = logs;
    const failed = [home, other].flatMap(({ id, instances }) =>
      [...instances, 9_999].flatMap((llmProviderId) =>
        [0.01, 5, daysOfRows].map((days) => ({
          llmProviderId,
          tenantId: id,
          seenAt: new Date(Date.now() - days * dayMs).toISOString(),
        })),
      ),
    );
    const { expected, found } = await both((log) => log.listRecovered(system, failed));
    expect(found).toEqual(expected);
    expect(expected.length).toBeGreaterThan(0);
  });

  it('selectNewest returns the same rows as in PostgreSQL', async () => {
    const { rows } = await logs.database.pool.query('SELECT email FROM users WHERE id = $1', [
      logs.home.users[1],
    ]);
    const filters = [
      {},
      { email: rows[0].email },
      { tenantSlug: 'other', status: 'error' },
      { model: 'gpt-5' },
      { email: 'nobody@names.test' },
    ];
    for (const filter of filters) {
      const { expected, found } = await both((log) => log.selectNewest(system, filter, 40));
      const instants = (tail: typeof expected) =>
        tail.map((row) => ({ ...row, received_at: Date.parse(row.received_at) }));
      expect(instants(found)).toEqual(instants(expected));
    }
  });

  it('reads of prompts are recorded with their owners, although the rows are not in PostgreSQL', async () => {
    const { database, home, requestLog } = logs;
    const { pool } = database;
    const admin = await addPerson(pool, home.id, 'admin', 'reader@home.test');
    const mara: Principal = { ...admin, role: 'user', userId: home.users[2] ?? 0 };
    await pool.query(
      'CREATE TABLE kept_logs AS TABLE request_logs; CREATE TABLE kept_bodies AS TABLE request_log_bodies',
    );
    await pool.query('TRUNCATE request_logs, request_log_bodies');
    const of = (principal: Principal) => ({
      logs: createTestConsole(
        database.pool,
        logsRoutes,
        createLogsHandlers(),
        requestLog.openTenant,
      )({ principal }),
      reads: createTestConsole(
        database.pool,
        promptReadsRoutes,
        createPromptReadsHandlers(),
        requestLog.openTenant,
      )({ principal }),
    });
    const shown = logsOf(await of(admin).logs.listLogs({ query: { limit: 40 } }));
    const own = shown.filter((row) => row.user_id === mara.userId && (row.prompt ?? row.response) !== null);
    expect(own.length).toBeGreaterThan(0);
    await of(admin).logs.getLog({ params: { id: own[0]?.id ?? '' } });
    await of(mara).logs.getLog({ params: { id: own[0]?.id ?? '' } });
    const reads = await of(mara).reads.listPromptReads({ query: {} });
    expect(reads).toMatchObject([
      { reader_name: 'reader', action: 'getLog', is_list: false, request_ids: [own[0]?.id] },
      { reader_name: 'reader', action: 'listLogs', is_list: true },
    ]);
    expect(reads[1]?.request_ids.toSorted()).toEqual(own.map(({ id }) => id).toSorted());
    await pool.query(
      'INSERT INTO request_logs TABLE kept_logs; INSERT INTO request_log_bodies TABLE kept_bodies',
    );
  });

  it('a tenant cannot read rows of another tenant by their ids', async () => {
    const { foreignIds, home, other, requestLog, database } = logs;
    const run = createRunInTenant(database.pool, requestLog.openTenant);
    await run(home.id, async ({ requestLog: log }) => {
      expect(await log.selectRows(foreignIds)).toEqual([]);
      expect(await log.findBody(foreignIds[0] ?? '')).toBeUndefined();
      expect(await log.findFigures(foreignIds[0] ?? '')).toBeUndefined();
      expect(await log.countRows({ user_id: other.users[0] }, 10)).toBe(0);
    });
    await run(other.id, async ({ requestLog: log }) =>
      expect(await log.selectRows(foreignIds)).toHaveLength(200),
    );
  });

  it('deleteOfUser deletes all rows and texts of one user', async () => {
    const user = { tenantId: logs.home.id, userId: logs.home.users[0] ?? 0 };
    const deleted = await logs.requestLog.deleteOfUser(system, user, signal);
    const { expected, found } = await readIds();
    expect(found).toEqual(expected);
    const ofUser = 'SELECT count() AS count FROM request_logs WHERE user_id = {id:Int32}';
    expect(await logs.connection.read(ofUser, { params: { id: user.userId } })).toEqual([{ count: '0' }]);
    // The number also counts the rows in PostgreSQL.
    expect(deleted).toBeGreaterThan(100);
  });

  it('deleteExpired deletes the same rows and texts as in PostgreSQL', async () => {
    const kept = (...days: [rows: number, texts: number][]): KeptDays[] =>
      [logs.home.id, logs.other.id].map((tenantId, place) => {
        const [retentionDays = 0, bodyRetentionDays = 0] = days[place] ?? [];
        return { tenantId, retentionDays, bodyRetentionDays };
      });
    for (const days of [kept([15, 9], [18, 12]), kept([6, 3], [6, 4]), kept([2, 1], [1, 1])]) {
      const nowMs = Date.now();
      const deleted = await logs.requestLog.deleteExpired(system, days, nowMs, signal);
      expect(deleted.partitions + deleted.rows).toBeGreaterThan(0);
      const { expected, found } = await readIds();
      expect(found).toEqual(expected);
      expect(await logs.requestLog.deleteExpired(system, days, nowMs, signal)).toEqual({
        partitions: 0,
        rows: 0,
      });
    }
  });
});
