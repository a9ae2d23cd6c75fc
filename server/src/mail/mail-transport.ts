/** One mail on its way out. */
export interface OutgoingMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same for each attempt at one mail, so that a receiver may drop a repetition. */
  readonly messageId: string;
}

/** What carries mails to other machines. */
export interface MailTransport {
  /** Resolves when the next machine has taken the mail. @throws MailRefusedError when it never will. */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** The mail itself is refused: to try again would change nothing. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';
}
