import { sql } from 'drizzle-orm';
import type { TransactionJob } from './job.ts';

/** The last use of a session is recorded at most once in five minutes (`server/src/console/auth/session-use.ts`). */
const unrecordedMinutes = 5;

/** Ends sessions that the policy of their tenant allows no longer, as idle or too old, on every node. */
export const endIdleSessions: TransactionJob = {
  name: 'end-idle-sessions',
  pattern: '* * * * *',
  async run(tx) {
    const { rowCount } = await tx.execute(sql`
      UPDATE sessions SET ended_at = now() FROM sign_in_policies policy
      WHERE policy.tenant_id = sessions.tenant_id AND sessions.ended_at IS NULL AND sessions.expires_at > now()
        AND (sessions.created_at < now() - make_interval(hours => policy.session_hours)
          OR coalesce(sessions.last_used_at, sessions.created_at)
            < now() - make_interval(mins => policy.idle_minutes + ${unrecordedMinutes}::integer))`);
    return { ended: rowCount ?? 0 };
  },
};
