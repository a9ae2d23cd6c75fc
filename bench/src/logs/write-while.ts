import { dayOf } from '../../../server/src/db/log-partitions/day-partition.ts';
import { dropDay } from '../../../server/src/db/log-partitions/drop-day.ts';
import { createSystemDatabase } from '../../../server/src/db/system.ts';
import type { RequestRecord } from '../../../server/src/gateway/request-log/request-record.ts';
import { createLogger } from '../../../server/src/platform/logger.ts';
import { createShipRequests } from '../../../server/src/shipper/ship-requests.ts';
import type { TestDatabase } from '../../../server/test/database/cluster-database.ts';
import { createRecord } from '../../../server/test/requests/request-record.ts';
import { readRealTexts } from '../disk/benchmark.ts';
import { formatTable } from '../report/document.ts';
import { percentile } from '../report/statistics.ts';

const batchRows = 50;
const phaseMs = 8_000;
const sampleRows = 5_000;
const [promptBytes, responseBytes] = [1_300, 1_000];
const droppedDaysAgo = 10;

/** Ships batches alone, during reads, and during reads while days are dropped. */
export async function writeWhile(database: TestDatabase, read: () => Promise<unknown>): Promise<string> {
  const { pool } = database;
  const { rows } = await pool.query<Partial<RequestRecord>>(newestRows, [sampleRows]);
  const texts = await Array.fromAsync(take(readRealTexts(promptBytes + responseBytes), sampleRows));
  const ship = createShipRequests({ pool, nodeSlot: 1, log: createLogger('silent') });
  const drawRecord = () => {
    const row = rows[Math.floor(Math.random() * rows.length)];
    const text = texts[Math.floor(Math.random() * texts.length)] ?? '';
    const [prompt, response] = [text.slice(0, promptBytes), text.slice(promptBytes)];
    const requestBody = JSON.stringify({ model: row?.model, messages: [{ role: 'user', content: prompt }] });
    return createRecord({
      ...row,
      prompt,
      response,
      requestBody,
      httpStatus: 200,
      isSent: true,
      attempts: 1,
    });
  };
  const writeBatch = () => ship(Array.from({ length: batchRows }, drawRecord));
  const alone = await measure(pool, writeBatch);
  const whileRead = await measure(pool, writeBatch, read);
  const system = createSystemDatabase(pool);
  let day = dayOf(Date.now()) - droppedDaysAgo;
  const dropped = await measure(pool, writeBatch, read, async () => {
    for (const parent of ['request_logs', 'request_log_bodies']) await dropDay(system, parent, day);
    day -= 1;
  });
  const header = [`batches of ${batchRows}`, 'rows/s', 'p50 ms', 'p99 ms', 'most ms', 'WAL B/row'];
  return `\n${formatTable([header, ['alone', ...alone], ['with a concurrent reader', ...whileRead], ['while days are being dropped', ...dropped]])}`;
}

async function* take<Item>(items: AsyncIterable<Item>, most: number): AsyncGenerator<Item> {
  let taken = 0;
  for await (const item of items) {
    yield item;
    taken += 1;
    if (taken === most) return;
  }
}

const newestRows = `SELECT tenant_id AS "tenantId", user_id AS "userId", api_key_id AS "apiKeyId", task_id AS "taskId", team_id AS "teamId",
    llm_provider_id AS "llmProviderId", provider_key AS "providerKey", provider_instance_name AS "providerInstanceName", model,
    model AS "modelRequested", is_stream AS "isStream", status, first_byte_ms AS "firstByteMs", response_time_ms AS "responseTimeMs",
    json_build_object('inputTokens', prompt_tokens, 'cacheReadTokens', 0, 'cacheWriteTokens', 0, 'outputTokens', completion_tokens,
      'reasoningTokens', 0) AS usage, usage_source AS "usageSource", cost_nano_usd::text AS "costNanoUsd", intent_classification AS intent,
    confidence_score AS confidence
  FROM request_logs WHERE status = 'success' ORDER BY id DESC LIMIT $1`;

async function measure(
  pool: TestDatabase['pool'],
  write: () => Promise<void>,
  ...besides: (() => Promise<unknown>)[]
): Promise<string[]> {
  const untilMs = performance.now() + phaseMs;
  const repeat = async (work: () => Promise<unknown>) => {
    while (performance.now() < untilMs) await work();
  };
  const readPosition = async () =>
    (
      await pool.query<{ bytes: string }>(
        "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes",
      )
    ).rows[0]?.bytes;
  const before = await readPosition();
  const running = besides.map(repeat);
  const times: number[] = [];
  await repeat(async () => {
    const beganAtMs = performance.now();
    await write();
    times.push(performance.now() - beganAtMs);
  });
  await Promise.all(running);
  const spentMs = times.reduce((sum, ms) => sum + ms, 0);
  const walBytes = Number(await readPosition()) - Number(before);
  const figures = [
    (times.length * batchRows * 1000) / spentMs,
    ...[0.5, 0.99, 1].map((share) => percentile(times, share)),
    walBytes / (times.length * batchRows),
  ];
  return figures.map((figure) => figure.toFixed(1));
}
