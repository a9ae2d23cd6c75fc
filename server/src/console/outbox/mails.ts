import type { ExportFormat, Mail } from '@sluice/contract';
import { startExport } from '#console/exports/start-export.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { mayManage } from '#domain/role.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { Download, SignedInContext } from '#http/console-route.ts';
import { Page } from '#http/verbs.ts';
import { openMailLink } from '#mail/mailbox.ts';
import { requireEffect } from '#outbound/take-effect.ts';
import type { Keyring } from '#platform/keyring.ts';
import { countMails, lockMail, type MailFilters, type MailRow, queueAgain, selectMails } from './store.ts';

export interface LinkOpener {
  readonly keyring: Pick<Keyring, 'sealingKey'>;
  /** Public base URL of displayed links, without a trailing slash. */
  readonly publicUrl: string;
}

export async function listMails(
  links: LinkOpener,
  tx: TenantTransaction,
  author: Principal,
  query: MailFilters & { skip: number; limit: number },
): Promise<Page<Mail[]>> {
  const { tenantId } = author;
  const totalCount = formatTotalCount(await countMails(tx, tenantId, query));
  const rows = await selectMails(tx, tenantId, query);
  return new Page(
    rows.map((row) => toMail(links, author, row)),
    totalCount,
  );
}

/**
 * Maps an email. Its link gives access to an account, so the link is only included while it is of use, if the email
 * was not sent and the caller may assign the account's role.
 */
function toMail({ keyring, publicUrl }: LinkOpener, principal: Principal, row: MailRow): Mail {
  const { id, sealedLink } = row;
  const isStranded = row.status === 'held' || row.status === 'failed';
  const isShown = sealedLink && isStranded && row.isOfUse && mayManage(principal.role, row.opensRole);
  return {
    id,
    to_address: row.toAddress,
    subject: row.subject,
    status: row.status,
    error: row.error,
    link: isShown ? openMailLink(keyring, publicUrl, { ...row, sealedLink }) : null,
    created_at: row.createdAt.toISOString(),
    sent_at: row.sentAt?.toISOString() ?? null,
  };
}

const batchRows = 500;

/** Links are omitted, because they give access to accounts. */
export function exportMails(
  links: LinkOpener,
  ctx: SignedInContext,
  { format, ...filters }: MailFilters & { format: ExportFormat },
): Promise<Download> {
  return startExport<Mail, number>(ctx, {
    noun: 'outbox',
    format,
    filters: { ...filters },
    columns: {
      id: ({ id }) => id,
      to_address: ({ to_address }) => to_address,
      subject: ({ subject }) => subject,
      status: ({ status }) => status,
      error: ({ error }) => error,
      created_at: ({ created_at }) => created_at,
      sent_at: ({ sent_at }) => sent_at,
    },
    keyOf: ({ id }) => id,
    readBatch: async (tx, before) => {
      const page = { ...filters, skip: 0, limit: batchRows, before };
      const rows = await selectMails(tx, ctx.principal.tenantId, page);
      return rows.map((row) => ({ ...toMail(links, ctx.principal, row), link: null }));
    },
  });
}

export async function retryMail(
  { hasServer, ...links }: LinkOpener & { readonly hasServer: boolean },
  tx: TenantTransaction,
  author: Principal,
  mailId: number,
): Promise<Mail> {
  const { tenantId } = author;
  const mail = await lockMail(tx, tenantId, mailId);
  if (!mail) throw notFound('Mail');
  if (mail.status === 'sent') throw new ConsoleError(409, 'This email has already been sent');
  if (!mail.sealedLink || !mail.isOfUse)
    throw new ConsoleError(409, 'The link in this email is no longer valid, so the email cannot be sent');
  if (!hasServer)
    throw new ConsoleError(409, 'No mail server is configured. Please share the link yourself.');
  await requireEffect(tx, {
    effect: 'mail_retry',
    tenantId,
    actorId: author.userId,
    recipient: mail.toAddress,
  });
  await queueAgain(tx, tenantId, mailId);
  return toMail(links, author, { ...mail, status: 'queued', error: null });
}
