import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { attachDay } from '#db/log-partitions/attach-day.ts';
import { type DayPartition, dayOf, dayPartition } from '#db/log-partitions/day-partition.ts';
import { insertBodies, insertRollups, insertRows, updateScores } from './log-rows.ts';

export interface SeedLogOptions {
  readonly rows: number;
  /** Over so many days, today being the last. */
  readonly days: number;
  /** The newest days, whose rows have their texts. */
  readonly bodyDays: number;
  readonly nowMs: number;
  onDay?(done: { day: number; rows: number }): void;
}

const dayMs = 86_400_000;
/** What weekends have of the traffic of a working day. */
const weekendShare = 0.35;

/**
 * Fills the request log and its rollups for the people that `seedPeople` has made. A past day is filled before it is
 * attached, so that its indexes are built in one go. Needs the connection for itself.
 */
export async function seedLog(client: pg.Client | pg.PoolClient, options: SeedLogOptions): Promise<void> {
  const { days, bodyDays, nowMs, onDay } = options;
  await client.query(
    "SET synchronous_commit = off; SET work_mem = '64MB'; SET maintenance_work_mem = '256MB'",
  );
  const today = dayOf(nowMs);
  for (const { day, rows } of spread(options)) {
    const untilMs = Math.min((day + 1) * dayMs, nowMs);
    await fillDay(client, { day, rows, untilMs, hasBodies: day > today - bodyDays });
    onDay?.({ day: day - today + days, rows });
  }
  await client.query(updateScores);
  await client.query('ANALYZE request_logs, request_log_bodies, usage_rollups');
}

/** The rows of each day, oldest first; all of them add up to what was asked for. */
function spread({ rows, days, nowMs }: SeedLogOptions): { day: number; rows: number }[] {
  const today = dayOf(nowMs);
  const weights = Array.from({ length: days }, (_, step) => {
    const day = today - days + 1 + step;
    const isWeekend = [0, 6].includes(new Date(day * dayMs).getUTCDay());
    const weight = isWeekend ? weekendShare : 1;
    return { day, weight: day === today ? (weight * (nowMs % dayMs)) / dayMs : weight };
  });
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  let before = 0;
  let given = 0;
  return weights.map(({ day, weight }) => {
    before += weight;
    const upTo = Math.round((rows * before) / total);
    const ofDay = upTo - given;
    given = upTo;
    return { day, rows: ofDay };
  });
}

interface Day {
  readonly day: number;
  readonly rows: number;
  readonly untilMs: number;
  readonly hasBodies: boolean;
}

async function fillDay(
  client: pg.Client | pg.PoolClient,
  { day, rows, untilMs, hasBodies }: Day,
): Promise<void> {
  const logs = await openDay(client, 'request_logs', day);
  await client.query(insertRows(logs.table), [rows, day * dayMs, untilMs]);
  await client.query(insertRollups(logs.table), [logs.partition.from, logs.partition.to]);
  const bodies = await openDay(client, 'request_log_bodies', day);
  if (hasBodies)
    await client.query(insertBodies(logs.table, bodies.table), [logs.partition.from, logs.partition.to]);
  await logs.close();
  await bodies.close();
}

interface OpenDay {
  readonly partition: DayPartition;
  /** Where the day's rows are written. */
  readonly table: string;
  close(): Promise<void>;
}

/** A table without indexes yet, or the parent when the day has its partition already. */
async function openDay(client: pg.Client | pg.PoolClient, parent: string, day: number): Promise<OpenDay> {
  const partition = dayPartition(parent, day);
  const { rows } = await client.query<{ isThere: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS "isThere"',
    [partition.table],
  );
  if (rows[0]?.isThere) return { partition, table: parent, close: async () => undefined };
  const { table, from, to } = partition;
  await client.query(
    `CREATE TABLE ${table} (LIKE ${parent} INCLUDING DEFAULTS INCLUDING CONSTRAINTS, CONSTRAINT own_day CHECK (id >= '${from}' AND id < '${to}'))`,
  );
  return { partition, table, close: () => attachDay(drizzle({ client }), parent, partition) };
}
