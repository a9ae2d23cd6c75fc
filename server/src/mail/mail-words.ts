import { toMailLine } from '@sluice/contract';

/** Text of a mail that is safe to send; created by `mailWords`. */
export class MailWords {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Template tag of subjects and bodies. The template stays as is; each value becomes one line without links, since users
 * choose names and old rows may contain anything.
 */
export function mailWords(
  parts: TemplateStringsArray,
  ...values: readonly (string | MailWords)[]
): MailWords {
  const words = values.map((value) => (value instanceof MailWords ? value.text : toMailLine(value)));
  return new MailWords(parts.map((part, index) => part + (words[index] ?? '')).join(''));
}
