import { createTransport } from 'nodemailer';

export interface OutgoingMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Message id. The same for each attempt to send a mail, so that the receiver may drop duplicates. */
  readonly messageId: string;
}

export interface MailTransport {
  /**
   * Resolves when the next server has accepted the mail.
   * @throws MailRefusedError if the mail will never be accepted
   */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** Thrown when the mail itself is rejected and a retry is useless. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';
}

const timeoutMs = 10_000;

/** `smtp://user:password@host:587` encrypts if the server supports encryption, `smtps://` always encrypts. */
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
      // An address object is not parsed, so a comma in the address cannot add a second recipient.
      await smtp.sendMail({ ...mail, from, to: { name: '', address: to } }).catch((error: unknown) => {
        throw isFinal(error) ? new MailRefusedError(String(error), { cause: error }) : error;
      });
    },
    close: () => smtp.close(),
  };
}

/** Returns whether an error concerns the mail or its recipient instead of the server or the connection. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isAboutMail = ['EENVELOPE', 'EMESSAGE'].includes(String(Reflect.get(error, 'code')));
  const response: unknown = Reflect.get(error, 'responseCode');
  return isAboutMail && (typeof response !== 'number' || response >= 500);
}
