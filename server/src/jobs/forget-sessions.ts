import { and, eq, exists, lt, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { sessions } from '#db/schema/sessions.ts';
import type { Job } from './job.ts';

/**
 * Deletes expired sessions. The last one of each address of a user stays for 90 days, since sign-in throttling exempts
 * addresses that the user has used.
 */
export const forgetSessions: Job = {
  name: 'forget-sessions',
  pattern: '17 * * * *',
  async run(tx) {
    const later = alias(sessions, 'later');
    const isFollowed = exists(
      tx
        .select({ id: later.id })
        .from(later)
        .where(
          and(
            eq(later.userId, sessions.userId),
            eq(later.address, sessions.address),
            sql`(${later.createdAt}, ${later.id}) > (${sessions.createdAt}, ${sessions.id})`,
          ),
        ),
    );
    const isLongOver = lt(sessions.expiresAt, sql`now() - interval '90 days'`);
    await tx.delete(sessions).where(and(lt(sessions.expiresAt, sql`now()`), or(isLongOver, isFollowed)));
  },
};
