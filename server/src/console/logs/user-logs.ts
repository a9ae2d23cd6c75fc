import { type CsvValue, formatLabels, type LogEntry } from '@sluice/contract';
import { startExport } from '#console/exports/start-export.ts';
import type { LogTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import type { LogPage } from '#domain/request-log/chosen-rows.ts';
import { formatTotalCount, logCountMax } from '#domain/total-count.ts';
import type { Download, SignedInContext } from '#http/console-route.ts';
import { Page } from '#http/verbs.ts';
import { chooseRows, type LogFilters, withinTime } from './chosen-rows.ts';
import { toLogEntry } from './read.ts';
import { requireWholeTexts } from './whole-texts.ts';

const textMax = 2000;
const batchRows = 250;

type OwnFilters = Pick<LogFilters, 'task_id' | 'status' | 'start_date' | 'end_date' | 'search'>;

/** Texts are truncated to their beginning. */
export async function listUserLogs(
  tx: LogTransaction,
  author: Principal,
  {
    skip,
    limit,
    before,
    ...filters
  }: OwnFilters & { skip: number; limit: number; before?: string | undefined },
): Promise<Page<LogEntry[]>> {
  const countMax = Math.max(logCountMax, skip + limit);
  const page = { before, skip, limit, countMax: countMax + 1 };
  const { rows, total } = await readPage(tx, author, filters, page, textMax);
  const totalCount = formatTotalCount(total, countMax);
  return new Page(rows, totalCount);
}

interface OwnExport extends OwnFilters {
  format: 'csv' | 'jsonl';
  skip: number;
  /** Maximum number of exported requests; unlimited by default. */
  limit?: number | undefined;
}

export function exportUserLogs(
  ctx: SignedInContext,
  { format, skip, limit, ...filters }: OwnExport,
): Promise<Download> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  return startExport<LogEntry, string>(ctx, {
    noun: 'my-logs',
    format,
    filters: { ...filters, skip: skip || undefined, limit },
    columns,
    keyOf: ({ id }) => id,
    readBatch: async (tx, before) => {
      if (left === 0) return [];
      // `skip` only applies to the first batch. Later batches start after the last row of the previous batch.
      const page = {
        before,
        skip: before === undefined ? skip : 0,
        limit: Math.min(batchRows, left),
        countMax: 0,
      };
      const { rows } = await readPage(tx, ctx.principal, filters, page);
      left -= rows.length;
      return rows;
    },
  });
}

/** Returns the caller's next requests after an id, newest first, with their stored texts. */
export async function readOwnLogs(
  tx: LogTransaction,
  principal: Principal,
  before: string | undefined,
  filters: OwnFilters = {},
): Promise<LogEntry[]> {
  const page = { before, skip: 0, limit: batchRows, countMax: 0 };
  return (await readPage(tx, principal, filters, page)).rows;
}

async function readPage(
  tx: LogTransaction,
  { tenantId, userId }: Principal,
  filters: OwnFilters,
  page: LogPage,
  textMax?: number,
) {
  const chosen = await chooseRows(tx, tenantId, { ...filters, user_id: userId });
  const { ids, total } = await withinTime(tx, () => tx.requestLog.findPage(chosen, page));
  const found = await tx.requestLog.selectRows(ids, textMax);
  const rows = textMax === undefined ? requireWholeTexts(found) : found;
  // Omit provider calls, which contain provider messages that only administrators may see.
  return { rows: rows.map((row) => ({ ...toLogEntry(row), provider_calls: null })), total };
}

const plainColumns = Object.fromEntries(
  (
    [
      'id',
      'timestamp',
      'task_id',
      'task_title',
      'model',
      'status',
      'error_code',
      'error_message',
      'http_status',
      'response_time_ms',
      'prompt_tokens',
      'completion_tokens',
      'cost',
      'intent_classification',
      'confidence_score',
      'user_score_before',
      'user_score_after',
      'prompt',
      'response',
    ] as const
  ).map((name) => [name, (entry: LogEntry) => entry[name]]),
);

const columns: Readonly<Record<string, (entry: LogEntry) => CsvValue>> = {
  ...plainColumns,
  labels: ({ labels }) => formatLabels(labels),
};
