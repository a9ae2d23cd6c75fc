import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { ChosenRows, LogPage } from '#domain/request-log/chosen-rows.ts';
import type { FacetCount, LogRow, LogSums } from '#domain/request-log/log-rows.ts';
import { type Choice, choose, tokens } from './conditions.ts';
import {
  decodePlace,
  decodeRow,
  placeColumns,
  rowColumns,
  type StoredPlace,
  type StoredRow,
} from './log-columns.ts';
import { findNames, readNames } from './names.ts';
import { readNewest } from './newest-rows.ts';
import { toUuid } from './row-id.ts';
import { isOneOfIds } from './settle-inserts.ts';
import type { TenantReader } from './tenant-reader.ts';

export interface LogAccess {
  readonly tx: NodePgDatabase;
  readonly tenantId: number;
  readonly rows: TenantReader;
}

const conditionOf = async ({ tx, tenantId }: LogAccess, chosen: ChosenRows & Pick<LogPage, 'before'>) =>
  choose(chosen, await findNames(tx, tenantId, chosen));

interface Window {
  /**
   * Returns a query for columns of the newest matching rows. The rows are in reverse primary key order, so that
   * ClickHouse starts to read at the end of the table.
   */
  newest(columns: string): string;
  read<Row>(query: string): Promise<Row[]>;
}

/** `read` returns the number of rows found. */
async function readWindows(
  access: LogAccess,
  chosen: ChosenRows & Pick<LogPage, 'before'>,
  most: number,
  read: (window: Window) => Promise<number>,
): Promise<void> {
  const { alternatives, ...condition } = await conditionOf(access, chosen);
  const { timeoutMs } = access.rows;
  await readNewest({ chosen, condition, most, timeoutMs }, (window) => {
    const choice = { ...window.condition, alternatives };
    return read({
      newest: (columns) => selectMatching(columns, choice, 'ORDER BY tenant_id DESC, id DESC', window.most),
      read: (query) => access.rows.read(query, paramsOf(choice), window.timeoutMs),
    });
  });
}

/** Returns a query for columns of at most `most` matching rows, without duplicates. */
function selectMatching(
  columns: string,
  { sql, alternatives }: Choice,
  order: '' | 'ORDER BY tenant_id DESC, id DESC',
  most: number,
): string {
  const select = (selected: string, condition: string) =>
    `SELECT ${selected} FROM request_logs WHERE ${condition} ${order} LIMIT ${most}`;
  const conditions = alternatives.map((alternative) => `(${sql}) AND (${alternative.sql})`);
  if (conditions.length <= 1) return select(columns, conditions[0] ?? sql);
  const each = conditions.map((condition) => `(${select(`id AS found_id, ${columns}`, condition)})`);
  return `SELECT * EXCEPT (found_id) FROM (${each.join(' UNION ALL ')})
    ${order && 'ORDER BY found_id DESC'} LIMIT 1 BY found_id LIMIT ${most}`;
}

const paramsOf = ({ params, alternatives }: Choice) =>
  Object.assign({}, params, ...alternatives.map((alternative) => alternative.params));

export async function findPage(
  access: LogAccess,
  { before, ...chosen }: ChosenRows & Pick<LogPage, 'before'>,
  { skip, limit, countMax }: Omit<LogPage, 'before'>,
): Promise<{ ids: string[]; total: number }> {
  const ids: string[] = [];
  let total = 0;
  await readWindows(access, { ...chosen, before }, Math.max(countMax, skip + limit), async (window) => {
    const skipped = Math.max(0, skip - total);
    const [found] = await window.read<{ total: string; ids: string[] }>(
      `SELECT count() AS total, arraySlice(arrayReverseSort(groupArray(id)), ${skipped + 1}, ${limit - ids.length}) AS ids
       FROM (${window.newest('id')})`,
    );
    const count = Number(found?.total ?? 0);
    total += count;
    ids.push(...(found?.ids ?? []).map(toUuid));
    return count;
  });
  return { ids, total };
}

