import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import type { LogRow } from '#domain/request-log/log-rows.ts';
import { floorId } from '#domain/request-log/request-id.ts';
import type { TenantLog } from '#domain/request-log/tenant-log.ts';
import type { ObjectStore } from '#object-store/object-store.ts';
import type { ExportedFile, LogExport, Sums } from './hours.ts';

const rowsPerFile = 50_000;
const rowsPerRead = 1_000;
const hourMs = 3_600_000;

export type ReadTenant = <Result>(
  tenantId: number,
  work: (log: TenantLog) => Promise<Result>,
) => Promise<Result>;

/** Yields rows without texts, newest first. With `ids`, yields only these rows. */
export async function* readRows(
  readTenant: ReadTenant,
  tenantId: number,
  { hour }: LogExport,
  ids?: readonly string[],
): AsyncGenerator<LogRow[]> {
  if (ids) {
    for (let start = 0; start < ids.length; start += rowsPerRead)
      yield readTenant(tenantId, (log) => log.selectRows(ids.slice(start, start + rowsPerRead), 0));
    return;
  }
  const chosen = idsOfHour({ hour });
  let before: string | undefined;
  while (true) {
    const page = { before, skip: 0, limit: rowsPerRead, countMax: 0 };
    // Rows of the page may be deleted between the two reads, so the number of ids decides whether there are more
    // pages.
    const { ids, rows } = await readTenant(tenantId, async (log) => {
      const { ids } = await log.findPage(chosen, page);
      return { ids, rows: await log.selectRows(ids, 0) };
    });
    if (rows.length > 0) yield rows;
    if (ids.length < rowsPerRead) return;
    before = ids.at(-1);
  }
}

export function idsOfHour({ hour }: Pick<LogExport, 'hour'>) {
  const fromMs = Date.parse(hour);
  return { first: floorId(fromMs), end: floorId(fromMs + hourMs) };
}

/** Writes a tenant's rows into files. File names contain the checksum, so that no file replaces another one. */
export async function writeFiles(
  store: ObjectStore,
  { hour, number }: LogExport,
  tenantId: number,
  pages: AsyncIterable<LogRow[]>,
): Promise<ExportedFile[]> {
  const folder = `tenant=${tenantId}/date=${hour.slice(0, 10)}/hour=${hour.slice(11, 13)}`;
  const files: ExportedFile[] = [];
  const write = async (rows: readonly LogRow[]) => {
    const lines = rows.toReversed().map((row) => `${JSON.stringify(toLine(tenantId, row))}\n`);
    const bytes = zstdCompressSync(lines.join(''));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const file = `${folder}/${number}-${files.length}-${sha256.slice(0, 16)}.jsonl.zst`;
    await store.put(file, bytes, 'application/zstd');
    files.push({ file, tenant_id: tenantId, ...sumRows(rows), bytes: bytes.length, sha256 });
  };
  let waiting: LogRow[] = [];
  for await (const rows of pages) {
    waiting = [...waiting, ...rows];
    if (waiting.length < rowsPerFile) continue;
    await write(waiting);
    waiting = [];
  }
  if (waiting.length > 0) await write(waiting);
  return files;
}

const sumRows = (rows: readonly LogRow[]): Sums => ({
  rows: rows.length,
  prompt_tokens: rows.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
  completion_tokens: rows.reduce((sum, { completionTokens }) => sum + completionTokens, 0),
  cost_nano_usd: Number(rows.reduce((sum, { costNanoUsd }) => sum + (costNanoUsd ?? 0n), 0n)),
});

export const sumFiles = (files: readonly ExportedFile[]): Sums => ({
  rows: files.reduce((sum, { rows }) => sum + rows, 0),
  prompt_tokens: files.reduce((sum, file) => sum + file.prompt_tokens, 0),
  completion_tokens: files.reduce((sum, file) => sum + file.completion_tokens, 0),
  cost_nano_usd: files.reduce((sum, file) => sum + file.cost_nano_usd, 0),
});

/** Contains figures and ids, without texts, names and email addresses. */
function toLine(tenantId: number, row: LogRow) {
  return {
    id: row.id,
    tenant_id: tenantId,
    received_at: row.receivedAt.toISOString(),
    user_id: row.userId,
    task_id: row.taskId,
    labels: row.labels,
    model_requested: row.modelRequested,
    model: row.model,
    provider_key: row.providerKey,
    provider_instance_name: row.providerInstanceName,
    api_key_name: row.apiKeyName,
    status: row.status,
    http_status: row.httpStatus,
    error_code: row.errorCode,
    is_stream: row.isStream,
    repeats: row.repeats,
    response_time_ms: row.responseTimeMs,
    first_byte_ms: row.firstByteMs,
    prompt_tokens: row.promptTokens,
    completion_tokens: row.completionTokens,
    cache_read_tokens: row.cacheReadTokens,
    cache_write_tokens: row.cacheWriteTokens,
    reasoning_tokens: row.reasoningTokens,
    usage_source: row.usageSource,
    cost_nano_usd: row.costNanoUsd === null ? null : Number(row.costNanoUsd),
    client_request_id: row.clientRequestId,
    intent: row.intentClassification,
    intent_confidence: row.confidenceScore,
    deviation_score_after: row.userScoreAfter,
  };
}
