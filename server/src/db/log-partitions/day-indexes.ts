import type pg from 'pg';
import { dayPartition } from './day-partition.ts';

/** Indexes for past days only. Updating an index with each row costs more than building the index once. */
const definitions = {
  request_log_bodies: { text: 'USING gin (prompt gin_trgm_ops, response gin_trgm_ops)' },
  request_logs: {
    model: '(tenant_id, model, id DESC)',
    provider: '(tenant_id, provider_key, id DESC)',
    intent: '(tenant_id, intent_classification, id DESC)',
    cost: '(tenant_id, cost_nano_usd)',
    tokens: '(tenant_id, (prompt_tokens + completion_tokens))',
    response_time: '(tenant_id, response_time_ms)',
  },
};
const bloom = 'text_bloom_ops (n_distinct_per_range = 32)';
/** Index of the values in ranges of about 200 rows of the current day. Inserts do not add new ranges to the index. */
const rangesIndex = `USING brin (model ${bloom}, provider_key ${bloom}, intent_classification ${bloom}, cost_nano_usd,
  (prompt_tokens + completion_tokens), response_time_ms) WITH (pages_per_range = 16)`;
type IndexedTable = keyof typeof definitions;

interface DayIndex {
  readonly name: string;
  readonly definition: string;
}

export interface UnindexedDay {
  readonly table: string;
  readonly indexes: readonly DayIndex[];
}

export function listDayIndexes(parent: IndexedTable, table: string): DayIndex[] {
  return Object.entries(definitions[parent]).map(([suffix, keys]) => ({
    name: `${table}_${suffix}`,
    definition: `ON ${table} ${keys}`,
  }));
}

/**
 * Returns days before `today` that lack indexes. Text partitions are first, oldest day first, as searches expect; row
 * partitions follow, newest day first.
 */
export async function listUnindexed(client: pg.ClientBase, today: number): Promise<UnindexedDay[]> {
  const texts = await listOf(client, 'request_log_bodies', today);
  const rows = await listOf(client, 'request_logs', today);
  return [...texts, ...rows.toReversed()];
}

async function listOf(client: pg.ClientBase, parent: IndexedTable, today: number): Promise<UnindexedDay[]> {
  const { rows } = await client.query<{ table: string; present: string[] }>(selectDays, [
    parent,
    dayPartition(parent, today).table,
  ]);
  const days = rows.map(({ table, present }) => ({
    table,
    indexes: listDayIndexes(parent, table).filter(({ name }) => !present.includes(name)),
  }));
  return days.filter(({ indexes }) => indexes.length > 0);
}

const selectDays = `SELECT day.relname AS "table", ARRAY(
    SELECT index.relname::text FROM pg_index JOIN pg_class index ON index.oid = indexrelid WHERE indrelid = day.oid AND indisvalid
  ) AS present
  FROM pg_inherits JOIN pg_class day ON day.oid = inhrelid
  WHERE inhparent = $1::regclass AND day.relname ~ '_[0-9]{8}$' AND day.relname < $2 ORDER BY 1`;

export async function indexDay(client: pg.ClientBase, { table, indexes }: UnindexedDay): Promise<void> {
  await build(client, indexes);
  await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${rangesOf(table)}`);
  // Collect statistics of the indexed expressions now: a day without new rows may never be analyzed by autovacuum.
  await client.query(`ANALYZE ${table}`);
}

/** Builds indexes without a timeout and without blocking writes. */
async function build(client: pg.ClientBase, indexes: readonly DayIndex[]): Promise<void> {
  await client.query("SET statement_timeout = 0; SET maintenance_work_mem = '256MB'");
  for (const { name, definition } of indexes) {
    // An interrupted build leaves an invalid index behind.
    await client.query(`DROP INDEX IF EXISTS ${name}`);
    await client.query(`CREATE INDEX CONCURRENTLY ${name} ${definition}`);
  }
}

/**
 * Adds the newest rows of the current day to its range index. Creates the index if necessary. Searches also find rows
 * that are not indexed yet.
 */
export async function indexRanges(client: pg.ClientBase, today: number): Promise<void> {
  const { table } = dayPartition('request_logs', today);
  const name = rangesOf(table);
  const { rows } = await client.query<{ exists: boolean; indexed: boolean }>(selectState, [table, name]);
  const [state] = rows;
  if (state?.indexed) await client.query('SELECT brin_summarize_new_values($1)', [name]);
  else if (state?.exists) await build(client, [{ name, definition: `ON ${table} ${rangesIndex}` }]);
}

const rangesOf = (table: string) => `${table}_ranges`;
const selectState = `SELECT to_regclass($1) IS NOT NULL AS exists,
  EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass($2) AND indisvalid) AS indexed`;

/**
 * Returns the day after the last day whose texts are indexed, or `null` if no day is indexed. Searches read no blocks
 * of earlier days.
 */
export async function findIndexedBefore(client: pg.ClientBase): Promise<number | null> {
  const { rows } = await client.query<{ day: number | null }>(
    "SELECT (uuid_instant(log_texts_indexed_before()) AT TIME ZONE 'UTC')::date - date '1970-01-01' AS day",
  );
  return rows[0]?.day ?? null;
}
