import {
  openClickhouseRequestLog,
  prepareClickhouse,
} from '#request-log/clickhouse/clickhouse-request-log.ts';
import { type ClickhouseConnection, connect } from '#request-log/clickhouse/connection.ts';
import type { RequestLog } from '#request-log/request-log.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { copyLog } from './copy-log.ts';
import { addLogTenant, insertRandomRows, type LogTenant, type Random } from './random-log.ts';
import { startChdb, testedStore } from './start-chdb.ts';

export interface BothLogs {
  readonly database: TestDatabase;
  readonly connection: ClickhouseConnection;
  readonly requestLog: RequestLog;
  readonly home: LogTenant;
  readonly other: LogTenant;
  readonly ids: readonly string[];
  readonly foreignIds: readonly string[];
  close(): Promise<void>;
}

export const daysOfRows = 20;

/** `prepare` is called before the rows are copied to ClickHouse. */
export async function openBothLogs(
  random: Random,
  rowCount: number,
  prepare: (database: TestDatabase, home: LogTenant) => Promise<void> = async () => {},
): Promise<BothLogs> {
  const engine = await startChdb(testedStore);
  const database = await createTestDatabase();
  const { pool } = database;
  await prepareClickhouse(engine.url);
  const connection = connect(engine.url);
  const requestLog = openClickhouseRequestLog(engine.url);
  const home = await addLogTenant(pool, 'Home', 'Asia/Kathmandu');
  const other = await addLogTenant(pool, 'Other', 'UTC');
  const rows = { days: daysOfRows, nowMs: Date.now() };
  const ids = await insertRandomRows(pool, home, random, { ...rows, count: rowCount });
  const foreignIds = await insertRandomRows(pool, other, random, { ...rows, count: 200 });
  await pool.query(
    "SELECT make_text_blocks('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff')",
  );
  await pool.query('ANALYZE');
  await prepare(database, home);
  await copyLog(pool, connection);
  await requestLog.indexDays(rows.nowMs, new AbortController().signal);
  return {
    ...{ database, connection, requestLog, home, other, ids, foreignIds },
    async close() {
      await requestLog.close();
      await connection.close();
      await engine.close();
      await database.close();
    },
  };
}
