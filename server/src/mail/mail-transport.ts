/** A mail to send. */
export interface OutgoingMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same for each attempt at a mail, so that a receiver may drop duplicates. */
  readonly messageId: string;
}

/** Transport that hands mails to other machines. */
export interface MailTransport {
  /**
   * Resolves when the next machine has accepted the mail.
   * @throws MailRefusedError if it never will
   */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** Thrown when the mail itself is rejected, so that a retry is useless. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';
}
