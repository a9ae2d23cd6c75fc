import { toMailLine } from '@sluice/contract';

/** Text of a mail that is safe to send; `mailWords` makes it. */
export class MailWords {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Template tag of subjects and bodies. What the template itself says stays; each value becomes a line without links,
 * since people choose names, and rows from before a rule may hold anything.
 */
export function mailWords(
  parts: TemplateStringsArray,
  ...values: readonly (string | MailWords)[]
): MailWords {
  const words = values.map((value) => (value instanceof MailWords ? value.text : toMailLine(value)));
  return new MailWords(parts.map((part, index) => part + (words[index] ?? '')).join(''));
}
