import { createPool } from '#db/pool.ts';
import { prepareClickhouse } from '#request-log/clickhouse/clickhouse-request-log.ts';
import { connect } from '#request-log/clickhouse/connection.ts';
import { moveLog, openMove } from '#request-log/move/move-log.ts';
import { type Chdb, clickhouseProblem, startChdb } from './start-chdb.ts';

const isWanted = process.env.SLUICE_TEST_LOG_STORE === 'clickhouse';

/** One engine for all servers of a process. Each server has its own database in the engine. */
let engine: Promise<Chdb> | undefined;
let databases = 0;

export interface TestLogStore {
  /** ClickHouse URL; `null` if the request log is in PostgreSQL. */
  readonly url: string | null;
  moveRows(): Promise<void>;
}

/**
 * Opens the request log store of a test server. With `SLUICE_TEST_LOG_STORE=clickhouse`, existing rows of the
 * database are moved to ClickHouse.
 */
export async function openTestLogStore(connectionString: string): Promise<TestLogStore> {
  if (!isWanted || clickhouseProblem !== null) return { url: null, moveRows: async () => {} };
  engine ??= startChdb();
  const { url: address } = await engine;
  const url = address.replace(/default$/, `log_${++databases}`);
  const first = connect(address);
  await first.run(`CREATE DATABASE log_${databases}`);
  await first.close();
  await prepareClickhouse(url);
  const moveRows = () => moveAll(connectionString, url);
  await moveRows();
  return { url, moveRows };
}

async function moveAll(connectionString: string, url: string): Promise<void> {
  const connection = connect(url);
  const pool = createPool(connectionString, 2, 'sluice-test');
  const move = openMove(pool, connection, { to: 'clickhouse', isClickhouseInUse: true });
  const pace = { rowsPerSecond: 1_000_000, batchRows: 1_000, onProgress: () => {} };
  const differing = await moveLog(move, { nowMs: Date.now(), ...pace });
  await pool.end();
  await connection.close();
  if (differing.length > 0) throw new Error('the request log of the test differs after it was moved');
}
