import type pg from 'pg';
import { compressText } from '#domain/compressed-text.ts';
import { withConnection } from '../held-connection.ts';
import { dayPartition, defaultOf } from '../log-partitions/day-partition.ts';
import type { DayRange, DeletedUser, MovedRow, MoveSide } from './move-side.ts';
import { insertRows } from './postgres-rows.ts';
import { byTenant, postgresSums } from './sums.ts';

/**
 * Tables in deletion order: search blocks reference texts, and texts reference rows. The id of a block is the id of
 * its first row.
 */
const parents = ['request_log_text_blocks', 'request_log_bodies', 'request_logs'] as const;
const lockTimeoutMs = 1_200;
const lockNotAvailable = '55P03';

/** Reads rows in id order. */
export function openPostgresSide(pool: pg.Pool): MoveSide {
  return {
    prepareDay: (range) => createPartitions(pool, range),
    settle: async () => {},
    async countDays() {
      const { rows } = await pool.query<{ day: number; count: string }>(
        "SELECT (uuid_instant(id) AT TIME ZONE 'UTC')::date - date '1970-01-01' AS day, count(*) AS count FROM request_logs GROUP BY day",
      );
      return new Map(rows.map(({ day, count }) => [day, Number(count)]));
    },
    readBatch: (...args) => readBatch(pool, ...args),
    insertMissing: (rows) => withConnection(pool, (client) => insertRows(client, rows)),
    async sumTenants({ first, end }, given) {
      const ids = given?.map(({ id }) => id) ?? null;
      const { rows } = await pool.query(sumRows, [first, end, ids]);
      return byTenant(rows);
    },
    async deleteTenants(range, tenantIds) {
      await pool.query(
        'DELETE FROM request_log_text_blocks WHERE id >= $1 AND id < $2 AND tenant_id = ANY ($3::integer[])',
        [range.first, range.end, tenantIds],
      );
      await deleteWhere(pool, range, 'tenant_id = ANY ($3::integer[])', [tenantIds]);
    },
    async listObjects({ first, end }, users) {
      const { rows } = await pool.query<{ object: string }>(
        `SELECT DISTINCT b.body_object AS object FROM request_logs l JOIN request_log_bodies b USING (id)
         WHERE id >= $1 AND id < $2 AND body_object IS NOT NULL AND (l.tenant_id, l.user_id) IN (${listUsers})`,
        [first, end, ...toColumns(users)],
      );
      return rows.map(({ object }) => object);
    },
    deleteUsers: (range, users) =>
      deleteWhere(pool, range, `(tenant_id, user_id) IN (${listUsers})`, toColumns(users)),
    async deleteRows(rows) {
      const ids = rows.map(({ id }) => id);
      for (const table of parents)
        await pool.query(`DELETE FROM ${table} WHERE id = ANY ($1::uuid[])`, [ids]);
    },
    dropDay: (range, rowCount) => dropDay(pool, range, rowCount),
  };
}

const listUsers = 'SELECT * FROM unnest($3::integer[], $4::integer[])';
const toColumns = (users: readonly DeletedUser[]) => [
  users.map(({ tenantId }) => tenantId),
  users.map(({ userId }) => userId),
];

/** Selects the columns of ClickHouse's table, in which JSON is stored as text. */
const selectRows = `SELECT l.id, to_jsonb(l) || jsonb_build_object(
    'labels', COALESCE(l.labels, '{}'), 'price', l.price::text, 'provider_calls', l.provider_calls::text,
    'deviation_receipts', l.deviation_receipts::text, 'cost_nano_usd', l.cost_nano_usd::text,
    'received_at', to_char(l.received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'),
    'prompt', b.prompt, 'response', b.response, 'request_body', translate(encode(b.request_body_zstd, 'base64'), E'\\n', ''),
    'request_bytes', b.request_bytes, 'request_sha256', encode(b.request_sha256, 'hex'), 'response_bytes', b.response_bytes,
    'prompt_privacy', b.prompt_privacy, 'body_object', b.body_object, 'body_offset', b.body_offset,
    'body_length', b.body_length, 'is_cut', coalesce(b.is_cut, false)) AS row, b.request_body AS "plainBody"
  FROM request_logs l LEFT JOIN request_log_bodies b ON b.id = l.id AND b.id >= $1 AND b.id < $2
  WHERE l.id >= $1 AND l.id < $2 AND ($3::uuid IS NULL OR l.id > $3) ORDER BY l.id LIMIT $4`;

