import { type SQL, sql } from 'drizzle-orm';
import { auditRetentionDays, retentionCutoff, retentionPattern } from '#domain/retention.ts';
import type { Clock } from '#platform/clock.ts';
import { deleteInBatches } from './delete-in-batches.ts';
import type { Job } from './job.ts';

/** Days after which a mail that was sent or is no longer needed is deleted. */
const mailDays = 90;
/** Payments are checked for half a year; events are kept as long as the audit log, in case they are requested. */
const webhookEventDays = auditRetentionDays;
/** Sign-in attempts count for an hour at most. */
const loginAttemptDays = 2;
/** Windows of outbound limits last a day at most. */
const outboundCountDays = 2;

/**
 * Deletes old rows of other tables, every night. Events of active blocks and decided appeals stay as long as the
 * tenant's log rows; a user's last event stays, since it is the reason for a block.
 */
export function createForgetOldRows(clock: Clock): Job {
  return {
    name: 'forget-old-rows',
    pattern: retentionPattern,
    isLong: true,
    async runInSteps({ database, signal }) {
      const before = (days: number) => sql`${retentionCutoff(clock(), days).toISOString()}::timestamptz`;
      const forget = (table: string, keyType: 'bigint' | 'integer', condition: SQL) =>
        deleteInBatches(database, { table, key: 'id', keyType, condition }, signal);
      const isBeyondLog = (table: string) =>
        sql`${sql.identifier(table)}.created_at < ${before(0)} - make_interval(days =>
          (SELECT retention_days FROM tenants WHERE tenants.id = ${sql.identifier(table)}.tenant_id))`;
      await forget('appeals', 'integer', sql`status <> 'open' AND ${isBeyondLog('appeals')}`);
      await forget(
        'score_events',
        'bigint',
        sql`${isBeyondLog('score_events')}
          AND EXISTS (SELECT FROM score_events later WHERE later.user_id = score_events.user_id AND later.id > score_events.id)
          AND NOT EXISTS (SELECT FROM appeals WHERE appeals.score_event_id = score_events.id)`,
      );
      await forget('provider_refusals', 'integer', sql`refused_at < ${before(1)}`);
      await forget('signups', 'integer', sql`expires_at < ${before(1)}`);
      await forget('password_resets', 'integer', sql`expires_at < ${before(1)}`);
      await forget(
        'webhook_events',
        'bigint',
        sql`status IN ('completed', 'failed') AND created_at < ${before(webhookEventDays)}`,
      );
      await forget(
        'mails',
        'integer',
        sql`status IN ('sent', 'withdrawn', 'failed') AND created_at < ${before(mailDays)}
          AND NOT EXISTS (SELECT FROM invitations WHERE invitations.mail_id = mails.id)`,
      );
      await forget('audit_entries', 'bigint', sql`created_at < ${before(auditRetentionDays)}`);
      await database.execute(
        sql`DELETE FROM login_attempts WHERE window_start < ${before(loginAttemptDays)}`,
      );
      await database.execute(
        sql`DELETE FROM outbound_counts WHERE window_start < ${before(outboundCountDays)}`,
      );
      await database.execute(sql`DELETE FROM prompt_list_reads WHERE hour < ${before(1)}`);
    },
  };
}
