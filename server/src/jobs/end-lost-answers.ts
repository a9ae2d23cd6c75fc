import { comparisonTimeoutMs } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { SystemDatabase } from '#db/system.ts';
import { unlessAway } from '#domain/request-log/log-store-error.ts';
import type { AwaitedRequest, FoundRequest, RequestLog } from '#request-log/request-log.ts';
import type { Job } from './job.ts';

export const interruptedAnswer = 'The gateway stopped while this answer was being written.';
export const interruptedComparison =
  'The gateway stopped while this model was answering. Start the comparison again.';

/**
 * Ends chat responses whose node has died, and keeps the received text. Usage is copied from the log row, even if the
 * row arrives later.
 */
export const createEndLostChatAnswers = (requestLog: RequestLog): Job => ({
  name: 'end-lost-chat-answers',
  pattern: '*/10 * * * * *',
  async run(tx) {
    await tx.execute(sql`UPDATE chat_messages SET status = 'failed', error_message = ${interruptedAnswer}
      WHERE status = 'pending' AND written_at < now() - interval '30 seconds'`);
    const { rows } = await tx.execute<AwaitedRow>(sql`
      SELECT id, tenant_id AS "tenantId", created_at - interval '1 minute' AS since, created_at + interval '2 hours' AS until
      FROM chat_messages
      WHERE tokens_used IS NULL AND NOT is_user AND status <> 'pending' AND created_at > now() - interval '2 hours'`);
    const found = await findRequests(requestLog, tx, rows);
    if (found.length === 0) return;
    await tx.execute(sql`UPDATE chat_messages message
      SET request_id = log.id, cost_nano_usd = log.cost, intent = log.intent, tokens_used = log.tokens
      FROM ${asRecords(found)} WHERE message.id = log.answer AND message.tenant_id = log.tenant`);
  },
});

const timeout = sql`${comparisonTimeoutMs / 1000} * interval '1 second'`;

/**
 * Ends comparison results whose node has died. A live node ends its own results earlier. The cost is copied from the
 * log row, even if the row arrives later.
 */
export const createEndLostComparisons = (requestLog: RequestLog): Job => ({
  name: 'end-lost-comparisons',
  pattern: '*/20 * * * * *',
  async run(tx) {
    await tx.execute(sql`UPDATE llm_comparison_results SET status = 'failed', error_message = ${interruptedComparison}
      WHERE status = 'pending' AND total_tokens IS NULL AND created_at < now() - ${timeout}`);
    const { rows } = await tx.execute<AwaitedRow>(sql`
      SELECT id, tenant_id AS "tenantId", created_at - interval '1 minute' AS since, created_at + 2 * ${timeout} AS until
      FROM llm_comparison_results
      WHERE total_tokens IS NULL AND status <> 'pending' AND created_at > now() - interval '1 hour'`);
    const found = await findRequests(requestLog, tx, rows);
    if (found.length === 0) return;
    await tx.execute(sql`UPDATE llm_comparison_results result
      SET request_id = log.id, cost_nano_usd = log.cost, response_time_ms = log.ms, total_tokens = log.tokens
      FROM ${asRecords(found)} WHERE result.id = log.answer AND result.tenant_id = log.tenant`);
  },
});

/** Response without usage. The id of the response is the client request id of its gateway request. */
interface AwaitedRow extends Record<string, unknown> {
  readonly id: string;
  readonly tenantId: number;
  readonly since: string;
  readonly until: string;
}

async function findRequests(
  requestLog: RequestLog,
  tx: SystemDatabase,
  rows: readonly AwaitedRow[],
): Promise<FoundRequest[]> {
  if (rows.length === 0) return [];
  const awaited = rows.map(
    ({ id, tenantId, since, until }): AwaitedRequest => ({
      tenantId,
      clientRequestId: id,
      since: new Date(since),
      until: new Date(until),
    }),
  );
  return unlessAway(requestLog.findAwaited(tx, awaited), []);
}

const asRecords = (found: readonly FoundRequest[]) => {
  const records = found.map(
    ({ id, tenantId, clientRequestId, costNanoUsd, intent, responseTimeMs, totalTokens }) => ({
      id,
      tenant: tenantId,
      answer: clientRequestId,
      cost: costNanoUsd === null ? null : String(costNanoUsd),
      intent,
      ms: responseTimeMs,
      tokens: totalTokens,
    }),
  );
  return sql`jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
    AS log (id uuid, tenant integer, answer uuid, cost bigint, intent text, ms real, tokens integer)`;
};
