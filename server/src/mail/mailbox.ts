import type { RoleName } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Keyring } from '#platform/keyring.ts';
import { mailLinkPlace, sealSecret } from '#platform/seal-secret.ts';
import type { MailText } from './render-mail.ts';
import { insertMail, sealLink, withdrawMail } from './store.ts';

export interface NewMail extends MailText {
  readonly tenantId: number;
  readonly to: string;
  /** The role of the account that the link opens: only who may give that role is shown the link. */
  readonly opensRole: RoleName;
  /** From when on nobody needs it. */
  readonly expiresAt: Date;
}

/** Where mails are put in the transaction of what causes them: they leave if and only if it commits. */
export interface Mailbox {
  /** Answers the mail's id. Without a mail server it is held for administrators, who pass its link on. */
  put(tx: TenantTransaction, mail: NewMail): Promise<number>;
  /** Its link leads nowhere any more: it is forgotten, and the mail is not sent if it was not. */
  withdraw(tx: TenantTransaction, tenantId: number, mailId: number): Promise<void>;
}

export function createMailbox({
  keyring,
  hasServer,
}: {
  readonly keyring: Pick<Keyring, 'sealingKey'>;
  readonly hasServer: boolean;
}): Mailbox {
  return {
    async put(tx, { tenantId, link, subject, ...mail }) {
      const mailId = await insertMail(tx, {
        ...mail,
        tenantId,
        subject: subject.replace(/\s+/g, ' '),
        status: hasServer ? 'queued' : 'held',
      });
      const sealed = sealSecret(keyring.sealingKey, mailLinkPlace(tenantId, mailId), link);
      await sealLink(tx, tenantId, mailId, sealed);
      return mailId;
    },
    withdraw: withdrawMail,
  };
}
