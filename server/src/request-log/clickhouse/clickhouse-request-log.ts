import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { tenants } from '#db/schema/tenants.ts';
import { users } from '#db/schema/users.ts';
import type {
  AwaitedRequest,
  FailedInstance,
  FoundRequest,
  RequestLog,
  TailFilter,
  TailRow,
} from '../request-log.ts';
import { ClickhouseLog } from './clickhouse-log.ts';
import { all, type Condition, isOneOf } from './conditions.ts';
import { type ClickhouseConnection, connect } from './connection.ts';
import { deleteExpired, deleteOfUser } from './delete-rows.ts';
import { guardReads } from './guard-reads.ts';
import { indexDays } from './log-indexes.ts';
import { findExisting, findPlaced, hasAllRows, listObjectsOfUser } from './placed-rows.ts';
import { floorOf, msOf, toRowId, toUuid } from './row-id.ts';
import { decodeFigures, figureColumns, type StoredFigures } from './single-requests.ts';
import { createTables } from './tables.ts';

/** Connects on first use. */
export function openClickhouseRequestLog(url: string): RequestLog {
  const connection = connect(url);
  const guarded = guardReads(connection);
  return {
    openTenant: (tx, tenantId) => new ClickhouseLog(guarded, tx, tenantId),
    deleteExpired: (...args) => deleteExpired(connection, ...args),
    deleteOfUser: (...args) => deleteOfUser(connection, ...args),
    listObjectsOfUser: (...args) => listObjectsOfUser(connection, ...args),
    findPlaced: (...args) => findPlaced(connection, ...args),
    findExisting: (...args) => findExisting(connection, ...args),
    hasAllRows: (...args) => hasAllRows(connection, ...args),
    findAwaited: (_, awaited) => findAwaited(connection, awaited),
    listRecovered: (database, failed) => listRecovered(connection, database, failed),
    selectNewest: (database, filter, limit) => selectNewest(connection, database, filter, limit),
    indexDays: (nowMs, signal) => indexDays(connection, nowMs, signal),
    close: connection.close,
  };
}

export async function prepareClickhouse(url: string): Promise<void> {
  const connection = connect(url);
  try {
    await createTables(connection);
  } finally {
    await connection.close();
  }
}

async function findAwaited(
  connection: ClickhouseConnection,
  awaited: readonly AwaitedRequest[],
): Promise<FoundRequest[]> {
  const keyOf = (tenantId: number, clientRequestId: string) => `${tenantId} ${clientRequestId}`;
  const awaitedByKey = new Map(
    awaited.map((request) => [keyOf(request.tenantId, request.clientRequestId), request]),
  );
  const found = await connection.read<
    StoredFigures & { id: string; tenantId: number; clientRequestId: string }
  >(
    `SELECT id, tenant_id AS "tenantId", assumeNotNull(client_request_id) AS "clientRequestId", ${figureColumns}
     FROM request_logs
     WHERE tenant_id IN {tenants:Array(Int32)} AND client_request_id IN {clients:Array(String)}
       AND id >= {first:UInt128} AND id < {end:UInt128}`,
    {
      params: {
        tenants: [...new Set(awaited.map(({ tenantId }) => tenantId))],
        clients: awaited.map(({ clientRequestId }) => clientRequestId),
        first: floorOf(Math.min(...awaited.map(({ since }) => since.getTime()))),
        end: floorOf(Math.max(...awaited.map(({ until }) => until.getTime()))),
      },
    },
  );
  return found.flatMap((row) => {
    const request = awaitedByKey.get(keyOf(row.tenantId, row.clientRequestId));
    const ms = msOf(BigInt(row.id));
    if (!request || ms < request.since.getTime() || ms >= request.until.getTime()) return [];
    return [{ ...decodeFigures(row), id: toUuid(row.id) }];
  });
}

