import type { RoleName } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { OutboundEffectName } from '#domain/outbound-effects.ts';
import { type EffectUse, requireEffect, takeEffect } from '#outbound/take-effect.ts';
import type { Keyring } from '#platform/keyring.ts';
import { mailLinkPlace, sealSecret } from '#platform/seal-secret.ts';
import type { MailWords } from './mail-words.ts';
import { insertMail, sealLink, withdrawMail } from './store.ts';

export interface NewMail {
  /** Its limits are those of `outboundEffects`. */
  readonly effect: OutboundEffectName;
  /** `null` for a mail to a person without an account: no tenant sees it. */
  readonly tenantId: number | null;
  /** The user who causes it; absent for jobs and strangers. */
  readonly actorId?: number | null;
  readonly to: string;
  readonly subject: MailWords;
  /** Paragraphs are separated by empty lines. */
  readonly body: MailWords;
  /** Text of the link. */
  readonly action: string;
  readonly link: string;
  /** The role of the account that the link opens: only those who may assign that role see the link. */
  readonly opensRole: RoleName;
  /** When the mail loses its use. */
  readonly expiresAt: Date;
}

/** Queues mails in the transaction of what causes them: they are sent if and only if it commits. */
export interface Mailbox {
  /**
   * Returns the mail's id. Without a mail server it is held for administrators, who pass its link on.
   * @throws ConsoleError 429 with the limit that is used up, 403 for a suspended tenant
   */
  put(tx: TenantTransaction, mail: NewMail): Promise<number>;
  /** Like `put`, for mails that nobody waits for: returns `null` instead of failing. */
  putNotice(tx: TenantTransaction, mail: NewMail): Promise<number | null>;
  /** Invalidates a mail: its link is deleted, and it is not sent if it was not. */
  withdraw(tx: TenantTransaction, tenantId: number | null, mailId: number): Promise<void>;
}

export function createMailbox({
  keyring,
  hasServer,
}: {
  readonly keyring: Pick<Keyring, 'sealingKey'>;
  readonly hasServer: boolean;
}): Mailbox {
  const insert = async (tx: TenantTransaction, mail: NewMail) => {
    const { tenantId, link, subject, body, actorId: _actorId, ...others } = mail;
    const status = hasServer ? ('queued' as const) : ('held' as const);
    const mailId = await insertMail(tx, {
      ...others,
      tenantId,
      subject: subject.text,
      body: body.text,
      status,
    });
    const sealed = sealSecret(keyring.sealingKey, mailLinkPlace(tenantId, mailId), link);
    await sealLink(tx, mailId, sealed);
    return mailId;
  };
  return {
    async put(tx, mail) {
      await requireEffect(tx, useOf(mail));
      return insert(tx, mail);
    },
    async putNotice(tx, mail) {
      return (await takeEffect(tx, useOf(mail))) ? null : insert(tx, mail);
    },
    withdraw: withdrawMail,
  };
}

function useOf({ effect, tenantId, actorId, to, opensRole }: NewMail): EffectUse {
  return {
    effect,
    tenantId,
    actorId: actorId ?? null,
    recipient: to,
    isForAdministrator: opensRole !== 'user',
  };
}
