import {
  type CostPart,
  type LogBody,
  type LogEntry,
  type LogFacets,
  type LogTotals,
  loggedBodyBytesMax,
  toUsd,
} from '@sluice/contract';
import { recordPromptListRead, recordPromptRead } from '#console/audit-log/record-prompt-reads.ts';
import type { LogTransaction } from '#db/tenant.ts';
import { decompressText } from '#domain/compressed-text.ts';
import { splitCost } from '#domain/price/cost.ts';
import { readPrice } from '#domain/price/price.ts';
import type { Principal } from '#domain/principal.ts';
import type { BodyRow, LogRow } from '#domain/request-log/log-rows.ts';
import { formatTotalCount, logCountMax, totalCountMax } from '#domain/total-count.ts';
import { notFound } from '#errors/console-error.ts';
import { Page } from '#http/verbs.ts';
import { chooseRows, type LogFilters, withinTime } from './chosen-rows.ts';
import { hasText } from './has-text.ts';
import { readTotals } from './totals.ts';

const textMax = 2000;

interface LogPage {
  readonly skip: number;
  readonly limit: number;
  readonly before?: string | undefined;
  readonly with_totals?: boolean | undefined;
}

/** Texts are truncated to their beginning. */
export async function listLogs(
  tx: LogTransaction,
  author: Principal,
  { skip, limit, before, with_totals: hasTotals, ...filters }: LogFilters & LogPage,
): Promise<Page<LogEntry[] | { logs: LogEntry[]; totals: LogTotals }>> {
  const chosen = await chooseRows(tx, author.tenantId, filters);
  // Count at least up to the end of the requested page.
  const countMax = Math.max(logCountMax, skip + limit);
  const page = { before, limit, countMax: countMax + 1 };
  const { ids, total } = await withinTime(tx, () => tx.requestLog.findPage(chosen, { ...page, skip }));
  const totalCount = formatTotalCount(total, countMax);
  const rows = await tx.requestLog.selectRows(ids, textMax);
  // Record a search beyond the last page as a read, because it still reveals that there are matches.
  const isBeyond = rows.length === 0 && total > 0 && chosen.search_like !== undefined;
  const told = isBeyond
    ? await tx.requestLog.selectRows((await tx.requestLog.findPage(chosen, { ...page, skip: 0 })).ids)
    : rows;
  await recordPromptListRead(
    tx,
    told.filter(hasText).map(({ id }) => id),
  );
  const logs = rows.map(toLogEntry);
  return new Page(hasTotals ? { logs, totals: await readTotals(tx, chosen) } : logs, totalCount);
}

export async function getLog(tx: LogTransaction, _author: Principal, id: string): Promise<LogEntry> {
  const [row] = await tx.requestLog.selectRows([id]);
  if (!row) throw notFound('Log entry');
  if (hasText(row)) await recordPromptRead(tx, id);
  return { ...toLogEntry(row), ...(row.bodyPlace?.isCut && { is_text_cut: true }) };
}

const countMax = 1_000_000;

export async function countLogs(
  tx: LogTransaction,
  author: Principal,
  filters: LogFilters,
): Promise<{ count: number; is_exact: boolean }> {
  const chosen = await chooseRows(tx, author.tenantId, filters);
  const count = await withinTime(tx, () => tx.requestLog.countRows(chosen, countMax + 1));
  return { count: Math.min(count, countMax), is_exact: count <= countMax };
}

/** Counts the newest matching requests by status, model, provider, intent, error code and label. */
export async function getLogFacets(
  tx: LogTransaction,
  author: Principal,
  filters: LogFilters,
): Promise<LogFacets> {
  const chosen = await chooseRows(tx, author.tenantId, filters);
  const counts = await withinTime(tx, () => tx.requestLog.countFacets(chosen, totalCountMax + 1));
  const facetOf = (name: string) =>
    counts.filter(({ facet }) => facet === name).map(({ value, count }) => ({ value, count }));
  const rows = facetOf('status').reduce((sum, { count }) => sum + count, 0);
  return {
    // The query reads one more row to find out whether there are more.
    rows: Math.min(rows, totalCountMax),
    is_whole: rows <= totalCountMax,
    status: facetOf('status'),
    model: facetOf('model'),
    provider_key: facetOf('provider_key'),
    intent_classification: facetOf('intent_classification'),
    error_code: facetOf('error_code'),
    label: facetOf('label'),
  };
}

export async function getLogBody(tx: LogTransaction, _author: Principal, id: string): Promise<LogBody> {
  const row = await tx.requestLog.findBody(id);
  if (!row) throw notFound('Log entry');
  const body = readBody(row);
  if (body !== null) await recordPromptRead(tx, id);
  return {
    id,
    body,
    is_cut: body !== null && (row.bytes ?? 0) > loggedBodyBytesMax,
    bytes: row.bytes ?? 0,
    sha256: row.sha256?.toString('hex') ?? null,
    prompt_privacy: row.promptPrivacy,
  };
}

const readBody = ({ compressed, prompt, text }: BodyRow): string | null =>
  compressed ? decompressText(compressed, prompt) : text;

function toCostParts(row: LogRow): CostPart[] | null {
  const { cacheReadTokens, cacheWriteTokens, costNanoUsd, price, reasoningTokens } = row;
  if (costNanoUsd === null || price === null) return null;
  const { markup_percentage: markupPercent = 0, ...rates } = price;
  const inputTokens = row.promptTokens - cacheReadTokens - cacheWriteTokens;
  const counts = {
    inputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: row.completionTokens,
    reasoningTokens,
  };
  return splitCost(costNanoUsd, counts, readPrice(rates), markupPercent).map(({ nanoUsd, ...share }) => ({
    ...share,
    cost: toUsd(nanoUsd),
  }));
}

export function toLogEntry(row: LogRow): LogEntry {
  return {
    id: row.id,
    timestamp: row.receivedAt.toISOString(),
    user_id: row.userId,
    user_name: row.userName,
    user_email: row.userEmail,
    task_id: row.taskId,
    task_title: row.taskTitle,
    labels: row.labels,
    prompt: row.prompt,
    response: row.response,
    prompt_privacy: row.promptPrivacy,
    model_requested: row.modelRequested,
    model: row.model,
    downgraded_by_budget_id: row.downgradedByBudgetId,
    status: row.status,
    http_status: row.httpStatus,
    error_code: row.errorCode,
    error_message: row.errorMessage,
    response_time_ms: row.responseTimeMs,
    first_byte_ms: row.firstByteMs,
    prompt_tokens: row.promptTokens,
    completion_tokens: row.completionTokens,
    openai_tokens_used: row.promptTokens + row.completionTokens,
    cache_read_tokens: row.cacheReadTokens,
    reasoning_tokens: row.reasoningTokens,
    usage_source: row.usageSource,
    cost: row.costNanoUsd === null ? null : toUsd(row.costNanoUsd),
    cost_parts: toCostParts(row),
    provider_calls: row.providerCalls,
    repeats: row.repeats,
    is_stream: row.isStream,
    provider_key: row.providerKey,
    provider_instance_name: row.providerInstanceName,
    api_key_name: row.apiKeyName,
    client_request_id: row.clientRequestId,
    intent_classification: row.intentClassification,
    confidence_score: row.confidenceScore,
    corrected_intent: row.correctedIntent,
    user_score_before: row.userScoreBefore,
    user_score_after: row.userScoreAfter,
    deviation_score_delta: row.deviationScoreDelta,
    deviation_receipts: row.deviationReceipts,
  };
}
