import { sql } from 'drizzle-orm';
import type { Job } from './job.ts';

/**
 * Deletes sessions that have expired. Of each address that a person has signed in from the last one stays for 90 days,
 * since the throttle of sign-in spares addresses that the owner has used.
 */
export const forgetSessions: Job = {
  name: 'forget-sessions',
  pattern: '17 * * * *',
  async run(tx) {
    await tx.execute(sql`DELETE FROM sessions old WHERE expires_at < now() AND (
      expires_at < now() - interval '90 days'
      OR EXISTS (SELECT FROM sessions later WHERE later.user_id = old.user_id AND later.address = old.address
        AND (later.created_at, later.id) > (old.created_at, old.id)))`);
  },
};
