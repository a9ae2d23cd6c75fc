import { and, eq, exists, lt, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { deleteInBatches } from '#db/delete-in-batches.ts';
import { idempotencyKeys } from '#db/schema/platform.ts';
import { tenants } from '#db/schema/tenants.ts';
import { sessions } from '#db/schema/users.ts';
import { auditRetentionDays, retentionCutoff, retentionPattern } from '#domain/retention.ts';
import type { Clock } from '#platform/clock.ts';
import type { Job, TransactionJob } from './job.ts';

/** Number of days until a mail is deleted that was sent or is no longer needed. */
const mailDays = 90;
/** Webhook events are kept as long as audit entries, which exceeds the half year in which payments are checked. */
const webhookEventDays = auditRetentionDays;
/** Sign-in attempts count for at most one hour. */
const loginAttemptDays = 2;
/** Windows of outbound limits last at most one day. */
const outboundCountDays = 2;

/**
 * Deletes old rows of other tables every night. Decided appeals and score events are kept as long as the tenant's log
 * rows. A user's last score event is never deleted, because it may be the reason for a block.
 */
export function createDeleteOldRows(clock: Clock): Job {
  return {
    name: 'delete-old-rows',
    pattern: retentionPattern,
    isLong: true,
    async runInSteps({ database, signal }) {
      const before = (days: number) => sql`${retentionCutoff(clock(), days).toISOString()}::timestamptz`;
      const deleteRows = (table: string, keyType: 'bigint' | 'integer', condition: SQL) =>
        deleteInBatches(database, { table, key: 'id', keyType, condition }, signal);
      const isBeyondLog = (table: string) =>
        sql`${sql.identifier(table)}.created_at < ${before(0)} - make_interval(days =>
          (SELECT retention_days FROM tenants WHERE tenants.id = ${sql.identifier(table)}.tenant_id))`;
      await deleteRows('appeals', 'integer', sql`status <> 'open' AND ${isBeyondLog('appeals')}`);
      await deleteRows(
        'score_events',
        'bigint',
        sql`${isBeyondLog('score_events')}
          AND EXISTS (SELECT FROM score_events later WHERE later.user_id = score_events.user_id AND later.id > score_events.id)
          AND NOT EXISTS (SELECT FROM appeals WHERE appeals.score_event_id = score_events.id)`,
      );
      await deleteRows('provider_refusals', 'integer', sql`refused_at < ${before(1)}`);
      await deleteRows('signups', 'integer', sql`expires_at < ${before(1)}`);
      await deleteRows('sign_in_attempts', 'integer', sql`expires_at < ${before(1)}`);
      await deleteRows('device_codes', 'integer', sql`expires_at < ${before(1)}`);
      await deleteRows('password_resets', 'integer', sql`expires_at < ${before(1)}`);
      await deleteRows('sign_in_tickets', 'integer', sql`expires_at < ${before(1)}`);
      await deleteRows(
        'webhook_events',
        'bigint',
        sql`status IN ('completed', 'failed') AND created_at < ${before(webhookEventDays)}`,
      );
      await deleteRows(
        'mails',
        'integer',
        sql`status IN ('sent', 'withdrawn', 'failed') AND created_at < ${before(mailDays)}
          AND NOT EXISTS (SELECT FROM invitations WHERE invitations.mail_id = mails.id)`,
      );
      await deleteRows('audit_entries', 'bigint', sql`created_at < ${before(auditRetentionDays)}`);
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

/** Deletes responses of idempotency keys after 24 hours. */
export const deleteExpiredIdempotencyKeys: Job = {
  name: 'delete-expired-idempotency-keys',
  pattern: '43 * * * *',
  async run(tx) {
    await tx.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, sql`now() - interval '24 hours'`));
  },
};

/** The last use of a session is recorded at most once in five minutes (`server/src/console/auth/session-use.ts`). */
const unrecordedMinutes = 5;

/** Ends sessions that are idle for longer, or older, than their tenant's policy allows. */
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

/**
 * Deletes expired sessions. The last session per address of a user is kept for 90 days, since sign-in throttling
 * exempts addresses that the user has used.
 */
export const deleteExpiredSessions: Job = {
  name: 'delete-expired-sessions',
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

/**
 * Deletes expired usage every night, only in whole days of the tenant's time zone and from both rollups and days, so
 * that both remain consistent.
 */
export function createDeleteExpiredUsage(clock: Clock): Job {
  return {
    name: 'delete-expired-usage',
    pattern: retentionPattern,
    isLong: true,
    async runInSteps({ database, log, signal }) {
      const { id, timeZone, usageRetentionDays } = tenants;
      const kept = await database.select({ id, timeZone, days: usageRetentionDays }).from(tenants);
      let deleted = 0;
      for (const { id: tenantId, timeZone: zone, days } of kept) {
        const cutoff = sql`${retentionCutoff(clock(), days).toISOString()}::timestamptz`;
        const firstDay = sql`(${cutoff} AT TIME ZONE ${zone})::date`;
        const isOld = {
          usage_rollups: sql`bucket_start < ${firstDay}::timestamp AT TIME ZONE ${zone}`,
          labeled_usage: sql`bucket_start < ${firstDay}::timestamp AT TIME ZONE ${zone}`,
          usage_days: sql`day < ${firstDay}`,
        };
        for (const [table, condition] of Object.entries(isOld))
          deleted += await deleteInBatches(
            database,
            { table, key: 'ctid', keyType: 'tid', condition: sql`tenant_id = ${tenantId} AND ${condition}` },
            signal,
          );
      }
      if (deleted > 0) log.info({ rows: deleted }, 'old usage was deleted');
    },
  };
}

/**
 * Deletes previous keys after their expiry. The gateway stops using a key at its expiry even if this job has not run.
 */
export const deletePreviousProviderKeys: TransactionJob = {
  name: 'delete-previous-provider-keys',
  pattern: '*/10 * * * * *',
  async run(tx) {
    await tx.execute(sql`
      UPDATE llm_providers SET sealed_former_api_key = NULL, former_api_key_expires_at = NULL
      WHERE sealed_former_api_key IS NOT NULL AND former_api_key_expires_at <= now()`);
  },
};
