import type { Mail } from '@sluice/contract';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { requireEffect } from '#outbound/take-effect.ts';
import { type LinkOpener, toMail } from './list.ts';
import { lockMail, queueAgain } from './store.ts';

/** Queues a mail that failed or was held again. */
export function retryMail(
  { keyring, hasServer }: { keyring: LinkOpener; hasServer: boolean },
  { principal, inTenant }: SignedInContext,
  mailId: number,
): Promise<Mail> {
  const { tenantId } = principal;
  return inTenant(async (tx) => {
    const mail = await lockMail(tx, tenantId, mailId);
    if (!mail) throw notFound('Mail');
    if (mail.status === 'sent') throw new ConsoleError(409, 'This mail was sent already');
    if (!mail.sealedLink || !mail.isOfUse) throw new ConsoleError(409, 'This mail is of no use any more');
    if (!hasServer)
      throw new ConsoleError(409, 'No mail server is set up. Please pass the link on yourself.');
    await requireEffect(tx, {
      effect: 'mail_retry',
      tenantId,
      actorId: principal.userId,
      recipient: mail.toAddress,
    });
    await queueAgain(tx, tenantId, mailId);
    return toMail(keyring, principal, { ...mail, status: 'queued', error: null });
  });
}
