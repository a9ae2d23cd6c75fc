import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { ChosenRows, LogPage } from '#domain/request-log/chosen-rows.ts';
import type { FacetCount, LogRow, LogSums } from '#domain/request-log/log-rows.ts';
import { type Condition, choose, tokens } from './conditions.ts';
import {
  decodePlace,
  decodeRow,
  placeColumns,
  rowColumns,
  type StoredPlace,
  type StoredRow,
} from './log-columns.ts';
import { findNames, readNames } from './names.ts';
import { toRowId, toUuid } from './row-id.ts';
import type { TenantReader } from './tenant-reader.ts';

/** The tenant's transaction, which knows the names, and its rows. */
export interface LogAccess {
  readonly tx: NodePgDatabase;
  readonly tenantId: number;
  readonly rows: TenantReader;
}

const conditionOf = async ({ tx, tenantId }: LogAccess, chosen: ChosenRows & Pick<LogPage, 'before'>) =>
  choose(chosen, await findNames(tx, tenantId, chosen));

/** Selects columns of the newest matching rows; the order is that of the table, which is read from its end. */
const newest = (columns: string, { sql }: Condition, most: number) =>
  `SELECT ${columns} FROM request_logs WHERE ${sql} ORDER BY tenant_id DESC, id DESC LIMIT ${most}`;

export async function findPage(
  access: LogAccess,
  { before, ...chosen }: ChosenRows & Pick<LogPage, 'before'>,
  { skip, limit, countMax }: Omit<LogPage, 'before'>,
): Promise<{ ids: string[]; total: number }> {
  const condition = await conditionOf(access, { ...chosen, before });
  const most = Math.max(countMax, skip + limit);
  const [found] = await access.rows.read<{ total: string; ids: string[] }>(
    `SELECT count() AS total, arraySlice(arrayReverseSort(groupArray(id)), ${skip + 1}, ${limit}) AS ids
     FROM (${newest('id', condition, most)})`,
    condition.params,
  );
  return { ids: (found?.ids ?? []).map(toUuid), total: Number(found?.total ?? 0) };
}

export async function selectRows(
  { tx, rows }: LogAccess,
  ids: readonly string[],
  textMax?: number,
): Promise<LogRow[]> {
  if (ids.length === 0) return [];
  const text = (column: string) =>
    textMax === undefined ? column : `substringUTF8(${column}, 1, ${textMax}) AS ${column}`;
  const rowsWithTexts = await rows.read<
    StoredRow & StoredPlace & Pick<LogRow, 'prompt' | 'response' | 'promptPrivacy'>
  >(
    `SELECT ${rowColumns}, ${text('prompt')}, ${text('response')}, prompt_privacy AS "promptPrivacy",
       ${placeColumns}
     FROM request_logs WHERE id IN {ids:Array(UInt128)} ORDER BY id DESC`,
    { ids: ids.map(toRowId) },
  );
  const decoded = rowsWithTexts.map((row) => {
    const { bodyPlace, ...stored } = decodePlace(row);
    const { apiKeyId, prompt, response, promptPrivacy } = stored;
    return { ...decodeRow(stored), apiKeyId, prompt, response, promptPrivacy, bodyPlace };
  });
  const names = await readNames(tx, decoded);
  return decoded.map(({ apiKeyId, ...row }) => {
    const user = row.userId === null ? undefined : names.users.get(row.userId);
    return {
      ...row,
      userName: user?.name ?? null,
      userEmail: user?.email ?? null,
      taskTitle: names.tasks.get(row.taskId ?? 0) ?? null,
      apiKeyName: names.apiKeys.get(apiKeyId ?? 0) ?? null,
      correctedIntent: names.corrections.get(row.id) ?? null,
    };
  });
}

export async function countRows(access: LogAccess, chosen: ChosenRows, countMax: number): Promise<number> {
  const { sql, params } = await conditionOf(access, chosen);
  const [found] = await access.rows.read<{ total: string }>(
    `SELECT count() AS total FROM (SELECT id FROM request_logs WHERE ${sql} LIMIT ${countMax})`,
    params,
  );
  return Number(found?.total ?? 0);
}

export async function countFacets(
  access: LogAccess,
  chosen: ChosenRows,
  rowsMax: number,
): Promise<FacetCount[]> {
  const condition = await conditionOf(access, chosen);
  const columns = 'status, model, provider_key, intent_classification, error_code, labels';
  const single = ['status', 'model', 'provider_key', 'intent_classification', 'error_code'].map(
    (name) => `('${name}', CAST(${name}, 'Nullable(String)'))`,
  );
  const counted = await access.rows.read<Omit<FacetCount, 'count'> & { count: string }>(
    `SELECT pair.1 AS facet, assumeNotNull(pair.2) AS value, count() AS count
     FROM (${newest(columns, condition, rowsMax)})
     ARRAY JOIN arrayConcat([${single.join()}],
       arrayMap((name, value) -> ('label', CAST(concat(name, '=', value), 'Nullable(String)')), mapKeys(labels), mapValues(labels))) AS pair
     WHERE pair.2 IS NOT NULL GROUP BY facet, value ORDER BY count DESC, value, facet`,
    condition.params,
  );
  return counted.map((row) => ({ ...row, count: Number(row.count) }));
}

export async function sumRows(access: LogAccess, chosen: ChosenRows, rowsMax: number): Promise<LogSums> {
  const condition = await conditionOf(access, chosen);
  const sumNewest = async (most: number) => {
    const [sums] = await access.rows.read<{ requests: string; tokens: string; cost: string }>(
      `SELECT count() AS requests, sum(tokens) AS tokens, toString(coalesce(sum(cost_nano_usd), 0)) AS cost
       FROM (${newest(`${tokens} AS tokens, cost_nano_usd`, condition, most)})`,
      condition.params,
    );
    return {
      requests: Number(sums?.requests ?? 0),
      tokens: Number(sums?.tokens ?? 0),
      cost: sums?.cost ?? '0',
    };
  };
  const sums = await sumNewest(rowsMax + 1);
  return sums.requests <= rowsMax
    ? { ...sums, isExact: true }
    : { ...(await sumNewest(rowsMax)), isExact: false };
}
