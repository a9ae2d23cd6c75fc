import type { RequestRecord } from '../../../server/src/gateway/request-log/request-record.ts';
import type { TestDatabase } from '../../../server/test/database/cluster-database.ts';
import { createRecord } from '../../../server/test/requests/request-record.ts';
import { readRealTexts } from '../disk/benchmark.ts';

const sampleRows = 5_000;
const [promptBytes, responseBytes] = [1_300, 1_000];

export async function openRecords(pool: TestDatabase['pool']): Promise<() => RequestRecord> {
  const { rows } = await pool.query<Partial<RequestRecord>>(newestRows, [sampleRows]);
  const texts = await Array.fromAsync(take(readRealTexts(promptBytes + responseBytes), sampleRows));
  return () => {
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
