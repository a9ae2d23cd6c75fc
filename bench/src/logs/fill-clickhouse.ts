import { spread } from '../../../server/demo/seed-log.ts';
import { collectSenders } from '../../../server/demo/seed-people.ts';
import { dayOf } from '../../../server/src/db/log-partitions/day-partition.ts';
import { type ClickhouseConnection, connect } from '../../../server/src/request-log/clickhouse/connection.ts';
import { indexDays } from '../../../server/src/request-log/clickhouse/log-indexes.ts';
import { floorOf } from '../../../server/src/request-log/clickhouse/row-id.ts';
import { insertDay, selectUsage, senderTables } from './clickhouse-rows.ts';

export interface ClickhouseFill {
  readonly rows: number;
  readonly days: number;
  readonly bodyDays: number;
  readonly nowMs: number;
}

type Client = Parameters<typeof collectSenders>[0];

const dayMs = 86_400_000;
const taskShare = 0.001;
const usageBatchRows = 5_000;

/** Fills the request log with statements that run in ClickHouse, one per day. Writes the usage sums to PostgreSQL. */
export async function fillClickhouse(url: string, client: Client, fill: ClickhouseFill): Promise<void> {
  const connection = connect(url);
  try {
    const { people, models } = await copySenders(connection, client);
    const today = dayOf(fill.nowMs);
    for (const { day, rows } of spread(fill)) {
      const fromMs = day * dayMs;
      const untilMs = Math.min(fromMs + dayMs, fill.nowMs);
      const hasTexts = day > today - fill.bodyDays;
      await connection.run(insertDay({ rows, fromMs, untilMs, taskShare, hasTexts }, people, models));
      await addUsage(connection, client, { fromMs, untilMs, hasQuarters: day === today });
      if (day % 10 === 0) console.log(`${fill.days - today + day} of ${fill.days} days are filled`);
    }
    const beganAtMs = performance.now();
    const indexed = await indexDays(connection, fill.nowMs, new AbortController().signal);
    console.log(`${indexed} days are indexed in ${((performance.now() - beganAtMs) / 1000).toFixed(0)} s`);
  } finally {
    await connection.close();
  }
}

async function copySenders(connection: ClickhouseConnection, client: Client) {
  await collectSenders(client);
  for (const statement of senderTables) await connection.run(statement);
  const copy = async (name: 'people' | 'models') => {
    const { rows } = await client.query(`SELECT * FROM demo_${name}`);
    await connection.insert(`bench_${name}`, rows, { token: name });
    return new Set(rows.map(({ place }) => place)).size;
  };
  return { people: await copy('people'), models: await copy('models') };
}

interface UsageRange {
  readonly fromMs: number;
  readonly untilMs: number;
  /**
   * Whether the day has quarter-hour sums. False for past days, since their reports read only daily sums, which a
   * trigger computes.
   */
  readonly hasQuarters: boolean;
}

async function addUsage(
  connection: ClickhouseConnection,
  client: Client,
  { fromMs, untilMs, hasQuarters }: UsageRange,
): Promise<void> {
  const params = { from: floorOf(fromMs), until: floorOf(untilMs) };
  const rows = await connection.read(selectUsage(hasQuarters), { params, timeoutMs: 300_000 });
  for (let from = 0; from < rows.length; from += usageBatchRows) {
    await client.query(
      'INSERT INTO usage_rollups SELECT * FROM jsonb_populate_recordset(NULL::usage_rollups, $1)',
      [JSON.stringify(rows.slice(from, from + usageBatchRows))],
    );
  }
}

interface ColumnSize {
  readonly part: string;
  readonly bytes: string;
}

const textColumns = "('prompt', 'response', 'request_body')";
const selectSizes = `SELECT if(column IN ${textColumns}, 'texts', 'rows') AS part, sum(column_bytes_on_disk) AS bytes
  FROM system.parts_columns WHERE active AND database = currentDatabase() AND table = 'request_logs' GROUP BY part ORDER BY part
  UNION ALL SELECT 'all with indexes', sum(bytes_on_disk)
  FROM system.parts WHERE active AND database = currentDatabase() AND table = 'request_logs'`;

export async function measureClickhouse(url: string): Promise<ReadonlyMap<string, number>> {
  const connection = connect(url);
  try {
    const sizes = await connection.read<ColumnSize>(selectSizes);
    return new Map(sizes.map(({ part, bytes }) => [part, Number(bytes)]));
  } finally {
    await connection.close();
  }
}
