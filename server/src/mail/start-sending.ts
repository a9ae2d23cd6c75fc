import { Cron } from 'croner';
import { sql } from 'drizzle-orm';
import type { SystemDatabase } from '#db/system.ts';
import type { Keyring } from '#platform/keyring.ts';
import type { Logger } from '#platform/logger.ts';
import { mailLinkPlace, openSecret } from '#platform/seal-secret.ts';
import { MailRefusedError, type MailTransport } from './smtp-transport.ts';
import {
  claimDueMail,
  type DueMail,
  dropExpiredMails,
  endAttempt,
  hasQueuedMails,
  holdUnsentMails,
  queueHeldMails,
} from './store.ts';

/** Content of a mail, with a link at the end. Paragraphs of the body are separated by empty lines. */
export interface MailText {
  readonly subject: string;
  readonly body: string;
  /** Text of the link. */
  readonly action: string;
  readonly link: string;
}

/** Renders a mail as plain text and as HTML with escaped names. */
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
  /** `null` without a mail server: mails then stay in the outbox. */
  readonly transport: MailTransport | null;
  readonly log: Logger;
}

/** Longer than one attempt takes. */
const claimSeconds = 300;
const retrySeconds = [30, 120, 600, 3_600, 6 * 3_600, 24 * 3_600];

/** Sends queued mails every two seconds and retries failed ones. */
export function startSending(deps: SendingDeps): { stop(): Promise<void> } {
  let isStopping = false;
  let isFailing = false;
  let running = Promise.resolve();
  const round = () => {
    running = sendDueMails(deps, () => isStopping).then(
      () => {
        isFailing = false;
      },
      (error) => {
        if (!isFailing) deps.log.warn({ error }, 'mails cannot be sent at the moment; they stay queued');
        isFailing = true;
      },
    );
    return running;
  };
  const cron = new Cron('*/2 * * * * *', { timezone: 'UTC', protect: true, unref: true }, round);
  return {
    async stop() {
      isStopping = true;
      cron.stop();
      await running;
      deps.transport?.close();
    },
  };
}

/** Runs one round until no mail is due; several nodes may run at once. */
export async function sendDueMails(deps: SendingDeps, isStopping = () => false): Promise<void> {
  const { database, transport } = deps;
  if (transport) await queueHeldMails(database);
  if (!(await hasQueuedMails(database))) return;
  await dropExpiredMails(database);
  if (!transport) return holdUnsentMails(database);
  const againAt = sql`now() + make_interval(secs => ${claimSeconds})`;
  while (!isStopping()) {
    const mail = await claimDueMail(database, againAt);
    if (!mail) return;
    await attempt(deps, transport, mail);
  }
}

async function attempt(
  { database, keyring, log }: SendingDeps,
  transport: MailTransport,
  mail: DueMail,
): Promise<void> {
  try {
    const { id, tenantId, toAddress: to, subject, sealedLink } = mail;
    if (!sealedLink) throw new MailRefusedError('The link of this mail has been deleted');
    const link = openSecret(keyring.sealingKey, mailLinkPlace(tenantId, id), sealedLink);
    const messageId = `<mail-${id}-${mail.createdAt.getTime()}@sluice>`;
    await transport.send({ to, subject, messageId, ...renderMail({ ...mail, link }) });
    await endAttempt(database, id, { status: 'sent', sentAt: new Date(), sealedLink: null, error: null });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const seconds = error instanceof MailRefusedError ? undefined : retrySeconds[mail.attempts - 1];
    log.warn({ mailId: mail.id, attempt: mail.attempts, error }, 'a mail could not be sent');
    await endAttempt(database, mail.id, {
      error: reason.slice(0, 500),
      ...(seconds === undefined
        ? { status: 'failed' }
        : { nextAttemptAt: sql`now() + make_interval(secs => ${seconds})` }),
    });
  }
}
