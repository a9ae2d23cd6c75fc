import { and, count, desc, eq, sql } from 'drizzle-orm';
import { mails } from '#db/schema/mails.ts';
import { roles } from '#db/schema/roles.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { totalCountMax } from '#domain/total-count.ts';

const mailColumns = {
  id: mails.id,
  tenantId: mails.tenantId,
  toAddress: mails.toAddress,
  subject: mails.subject,
  status: mails.status,
  error: mails.error,
  sealedLink: mails.sealedLink,
  opensRole: roles.name,
  isOfUse: sql<boolean>`${mails.expiresAt} > now()`,
  createdAt: mails.createdAt,
  sentAt: mails.sentAt,
};

export function selectMails(tx: TenantTransaction, tenantId: number, page: { skip: number; limit: number }) {
  return tx
    .select(mailColumns)
    .from(mails)
    .innerJoin(roles, eq(roles.id, mails.opensRoleId))
    .where(eq(mails.tenantId, tenantId))
    .orderBy(desc(mails.id))
    .offset(page.skip)
    .limit(page.limit);
}

export type MailRow = Awaited<ReturnType<typeof selectMails>>[number];

export async function countMails(tx: TenantTransaction, tenantId: number): Promise<number> {
  const counted = tx
    .select({ id: mails.id })
    .from(mails)
    .where(eq(mails.tenantId, tenantId))
    .limit(totalCountMax + 1)
    .as('counted');
  const [row] = await tx.select({ total: count() }).from(counted);
  return row?.total ?? 0;
}

/** A mail that this transaction alone may change until its end. */
export async function lockMail(tx: TenantTransaction, tenantId: number, mailId: number) {
  const [row] = await tx
    .select(mailColumns)
    .from(mails)
    .innerJoin(roles, eq(roles.id, mails.opensRoleId))
    .where(and(eq(mails.tenantId, tenantId), eq(mails.id, mailId)))
    .for('no key update', { of: mails });
  return row;
}

export async function queueAgain(tx: TenantTransaction, tenantId: number, mailId: number): Promise<void> {
  await tx
    .update(mails)
    .set({ status: 'queued', attempts: 0, nextAttemptAt: sql`now()`, error: null })
    .where(and(eq(mails.tenantId, tenantId), eq(mails.id, mailId)));
}
