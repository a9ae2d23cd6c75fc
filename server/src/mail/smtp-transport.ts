import { createTransport } from 'nodemailer';
import { MailRefusedError, type MailTransport } from './mail-transport.ts';

const timeoutMs = 10_000;

/** `smtp://user:password@host:587` encrypts when the server can, `smtps://` always. */
export function createSmtpTransport({ smtpUrl, from }: { smtpUrl: string; from: string }): MailTransport {
  const smtp = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, ...mail }) {
      // As an object the address is not parsed, so that a comma in it does not make two of it.
      await smtp.sendMail({ ...mail, from, to: { name: '', address: to } }).catch((error: unknown) => {
        throw isFinal(error) ? new MailRefusedError(String(error), { cause: error }) : error;
      });
    },
    close: () => smtp.close(),
  };
}

/** What is wrong with the mail or its receiver, and not with the server or the way to it. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isAboutMail = ['EENVELOPE', 'EMESSAGE'].includes(String(Reflect.get(error, 'code')));
  const response: unknown = Reflect.get(error, 'responseCode');
  return isAboutMail && (typeof response !== 'number' || response >= 500);
}
