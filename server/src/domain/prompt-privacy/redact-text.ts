import { replaceCardNumbers } from './card-number.ts';
import { replaceIbans } from './iban.ts';
import { replacePhoneNumbers } from './phone-number.ts';
import { replaceSecrets } from './secrets.ts';

/**
 * A text with markers such as `[email]` in place of secrets and personal data: private keys, tokens, API keys, passwords in
 * assignments, e-mail addresses, IBANs, card and phone numbers. The time it takes grows with the length alone, whatever
 * the text is: each pattern begins only where a run of its characters begins, or has a bound.
 */
export function redactText(text: string): string {
  if (text.length < shortest) return text;
  const withoutSecrets = replaceSecrets(text).replace(email, '[email]');
  if (!digits.test(withoutSecrets)) return withoutSecrets;
  return replacePhoneNumbers(replaceCardNumbers(replaceIbans(withoutSecrets)));
}

/** `a@b.co`, `pin=12` */
const shortest = 6;

/** Nothing shorter is an IBAN, card or phone number. */
const digits = /\d[^\n]{0,2}\d/;

const email =
  /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}/gu;
