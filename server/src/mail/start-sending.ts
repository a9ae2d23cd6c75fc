import { Cron } from 'croner';
import { sql } from 'drizzle-orm';
import { mails } from '#db/schema/mails.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Keyring } from '#platform/keyring.ts';
import type { Logger } from '#platform/logger.ts';
import { attemptDueRows, type RetryQueue } from '#retry-queue/retry-queue.ts';
import { openMailLink } from './mailbox.ts';
import { MailRefusedError, type MailTransport } from './smtp-transport.ts';
import {
  dropExpiredMails,
  hasQueuedMails,
  holdUnsentMails,
  isMailQueued,
  isMailSendable,
  queueHeldMails,
} from './store.ts';

export interface MailText {
  readonly subject: string;
  readonly body: string;
  readonly action: string;
  readonly link: string;
}

/** Escapes names in HTML. */
export function renderMail({ subject, body, action, link }: MailText): { text: string; html: string } {
  const paragraphs = body.split('\n\n').map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`);
  const button = `<p><a href="${escapeHtml(link)}">${escapeHtml(action)}</a></p>`;
  const title = `<title>${escapeHtml(subject)}</title>`;
  return {
    text: `${body}\n\n${action}: ${link}\n`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8">${title}</head><body>${paragraphs.join('')}${button}</body></html>`,
  };
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

export interface SendingDeps {
  readonly database: SystemDatabase;
  readonly keyring: Pick<Keyring, 'sealingKey'>;
  /** Mail transport; `null` if there is no mail server. Mails then remain in the outbox. */
  readonly transport: MailTransport | null;
  /** Public URL for links, without a trailing slash. */
  readonly publicUrl: string;
  readonly log: Logger;
}

const errorMaxLength = 500;

function createMailQueue(
  { keyring, publicUrl, log }: Pick<SendingDeps, 'keyring' | 'publicUrl' | 'log'>,
  transport: MailTransport,
): RetryQueue<typeof mails> {
  return {
    table: mails,
    isOpen: isMailQueued,
    isScheduled: isMailSendable,
    claimSeconds: 300,
    retrySeconds: [30, 120, 600, 3_600, 6 * 3_600, 24 * 3_600],
    started: { attempts: sql`${mails.attempts} + 1` },
    attemptsOf: ({ attempts }) => attempts,
    async attempt(mail) {
      const { id, toAddress: to, subject, sealedLink } = mail;
      if (!sealedLink) throw new MailRefusedError('The link of this email has been deleted');
      const link = openMailLink(keyring, publicUrl, { ...mail, sealedLink });
      const messageId = `<mail-${id}-${mail.createdAt.getTime()}@sluice>`;
      await transport.send({ to, subject, messageId, ...renderMail({ ...mail, link }) });
    },
    isFinal: (error) => error instanceof MailRefusedError,
    succeeded: () => ({ status: 'sent', sentAt: new Date(), sealedLink: null, error: null }),
    failed: (_mail, { message, isGivenUp }) => ({
      error: message.slice(0, errorMaxLength),
      ...(isGivenUp && { status: 'failed' }),
    }),
    onFailed: ({ id, attempts }, { error }) =>
      log.warn({ mailId: id, attempt: attempts, error }, 'an email could not be sent'),
  };
}

/** Sends queued mails every two seconds and retries failed ones. */
export function startSending(deps: SendingDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let isFailing = false;
  let running = Promise.resolve();
  const round = () => {
    running = sendDueMails(deps, stopping.signal).then(
      () => {
        isFailing = false;
      },
      (error) => {
        if (!isFailing) deps.log.warn({ error }, 'emails cannot be sent at the moment; they stay queued');
        isFailing = true;
      },
    );
    return running;
  };
  const cron = new Cron('*/2 * * * * *', { timezone: 'UTC', protect: true, unref: true }, round);
  return {
    async stop() {
      stopping.abort();
      cron.stop();
      await running;
      deps.transport?.close();
    },
  };
}

/** Runs one round until no mail is due or the signal aborts. Several nodes may run rounds concurrently. */
export async function sendDueMails(deps: SendingDeps, signal: AbortSignal): Promise<void> {
  const { database, transport } = deps;
  if (transport) await queueHeldMails(database);
  if (!(await hasQueuedMails(database))) return;
  await dropExpiredMails(database);
  if (!transport) return holdUnsentMails(database);
  await attemptDueRows(database, createMailQueue(deps, transport), { signal });
}
