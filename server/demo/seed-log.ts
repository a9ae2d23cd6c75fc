import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { listDayIndexes } from '#db/log-partitions/day-indexes.ts';
import { attachDay, type DayPartition, dayOf, dayPartition } from '#db/log-partitions/day-partition.ts';
import { dateAuditEntries } from './date-audit-entries.ts';
import { judgeRows } from './judge-rows.ts';
import { insertBodies, insertRollups, insertRows } from './log-rows.ts';
import { refuseRows, setDailyQuotas, tokensPerRow } from './refusals.ts';
import { seedBudgets } from './seed-budgets.ts';
import type { InvitationLinks } from './seed-invitations.ts';
import { seedOpenWork } from './seed-open-work.ts';
import { collectSenders } from './seed-people.ts';
import { seedShadowRun } from './seed-shadow-run.ts';
import { settleCounters } from './settle-counters.ts';

type Connection = pg.Client | pg.PoolClient;

export interface SeedLogOptions {
  readonly rows: number;
  /** Number of days, including today. */
  readonly days: number;
  /** Number of newest days whose rows have texts. */
  readonly bodyDays: number;
  readonly nowMs: number;
  /** Secrets and origin of the links in invitations. Without them, no users are invited. */
  readonly links?: InvitationLinks;
  /**
   * Whether responses contain many rare words like real responses, so that searches read a realistic amount of data.
   */
  readonly hasRareWords?: boolean;
  readonly others?: readonly Connection[];
  onDay?(done: { day: number; rows: number }): void;
}

const dayMs = 86_400_000;
const weekendShare = 0.35;

/**
 * Fills the request log and its rollups for the users of `seedPeople`. A past day is filled before its partition is
 * attached, so that indexes are built in one pass. Requires exclusive use of the connections.
 */
export async function seedLog(client: Connection, options: SeedLogOptions): Promise<void> {
  const { days, bodyDays, nowMs, links, hasRareWords = false, others = [], onDay } = options;
  const today = dayOf(nowMs);
  const waiting = spread(options);
  await collectSenders(client);
  await setDailyQuotas(client, Math.max(...waiting.map(({ rows }) => rows)));
  const taskShare = await findTaskShare(client, options.rows);
  let judged = Promise.resolve();
  const fillDays = async (connection: Connection) => {
    await connection.query(
      "SET synchronous_commit = off; SET work_mem = '64MB'; SET maintenance_work_mem = '256MB'",
    );
    await collectSenders(connection);
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { day, rows } = next;
      const before = judged;
      const { promise, resolve } = Promise.withResolvers<void>();
      judged = promise;
      const untilMs = Math.min((day + 1) * dayMs, nowMs);
      await fillDay(connection, {
        day,
        rows,
        taskShare,
        untilMs,
        hasBodies: day > today - bodyDays,
        hasRareWords,
        isOver: day < today,
        judge: async () => {
          await before;
          await judgeRows(connection);
          resolve();
        },
      });
      onDay?.({ day: day - today + days, rows });
    }
  };
  await Promise.all([client, ...others].map(fillDays));
  await settleCounters(client, nowMs);
  await seedBudgets(client, nowMs);
  await seedOpenWork(client, nowMs, links);
  await seedShadowRun(client, nowMs);
  await dateAuditEntries(client);
  await client.query('ANALYZE request_logs, request_log_bodies, usage_rollups, usage_days');
}

/** Returns rows per day, oldest first. The numbers add up to the requested total. */
export function spread({
  rows,
  days,
  nowMs,
}: Pick<SeedLogOptions, 'rows' | 'days' | 'nowMs'>): { day: number; rows: number }[] {
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

/** The share is low enough that no user exceeds a task's limit. All other requests are API access. */
async function findTaskShare(client: Connection, rows: number): Promise<number> {
  const { rows: counted } = await client.query<{ people: number }>(
    'SELECT count(*)::int AS people FROM demo_people',
  );
  const ofBusiest = (1 / (counted[0]?.people ?? 1)) ** (1 / 1.7);
  return Math.min(0.3, taskTokens / (rows * ofBusiest * tokensPerRow));
}

const taskTokens = 500_000;

interface Day {
  readonly day: number;
  readonly rows: number;
  readonly taskShare: number;
  readonly untilMs: number;
  readonly hasBodies: boolean;
  readonly hasRareWords: boolean;
  readonly isOver: boolean;
  /** The previous day must have been judged before. */
  judge(): Promise<void>;
}

async function fillDay(
  client: Connection,
  { day, rows, taskShare, untilMs, hasBodies, hasRareWords, isOver, judge }: Day,
): Promise<void> {
  await client.query('TRUNCATE demo_day');
  await client.query(insertRows, [rows, day * dayMs, untilMs, taskShare]);
  await refuseRows(client);
  await judge();
  const logs = await openDay(client, 'request_logs', day);
  await client.query(`INSERT INTO ${logs.table} SELECT * FROM demo_day ORDER BY id`);
  await client.query(insertRollups(logs.table), [logs.partition.from, logs.partition.to]);
  const bodies = await openDay(client, 'request_log_bodies', day);
  if (hasBodies) await client.query(insertBodies(bodies.table, hasRareWords));
  await logs.close();
  await bodies.close();
  if (!isOver)
    await client.query('SELECT make_text_blocks($1, $2)', [bodies.partition.from, bodies.partition.to]);
  else
    for (const { name, definition } of [
      ...listDayIndexes('request_logs', logs.partition.table),
      ...listDayIndexes('request_log_bodies', bodies.partition.table),
    ])
      await client.query(`CREATE INDEX IF NOT EXISTS ${name} ${definition}`);
}

interface OpenDay {
  readonly partition: DayPartition;
  readonly table: string;
  close(): Promise<void>;
}

/** Creates a table without indexes, or returns the parent if the day already has its partition. */
async function openDay(client: Connection, parent: string, day: number): Promise<OpenDay> {
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
  return {
    partition,
    table,
    close: async () => {
      await buildIndexes(client, parent, table);
      await attachDay(drizzle({ client }), parent, partition);
    },
  };
}

/**
 * Creates the indexes of the parent table. Missing indexes would be built during the attachment, which blocks the
 * attachment of other days.
 */
async function buildIndexes(client: Connection, parent: string, table: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT CASE WHEN indisprimary THEN format('ALTER TABLE %I ADD PRIMARY KEY (id)', $2::text)
       ELSE regexp_replace(pg_get_indexdef(indexrelid), 'INDEX .* USING', format('INDEX ON %I USING', $2::text)) END AS statement
     FROM pg_index WHERE indrelid = $1::regclass`,
    [parent, table],
  );
  for (const { statement } of rows) await client.query(statement);
}