export async function selectRows(
  { tx, rows }: LogAccess,
  ids: readonly string[],
  textMax?: number,
): Promise<LogRow[]> {
  if (ids.length === 0) return [];
  const text = (column: string) =>
    textMax === undefined ? column : `substringUTF8(${column}, 1, ${textMax}) AS ${column}`;
  const { isOne, params } = isOneOfIds(ids);
  const rowsWithTexts = await rows.read<
    StoredRow & StoredPlace & Pick<LogRow, 'prompt' | 'response' | 'promptPrivacy'>
  >(
    `SELECT ${rowColumns}, ${text('prompt')}, ${text('response')}, prompt_privacy AS "promptPrivacy",
       ${placeColumns}
     FROM request_logs WHERE ${isOne} ORDER BY id DESC`,
    params,
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
  const choice = await conditionOf(access, chosen);
  const [found] = await access.rows.read<{ total: string }>(
    `SELECT count() AS total FROM (${selectMatching('id', choice, '', countMax)})`,
    paramsOf(choice),
  );
  return Number(found?.total ?? 0);
}

export async function countFacets(
  access: LogAccess,
  chosen: ChosenRows,
  rowsMax: number,
): Promise<FacetCount[]> {
  const columns = 'status, model, provider_key, intent_classification, error_code, labels';
  const single = ['status', 'model', 'provider_key', 'intent_classification', 'error_code'].map(
    (name) => `('${name}', CAST(${name}, 'Nullable(String)'))`,
  );
  const counts = new Map<string, FacetCount>();
  await readWindows(access, chosen, rowsMax, async (window) => {
    const counted = await window.read<Omit<FacetCount, 'count'> & { count: string }>(
      `SELECT pair.1 AS facet, assumeNotNull(pair.2) AS value, count() AS count
       FROM (${window.newest(columns)})
       ARRAY JOIN arrayConcat([${single.join()}],
         arrayMap((name, value) -> ('label', CAST(concat(name, '=', value), 'Nullable(String)')), mapKeys(labels), mapValues(labels))) AS pair
       WHERE pair.2 IS NOT NULL GROUP BY facet, value`,
    );
    for (const { facet, value, count } of counted) {
      const key = `${facet} ${value}`;
      counts.set(key, { facet, value, count: Number(count) + (counts.get(key)?.count ?? 0) });
    }
    // Each row has exactly one status, so the sum of the status counts is the total number of rows.
    const ofStatus = counted.filter(({ facet }) => facet === 'status');
    return ofStatus.reduce((sum, { count }) => sum + Number(count), 0);
  });
  return [...counts.values()].toSorted(
    (one, other) =>
      other.count - one.count || compare(one.value, other.value) || compare(one.facet, other.facet),
  );
}

/** Compares texts by bytes, like the databases do. */
const compare = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

export async function sumRows(access: LogAccess, chosen: ChosenRows, rowsMax: number): Promise<LogSums> {
  const sumNewest = async (most: number) => {
    const sums = { requests: 0, tokens: 0, cost: 0n };
    await readWindows(access, chosen, most, async (window) => {
      const [added] = await window.read<{ requests: string; tokens: string; cost: string }>(
        `SELECT count() AS requests, sum(tokens) AS tokens, toString(coalesce(sum(cost_nano_usd), 0)) AS cost
         FROM (${window.newest(`${tokens} AS tokens, cost_nano_usd`)})`,
      );
      sums.requests += Number(added?.requests ?? 0);
      sums.tokens += Number(added?.tokens ?? 0);
      sums.cost += BigInt(added?.cost ?? 0);
      return Number(added?.requests ?? 0);
    });
    return { ...sums, cost: String(sums.cost) };
  };
  const sums = await sumNewest(rowsMax + 1);
  return sums.requests <= rowsMax
    ? { ...sums, isExact: true }
    : { ...(await sumNewest(rowsMax)), isExact: false };
}
