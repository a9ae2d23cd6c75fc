import { sql } from 'drizzle-orm';
import { interrupted } from '#console/chats/runs.ts';
import type { Job } from './job.ts';

/**
 * Ends chat responses whose node died, keeping what it had written. Usage is copied from the row in the log, even if
 * that row arrives later.
 */
export const endLostChatAnswers: Job = {
  name: 'end-lost-chat-answers',
  pattern: '*/10 * * * * *',
  async run(tx) {
    await tx.execute(sql`UPDATE chat_messages SET status = 'failed', error_message = ${interrupted}
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
