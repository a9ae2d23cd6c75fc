import { type RoleName, toMailLine } from '@sluice/contract';
import type { mails } from '#db/schema/mails.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { OutboundEffectName } from '#domain/outbound-effects.ts';
import { isServiceAddress } from '#domain/service-address.ts';
import { type EffectUse, requireEffect, takeEffect } from '#outbound/take-effect.ts';
import type { Keyring } from '#platform/keyring.ts';
import { mailLinkPlace, openSecret, sealSecret } from '#platform/seal-secret.ts';
import { insertMail, sealLink, withdrawMail } from './store.ts';

/** Mail text that is safe to send. Created by `mailWords`. */
export class MailWords {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Template tag for subjects and bodies. The template text is unchanged. Each value is reduced to one line without
 * links, since users choose names and old rows may contain anything.
 */
export function mailWords(
  parts: TemplateStringsArray,
  ...values: readonly (string | MailWords)[]
): MailWords {
  const words = values.map((value) => (value instanceof MailWords ? value.text : toMailLine(value)));
  return new MailWords(parts.map((part, index) => part + (words[index] ?? '')).join(''));
}

/** Link in a mail. Its origin is replaced if the public URL changes before the mail is sent. */
export interface MailLink {
  /** Public URL without a trailing slash. */
  readonly origin: string;
  readonly path: string;
}

export interface NewMail {
  /** Kind of mail, which determines its limits (`outboundEffects`). */
  readonly effect: OutboundEffectName;
  /**
   * Tenant of the recipient; `null` for a recipient without an account. A mail without a tenant is visible to no
   * tenant.
   */
  readonly tenantId: number | null;
  /** User who caused the mail. Absent for jobs and unauthenticated callers. */
  readonly actorId?: number | null;
  readonly to: string;
  readonly subject: MailWords;
  readonly body: MailWords;
  readonly action: string;
  readonly link: MailLink;
  /** Role of the account that the link opens. Only users who may assign this role see the link. */
  readonly opensRole: RoleName;
  readonly expiresAt: Date;
}

/** Queues mails in the transaction that causes them. A mail is queued if and only if the transaction commits. */
export interface Mailbox {
  /**
   * Queues a mail and returns its id. Without a mail server, the mail is held for administrators, who share its link.
   * @throws ConsoleError 429 if a limit is reached, 403 for a suspended tenant
   */
  put(tx: TenantTransaction, mail: NewMail): Promise<number>;
  /**
   * Queues a mail that no caller depends on. Returns `null` if the limits do not permit the mail or the recipient is a
   * service account.
   */
  putNotice(tx: TenantTransaction, mail: NewMail): Promise<number | null>;
  /** Invalidates a mail: deletes its link, and removes the mail from the queue if it was not sent. */
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
      linkOrigin: link.origin,
      status,
    });
    const sealed = sealSecret(
      keyring.sealingKey,
      mailLinkPlace(tenantId, mailId),
      `${link.origin}${link.path}`,
    );
    await sealLink(tx, mailId, sealed);
    return mailId;
  };
  return {
    async put(tx, mail) {
      await requireEffect(tx, useOf(mail));
      return insert(tx, mail);
    },
    async putNotice(tx, mail) {
      if (isServiceAddress(mail.to)) return null;
      return (await takeEffect(tx, useOf(mail))) ? null : insert(tx, mail);
    },
    withdraw: withdrawMail,
  };
}

export function openMailLink(
  { sealingKey }: Pick<Keyring, 'sealingKey'>,
  publicUrl: string,
  mail: Pick<typeof mails.$inferSelect, 'id' | 'tenantId' | 'linkOrigin'> & { sealedLink: Buffer },
): string {
  const link = openSecret(sealingKey, mailLinkPlace(mail.tenantId, mail.id), mail.sealedLink);
  return mail.linkOrigin === null ? link : `${publicUrl}${link.slice(mail.linkOrigin.length)}`;
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
