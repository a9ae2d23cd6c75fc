import { comparisonTimeoutMs } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { Job } from './job.ts';

/** Error of a chat response whose node stopped. */
export const interruptedAnswer = 'The gateway stopped while this answer was being written.';
/** Error of a comparison result whose node stopped. */
export const interruptedComparison =
  'The gateway stopped while this model was answering. Start the comparison again.';

/**
 * Ends chat responses whose node died, and keeps the text written so far. Usage is copied from the log row, even if
 * that row arrives later.
 */
export const endLostChatAnswers: Job = {
  name: 'end-lost-chat-answers',
  pattern: '*/10 * * * * *',
  async run(tx) {
    await tx.execute(sql`UPDATE chat_messages SET status = 'failed', error_message = ${interruptedAnswer}
      WHERE status = 'pending' AND written_at < now() - interval '30 seconds'`);
    await tx.execute(sql`UPDATE chat_messages message
      SET request_id = log.id, cost_nano_usd = log.cost_nano_usd, intent = log.intent_classification,
        tokens_used = log.prompt_tokens + log.completion_tokens
      FROM request_logs log
      WHERE message.tokens_used IS NULL AND NOT message.is_user AND message.status <> 'pending'
        AND message.created_at > now() - interval '2 hours'
        AND log.tenant_id = message.tenant_id AND log.client_request_id = message.id::text
        AND log.id >= uuid_floor(message.created_at - interval '1 minute')
        AND log.id < uuid_floor(message.created_at + interval '2 hours')`);
  },
};

const timeout = sql`${comparisonTimeoutMs / 1000} * interval '1 second'`;

/**
 * Ends comparison results whose node died; a live node ends its own earlier. The cost is copied from the log row,
 * even if that row arrives later.
 */
export const endLostComparisons: Job = {
  name: 'end-lost-comparisons',
  pattern: '*/20 * * * * *',
  async run(tx) {
    await tx.execute(sql`UPDATE llm_comparison_results SET status = 'failed', error_message = ${interruptedComparison}
      WHERE status = 'pending' AND total_tokens IS NULL AND created_at < now() - ${timeout}`);
    await tx.execute(sql`UPDATE llm_comparison_results result
      SET request_id = log.id, cost_nano_usd = log.cost_nano_usd, response_time_ms = log.response_time_ms,
        total_tokens = log.prompt_tokens + log.completion_tokens
      FROM request_logs log
      WHERE result.total_tokens IS NULL AND result.status <> 'pending'
        AND result.created_at > now() - interval '1 hour'
        AND log.tenant_id = result.tenant_id AND log.client_request_id = result.id::text
        AND log.id >= uuid_floor(result.created_at - interval '1 minute')
        AND log.id < uuid_floor(result.created_at + 2 * ${timeout})`);
  },
};
