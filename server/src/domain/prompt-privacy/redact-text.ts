import { replaceCardNumbers } from './card-number.ts';
import { replaceIbans } from './iban.ts';
import { replacePhoneNumbers } from './phone-number.ts';
import { replaceSecrets } from './secrets.ts';

/**
 * Replaces secrets and personal data by markers such as `[email]`: private keys, tokens, API keys, passwords in
 * assignments, email addresses, IBANs, card and phone numbers. Takes linear time for any text: each pattern is bounded
 * or begins only at the start of a run of its characters.
 */
export function redactText(text: string): string {
  if (text.length < shortest) return text;
  const withoutSecrets = replaceSecrets(text).replace(email, '[email]');
  if (!digits.test(withoutSecrets)) return withoutSecrets;
  return replacePhoneNumbers(replaceCardNumbers(replaceIbans(withoutSecrets)));
}

/** Shortest matches: `a@b.co`, `pin=12`. */
const shortest = 6;

/** Every IBAN, card number and phone number contains this. */
const digits = /\d[^\n]{0,2}\d/;

const email =
  /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}/gu;
