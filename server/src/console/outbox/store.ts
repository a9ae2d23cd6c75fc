import { and, count, desc, eq, lt, sql } from 'drizzle-orm';
import { containsText } from '#db/contains-text.ts';
import { mails } from '#db/schema/mails.ts';
import { roles } from '#db/schema/users.ts';
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
  linkOrigin: mails.linkOrigin,
  opensRole: roles.name,
  isOfUse: sql<boolean>`${mails.expiresAt} > now()`,
  createdAt: mails.createdAt,
  sentAt: mails.sentAt,
};

export interface MailFilters {
  readonly search?: string | undefined;
  /** Only returns emails with a lower id. */
  readonly before?: number | undefined;
}

function mailCondition(tenantId: number, { search = '', before }: MailFilters) {
  return and(
    eq(mails.tenantId, tenantId),
    search.trim() === '' ? undefined : containsText(search.trim(), mails.toAddress, mails.subject),
    before === undefined ? undefined : lt(mails.id, before),
  );
}

export function selectMails(
  tx: TenantTransaction,
  tenantId: number,
  { skip, limit, ...filters }: MailFilters & { skip: number; limit: number },
) {
  return tx
    .select(mailColumns)
    .from(mails)
    .innerJoin(roles, eq(roles.id, mails.opensRoleId))
    .where(mailCondition(tenantId, filters))
    .orderBy(desc(mails.id))
    .offset(skip)
    .limit(limit);
}

export type MailRow = Awaited<ReturnType<typeof selectMails>>[number];

export async function countMails(
  tx: TenantTransaction,
  tenantId: number,
  filters: MailFilters,
): Promise<number> {
  const counted = tx
    .select({ id: mails.id })
    .from(mails)
    .where(mailCondition(tenantId, filters))
    .limit(totalCountMax + 1)
    .as('counted');
  const [row] = await tx.select({ total: count() }).from(counted);
  return row?.total ?? 0;
}

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
