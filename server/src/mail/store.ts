import type { RoleName } from '@sluice/contract';
import { and, eq, isNotNull, lte, ne, type SQL, sql } from 'drizzle-orm';
import { mails } from '#db/schema/mails.ts';
import { roles } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { type OutboundEffect, type OutboundEffectName, outboundEffects } from '#domain/outbound-effects.ts';

export interface MailColumns {
  effect: OutboundEffectName;
  tenantId: number | null;
  to: string;
  subject: string;
  body: string;
  action: string;
  linkOrigin: string;
  opensRole: RoleName;
  status: 'queued' | 'held';
  expiresAt: Date;
}

export async function insertMail(tx: TenantTransaction, columns: MailColumns): Promise<number> {
  const { to: toAddress, opensRole, ...others } = columns;
  const opensRoleId = sql<number>`(SELECT id FROM ${roles} WHERE name = ${opensRole})`;
  const [row] = await tx
    .insert(mails)
    .values({ ...others, toAddress, opensRoleId })
    .returning({ id: mails.id });
  if (!row) throw new Error('the insert returned no row');
  return row.id;
}

export async function sealLink(tx: TenantTransaction, mailId: number, sealedLink: Buffer): Promise<void> {
  await tx.update(mails).set({ sealedLink }).where(eq(mails.id, mailId));
}

export async function withdrawMail(
  tx: TenantTransaction,
  tenantId: number | null,
  mailId: number,
): Promise<void> {
  await tx
    .update(mails)
    .set({ status: 'withdrawn', sealedLink: null })
    .where(and(isMail(tenantId, mailId), ne(mails.status, 'sent')));
}

const isMail = (tenantId: number | null, mailId: number) =>
  and(sql`${mails.tenantId} IS NOT DISTINCT FROM ${tenantId}`, eq(mails.id, mailId));

const isOfSuspended = sql`EXISTS (SELECT FROM tenants WHERE tenants.id = mails.tenant_id AND tenants.status = 'suspended')`;
const effectsForSuspended = Object.entries<OutboundEffect>(outboundEffects)
  .filter(([, { isForSuspended: isSent = false }]) => isSent)
  .map(([name]) => name);
const isForSuspended = sql`(mails.effect = ANY(${sql.param(effectsForSuspended)}::text[])
  AND mails.opens_role_id <> (SELECT id FROM roles WHERE name = 'user'))`;

/** Condition for queued mails. A withdrawn mail is not queued, even if it is being sent. */
export const isMailQueued = sql`${mails.status} = 'queued'`;

export const isMailSendable = sql`${mails.expiresAt} > now() AND NOT (${isOfSuspended} AND NOT ${isForSuspended})`;

export async function hasQueuedMails(database: SystemDatabase): Promise<boolean> {
  return isThere(database, isMailQueued);
}

/** Condition for recently held mails. Older links were probably shared manually. */
const isFreshlyHeld = sql`${mails.status} = 'held' AND ${mails.sealedLink} IS NOT NULL AND ${mails.expiresAt} > now()
  AND ${mails.createdAt} > now() - interval '1 hour'`;

/** Queues mails that nodes without a mail server have held within the last hour. */
export async function queueHeldMails(database: SystemDatabase): Promise<void> {
  if (!(await isThere(database, isFreshlyHeld))) return;
  await database.update(mails).set({ status: 'queued', nextAttemptAt: sql`now()` }).where(isFreshlyHeld);
}

async function isThere(database: SystemDatabase, condition: SQL): Promise<boolean> {
  const rows = await database.select({ id: mails.id }).from(mails).where(condition).limit(1);
  return rows.length > 0;
}

export async function dropExpiredMails(database: SystemDatabase): Promise<void> {
  await database
    .update(mails)
    .set({
      sealedLink: null,
      status: sql`CASE WHEN ${isMailQueued} THEN 'failed' ELSE ${mails.status} END`,
      error: sql`CASE WHEN ${isMailQueued} THEN coalesce(${mails.error}, 'It expired before it was sent') ELSE ${mails.error} END`,
    })
    .where(and(isNotNull(mails.sealedLink), lte(mails.expiresAt, sql`now()`)));
}

/**
 * Holds mails for administrators that have been due for a minute. A node with a mail server would have claimed them
 * within seconds.
 */
export async function holdUnsentMails(database: SystemDatabase): Promise<void> {
  const isLeft = sql`${isMailQueued} AND ${mails.nextAttemptAt} < now() - interval '1 minute'`;
  await database.update(mails).set({ status: 'held' }).where(isLeft);
}
