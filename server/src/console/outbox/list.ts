import type { Mail } from '@sluice/contract';
import type { Principal } from '#domain/principal.ts';
import { mayManage } from '#domain/role.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { Keyring } from '#platform/keyring.ts';
import { mailLinkPlace, openSecret } from '#platform/seal-secret.ts';
import { countMails, type MailFilters, type MailRow, selectMails } from './store.ts';

export type LinkOpener = Pick<Keyring, 'sealingKey'>;

/** Lists a page of the tenant's mails, newest first, with the links of mails that are not sent by a mail server. */
export function listMails(
  keyring: LinkOpener,
  { principal, inTenant, setHeader }: SignedInContext,
  query: MailFilters & { skip: number; limit: number },
): Promise<Mail[]> {
  const { tenantId } = principal;
  return inTenant(async (tx) => {
    setHeader('x-total-count', formatTotalCount(await countMails(tx, tenantId, query)));
    const rows = await selectMails(tx, tenantId, query);
    return rows.map((row) => toMail(keyring, principal, row));
  });
}

/**
 * Maps a mail. Its link, which opens an account, is included only if no mail server sends it, and for callers who may
 * assign the account's role.
 */
export function toMail({ sealingKey }: LinkOpener, principal: Principal, row: MailRow): Mail {
  const { id, tenantId, sealedLink } = row;
  const isStranded = row.status === 'held' || row.status === 'failed';
  const isShown = sealedLink && isStranded && row.isOfUse && mayManage(principal.role, row.opensRole);
  return {
    id,
    to_address: row.toAddress,
    subject: row.subject,
    status: row.status,
    error: row.error,
    link: isShown ? openSecret(sealingKey, mailLinkPlace(tenantId, id), sealedLink) : null,
    created_at: row.createdAt.toISOString(),
    sent_at: row.sentAt?.toISOString() ?? null,
  };
}