async function listRecovered<Failed extends FailedInstance>(
  connection: ClickhouseConnection,
  database: NodePgDatabase,
  failed: readonly Failed[],
): Promise<Failed[]> {
  const { rows } = await database.execute<{ id: string }>(sql`
    SELECT uuid_floor(seen::timestamptz)::text AS id
    FROM jsonb_array_elements_text(${JSON.stringify(failed.map(({ seenAt }) => seenAt))}::jsonb) WITH ORDINALITY seen_at (seen, place)
    ORDER BY place`);
  const since = rows.map(({ id }) => toRowId(id));
  const newest = await connection.read<{ tenantId: number; instance: number; last: string }>(
    `SELECT tenant_id AS "tenantId", assumeNotNull(llm_provider_id) AS instance, max(id) AS last FROM request_logs
     WHERE tenant_id IN {tenants:Array(Int32)} AND llm_provider_id IN {instances:Array(Int32)} AND status = 'success'
       AND id >= {first:UInt128}
     GROUP BY tenant_id, instance`,
    {
      params: {
        tenants: failed.map(({ tenantId }) => tenantId),
        instances: failed.map(({ llmProviderId }) => llmProviderId),
        first: since.reduce((first, id) => (id < first ? id : first)),
      },
    },
  );
  return failed.filter(({ tenantId, llmProviderId }, place) => {
    const last = newest.find((row) => row.tenantId === tenantId && row.instance === llmProviderId)?.last;
    return last !== undefined && BigInt(last) >= (since[place] ?? 0n);
  });
}

type StoredTail = Omit<TailRow, 'tenant' | 'email' | 'received_at'> & {
  readonly tenantId: number;
  readonly userId: number | null;
  readonly micros: string;
};

async function selectNewest(
  connection: ClickhouseConnection,
  database: NodePgDatabase,
  { email, tenantSlug, model, status }: TailFilter,
  limit: number,
): Promise<TailRow[]> {
  const ofUser = email === undefined ? [] : [await idsOf(database, 'users', 'email', email, 'user_id')];
  const ofTenant =
    tenantSlug === undefined ? [] : [await idsOf(database, 'tenants', 'slug', tenantSlug, 'tenant_id')];
  const is = (column: string, name: string, value: string | undefined): Condition[] =>
    value === undefined ? [] : [{ sql: `${column} = {${name}:String}`, params: { [name]: value } }];
  const { sql: condition, params } = all([
    ...ofUser,
    ...ofTenant,
    ...is('status', 'status', status),
    ...is('coalesce(model, model_requested)', 'model', model),
  ]);
  const newest = await connection.read<StoredTail>(
    `SELECT id, toUnixTimestamp64Micro(received_at) AS micros, tenant_id AS "tenantId", user_id AS "userId",
       provider_instance_name AS provider, coalesce(model, model_requested) AS model, status, http_status, error_code,
       prompt_tokens, completion_tokens, response_time_ms
     FROM request_logs WHERE ${condition} ORDER BY id DESC LIMIT ${limit}`,
    { params },
  );
  const slugs = new Map(
    (await database.select({ id: tenants.id, slug: tenants.slug }).from(tenants)).map(({ id, slug }) => [
      id,
      slug,
    ]),
  );
  const emails = await readEmails(database, newest);
  return newest.toReversed().map(({ tenantId, userId, micros, ...row }) => ({
    ...row,
    id: toUuid(row.id),
    received_at: new Date(Number(micros) / 1000).toISOString(),
    tenant: slugs.get(tenantId) ?? '',
    email: userId === null ? null : (emails.get(userId) ?? null),
  }));
}

async function idsOf(
  database: NodePgDatabase,
  table: 'users' | 'tenants',
  column: string,
  value: string,
  rowColumn: string,
): Promise<Condition> {
  const { rows } = await database.execute<{ id: number }>(
    sql`SELECT id FROM ${sql.identifier(table)} WHERE ${sql.identifier(column)} = ${value}`,
  );
  return isOneOf(
    rowColumn,
    table,
    rows.map(({ id }) => id),
  );
}

async function readEmails(
  database: NodePgDatabase,
  rows: readonly StoredTail[],
): Promise<Map<number, string>> {
  const ids = rows.flatMap(({ userId }) => userId ?? []);
  const found = await database
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(sql`${users.id} = ANY (${`{${ids.join()}}`}::integer[])`);
  return new Map(found.map(({ id, email }) => [id, email]));
}
