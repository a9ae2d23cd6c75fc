import { randomUUID } from 'node:crypto';
import type { DayRange, DeletedUser, MovedRow, MoveSide } from '#db/log-moves/move-side.ts';
import { byTenant, clickhouseSums } from '#db/log-moves/sums.ts';
import { dayOf } from '#db/log-partitions/day-partition.ts';
import type { ClickhouseConnection } from '../clickhouse/connection.ts';
import { onAllReplicas } from '../clickhouse/log-tables.ts';
import { toRowId, toUuid } from '../clickhouse/row-id.ts';
import { selectExisting, settleInserts } from '../clickhouse/settle-inserts.ts';
import { createTables } from '../clickhouse/tables.ts';

const timeoutMs = 600_000;
const insertPrefix = 'sluice-move/';

const rangeParams = ({ first, end }: DayRange) => ({ first: toRowId(first), end: toRowId(end) });
const isInRange = 'id >= {first:UInt128} AND id < {end:UInt128}';

/** Reads rows in key order. */
export function openClickhouseSide(connection: ClickhouseConnection): MoveSide {
  const { onCluster, stored } = connection.tables;
  const changeIn = (range: DayRange, condition: string) =>
    deleteWhere(connection, `${literalRange(range)} AND ${condition}`);
  return {
    prepareDay: async () => {},
    async settle() {
      await createTables(connection);
      await settleInserts(connection, insertPrefix);
    },
    countDays: () => countDays(connection),
    readBatch: (...args) => readBatch(connection, ...args),
    insertMissing: (rows) => insertMissing(connection, rows),
    async sumTenants(range, rows) {
      const sums = await connection.read<{ tenant: number }>(
        `SELECT tenant_id AS tenant, ${clickhouseSums} FROM request_logs
         WHERE ${isInRange} ${rows ? 'AND id IN {ids:Array(UInt128)}' : ''} GROUP BY tenant`,
        {
          params: { ...rangeParams(range), ...(rows && { ids: rows.map(({ id }) => toRowId(id)) }) },
          timeoutMs,
        },
      );
      return byTenant(sums);
    },
    deleteTenants: (range, tenantIds) => changeIn(range, `tenant_id IN (${tenantIds.map(Number).join()})`),
    async listObjects(range, users) {
      const found = await connection.read<{ object: string }>(
        `SELECT DISTINCT assumeNotNull(body_object) AS object FROM ${onAllReplicas(connection.tables)}
         WHERE ${literalRange(range)} AND body_object IS NOT NULL AND ${isOneOf(users)}`,
        { timeoutMs },
      );
      return found.map(({ object }) => object);
    },
    deleteUsers: (range, users) => changeIn(range, isOneOf(users)),
    deleteRows: (rows) => deleteWhere(connection, `id IN (${rows.map(({ id }) => literalId(id)).join()})`),
    async dropDay(range, rowCount) {
      // A node that still writes to ClickHouse may add rows to the last two days between the count and the drop.
      if (range.day >= dayOf(Date.now()) - 1) return false;
      const [found] = await connection.read<{ count: string }>(
        `SELECT count() AS count FROM request_logs WHERE ${isInRange}`,
        { params: rangeParams(range), timeoutMs },
      );
      if (Number(found?.count ?? 0) !== rowCount) return false;
      const date = new Date(range.day * 86_400_000).toISOString().slice(0, 10);
      await connection.run(`ALTER TABLE ${stored}${onCluster} DROP PARTITION '${date}'`);
      return true;
    },
  };
}

const isOneOf = (users: readonly DeletedUser[]) =>
  `(tenant_id, user_id) IN (${users.map(({ tenantId, userId }) => `(${Number(tenantId)}, ${Number(userId)})`).join()})`;

/** ClickHouse would round a numeric literal longer than 64 bits. */
const literalId = (id: string) => `toUInt128('${toRowId(id)}')`;
const literalRange = ({ first, end }: DayRange) => `id >= ${literalId(first)} AND id < ${literalId(end)}`;

/** Deletes the matching rows. Skips the statement if no row matches, because a deletion rewrites parts. */
async function deleteWhere(connection: ClickhouseConnection, condition: string): Promise<void> {
  const { onCluster, stored } = connection.tables;
  const found = await connection.read(`SELECT 1 FROM request_logs WHERE ${condition} LIMIT 1`, { timeoutMs });
  if (found.length > 0) await connection.run(`DELETE FROM ${stored}${onCluster} WHERE ${condition}`);
}

async function countDays(connection: ClickhouseConnection): Promise<Map<number, number>> {
  const days = await connection.read<{ day: string; count: string }>(
    'SELECT intDiv(toInt64(bitShiftRight(id, 80)), 86400000) AS day, count() AS count FROM request_logs GROUP BY day',
    { timeoutMs },
  );
  return new Map(days.map(({ day, count }) => [Number(day), Number(count)]));
}

async function readBatch(
  connection: ClickhouseConnection,
  range: DayRange,
  position: string | null,
  rowsMax: number,
) {
  const [tenant, id] = position?.split('/') ?? [];
  const isBehind =
    tenant === undefined || id === undefined
      ? ''
      : 'AND tenant_id >= {tenant:Int32} AND (tenant_id > {tenant:Int32} OR id > {last:UInt128})';
  const stored = await connection.read<MovedRow>(
    `SELECT * FROM request_logs WHERE ${isInRange} ${isBehind} ORDER BY tenant_id, id LIMIT ${rowsMax}`,
    {
      params: {
        ...rangeParams(range),
        ...(tenant !== undefined && id !== undefined && { tenant: Number(tenant), last: toRowId(id) }),
      },
      timeoutMs,
    },
  );
  const rows = stored.map((row) => ({ ...row, id: toUuid(row.id) }));
  const last = rows.at(-1);
  return { rows, position: last ? `${last.tenant_id}/${last.id}` : null };
}

async function insertMissing(connection: ClickhouseConnection, rows: readonly MovedRow[]): Promise<void> {
  const existing = new Set(
    await selectExisting(
      connection,
      rows.map(({ id }) => id),
      [...new Set(rows.map(({ tenant_id }) => tenant_id))],
    ),
  );
  const missing = rows.filter(({ id }) => !existing.has(id));
  if (missing.length === 0) return;
  await connection.insert(
    'request_logs',
    missing.map((row) => ({ ...row, id: String(toRowId(row.id)) })),
    // Use a new token, so that rows copied again after a deletion do not count as a repeated insert.
    { token: randomUUID(), queryId: `${insertPrefix}${randomUUID()}` },
  );
}
