import { comparisonTimeoutMs } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import { interrupted } from '#console/llm-comparison/runs.ts';
import type { Job } from './job.ts';

const timeout = sql`${comparisonTimeoutMs / 1000} * interval '1 second'`;

/**
 * Ends comparison results whose node died first; a live node ends its own sooner. The cost is copied from the row in
 * the log, even if that row arrives later.
 */
export const endLostComparisons: Job = {
  name: 'end-lost-comparisons',
  pattern: '*/20 * * * * *',
  async run(tx) {
    await tx.execute(sql`UPDATE llm_comparison_results SET status = 'failed', error_message = ${interrupted}
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
