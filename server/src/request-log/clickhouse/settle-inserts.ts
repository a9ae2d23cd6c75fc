import type { ClickhouseConnection } from './connection.ts';
import { onAllReplicas, quote } from './log-tables.ts';
import { toRowId, toUuid } from './row-id.ts';

const timeoutMs = 10_000;

/**
 * Cancels inserts of a previous attempt, whose query ids start with `prefix`, so that they add no rows later. In a
 * cluster, also waits until all available replicas have what any replica has committed. Fails if a row is only on an
 * unavailable replica.
 */
export async function settleInserts(connection: ClickhouseConnection, prefix: string): Promise<void> {
  const { tables, user } = connection;
  if (tables.cluster === null) {
    const isOwn = `user = currentUser() AND startsWith(query_id, ${quote(prefix)})`;
    return connection.run(`KILL QUERY WHERE ${isOwn} SYNC`, { timeoutMs });
  }
  // On a shard, an insert runs under a different query id and, if the cluster has no secret, as a different user.
  const isOwn = `initial_user = ${quote(user)} AND startsWith(initial_query_id, ${quote(prefix)})`;
  await connection.run(`KILL QUERY${tables.onCluster} WHERE ${isOwn} SYNC`, { timeoutMs });
  await syncReplicas(connection);
}

/**
 * Waits until all available replicas have what any replica has committed. Fails if a row is only on an unavailable
 * replica.
 */
export async function syncReplicas({ run, tables }: ClickhouseConnection): Promise<void> {
  if (tables.cluster === null) return;
  await run(`SYSTEM SYNC REPLICA${tables.onCluster} ${tables.database}.${tables.stored} LIGHTWEIGHT`, {
    timeoutMs,
  });
}

/**
 * Returns a condition that matches the given ids. Requires at least one id. The bounds limit the range that
 * ClickHouse reads, which a set of ids alone does not.
 */
export function isOneOfIds(ids: readonly string[]) {
  const rowIds = ids.map(toRowId);
  const lowest = rowIds.reduce((one, other) => (one < other ? one : other));
  const highest = rowIds.reduce((one, other) => (one > other ? one : other));
  return {
    isOne: 'id >= {lowest:UInt128} AND id <= {highest:UInt128} AND id IN {ids:Array(UInt128)}',
    params: { ids: rowIds, lowest, highest },
  };
}

/**
 * Returns the subset of ids that have a row on any available replica. Rejects if a whole shard is unavailable.
 * `tenantIds` are the tenants of the requests, if known.
 */
export async function selectExisting(
  connection: ClickhouseConnection,
  ids: readonly string[],
  tenantIds: readonly number[] | null = null,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const { tables } = connection;
  const { isOne, params: idParams } = isOneOfIds(ids);
  const params = { ...idParams, ...(tenantIds && { tenants: tenantIds }) };
  const isNear = tenantIds ? 'tenant_id IN {tenants:Array(Int32)} AND ' : '';
  const selectFrom = (table: string) => `SELECT id FROM ${table} WHERE ${isNear}${isOne}`;
  const rows = await connection.read<{ id: string }>(selectFrom('request_logs'), { params });
  // A replica that has lost its Keeper connection serves reads without the latest rows.
  const onReplicas =
    tables.cluster === null
      ? []
      : await connection.read<{ id: string }>(selectFrom(onAllReplicas(tables)), {
          params,
          settings: { skip_unavailable_shards: 1 },
        });
  return [...new Set([...rows, ...onReplicas].map(({ id }) => id))].map(toUuid);
}