async function readBatch(pool: pg.Pool, { first, end }: DayRange, position: string | null, rowsMax: number) {
  const { rows: stored } = await pool.query<{ row: MovedRow; plainBody: string | null }>(selectRows, [
    first,
    end,
    position,
    rowsMax,
  ]);
  const rows = stored.map(({ row, plainBody }) =>
    plainBody === null ? row : { ...row, request_body: compress(plainBody, row.prompt) },
  );
  return { rows, position: rows.at(-1)?.id ?? null };
}

const compress = (body: string, prompt: unknown) =>
  compressText(body, typeof prompt === 'string' ? prompt : null).toString('base64');

const sumRows = `SELECT tenant, ${postgresSums} FROM (
    SELECT l.*, l.tenant_id AS tenant, b.prompt, b.response, b.request_bytes, b.response_bytes, b.prompt_privacy,
      b.body_object, b.body_offset, b.body_length, b.is_cut,
      coalesce(b.request_body_zstd, convert_to(b.request_body, 'UTF8')) AS request_body
    FROM request_logs l LEFT JOIN request_log_bodies b ON b.id = l.id AND b.id >= $1 AND b.id < $2
    WHERE l.id >= $1 AND l.id < $2 AND ($3::uuid[] IS NULL OR l.id = ANY ($3))
  ) log GROUP BY tenant`;

/** Deletes texts first, so that the row still identifies their owner if the deletion is interrupted. */
async function deleteWhere(pool: pg.Pool, { first, end }: DayRange, condition: string, values: unknown[]) {
  const isChosen = `id >= $1 AND id < $2 AND ${condition}`;
  const params = [first, end, ...values];
  await pool.query(
    `DELETE FROM request_log_bodies WHERE id >= $1 AND id < $2 AND id IN (SELECT id FROM request_logs WHERE ${isChosen})`,
    params,
  );
  await pool.query(`DELETE FROM request_logs WHERE ${isChosen}`, params);
}

/**
 * Creates the day's missing partitions. If tables remain locked, or the default partition already has rows of the
 * day, this is left to the partition job.
 */
async function createPartitions(pool: pg.Pool, range: DayRange): Promise<void> {
  for (const parent of parents) {
    const { table } = dayPartition(parent, range.day);
    await tryLocked(pool, async (client) => {
      const { rows } = await client.query(
        `SELECT FROM pg_class WHERE oid = to_regclass($1) UNION ALL (SELECT FROM ${defaultOf(parent)} WHERE id >= '${range.first}' AND id < '${range.end}' LIMIT 1)`,
        [table],
      );
      if (rows.length > 0) return;
      await client.query(
        `CREATE TABLE ${table} PARTITION OF ${parent} FOR VALUES FROM ('${range.first}') TO ('${range.end}')`,
      );
    });
  }
}

async function dropDay(pool: pg.Pool, { day, first, end }: DayRange, rowCount: number): Promise<boolean> {
  const isDropped = await tryLocked(pool, async (client) => {
    const tables = parents.map((parent) => dayPartition(parent, day).table);
    const { rows: found } = await client.query(
      'SELECT FROM unnest($1::text[]) name WHERE to_regclass(name) IS NULL',
      [tables],
    );
    if (found.length > 0) return false;
    await client.query(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
    const { rows } = await client.query(
      'SELECT count(*)::integer AS count FROM request_logs WHERE id >= $1 AND id < $2',
      [first, end],
    );
    if (rows[0]?.count !== rowCount) return false;
    await client.query(`DROP TABLE ${tables.join(', ')}`);
    return true;
  });
  return isDropped === true;
}

/** Runs work in a transaction with a short lock timeout, because a waiting lock request blocks all later requests. */
async function tryLocked<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await withConnection(pool, async (client) => {
      await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}`);
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === lockNotAvailable) return undefined;
    throw error;
  }
}
