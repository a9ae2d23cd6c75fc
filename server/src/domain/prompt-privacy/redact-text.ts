import type { PromptPrivacy } from '@sluice/contract';
import { replaceSecrets } from './secrets.ts';

/** IBANs may contain separators and have at most 34 characters. */
const ibanCandidate = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ \u00a0-]?[A-Za-z0-9]){11,30}/g;
const ibanLengthMin = 15;

/** Replaces IBANs with valid check digits (ISO 13616) and keeps the words after them. */
function replaceIbans(text: string): string {
  return text.replace(ibanCandidate, (run) => {
    const end = findIbanEnd(run);
    return end === null ? run : `[iban]${run.slice(end)}`;
  });
}

/** Returns the index after the longest valid IBAN at the start of the text, or `null`. */
function findIbanEnd(run: string): number | null {
  const head = run.slice(0, 4).toUpperCase();
  let remainder = 0;
  let length = 4;
  let end: number | null = null;
  for (let at = 4; at < run.length; at++) {
    const character = run[at]?.toUpperCase() ?? '';
    if (!/[A-Z0-9]/.test(character)) continue;
    remainder = addTo(remainder, character);
    length += 1;
    const isWhole = !/[A-Za-z0-9]/.test(run[at + 1] ?? '') || at + 1 - run.length === 0;
    if (length >= ibanLengthMin && isWhole && [...head].reduce(addTo, remainder) === 1) end = at + 1;
  }
  return end;
}

/** Adds a character to a number and returns the remainder modulo 97. Letters represent values from 10. */
function addTo(remainder: number, character: string): number {
  const value = Number.parseInt(character, 36);
  return (remainder * (value > 9 ? 100 : 10) + value) % 97;
}

const cardCandidate = /(?<!\d)\d{3,}(?:[ \-.\u00a0]\d{3,})*/g;
const cardLengthMin = 13;
const cardLengthMax = 19;

/** Replaces card numbers that pass the Luhn check, written with or without separators. */
function replaceCardNumbers(text: string): string {
  return text.replace(cardCandidate, (run) => (countDigits(run) < cardLengthMin ? run : replaceInRun(run)));
}

function replaceInRun(run: string): string {
  const parts = run.split(/([ \-.\u00a0])/);
  let redacted = '';
  for (let at = 0; at < parts.length; ) {
    const end = findCardEnd(parts, at);
    redacted += end === null ? `${parts[at]}${parts[at + 1] ?? ''}` : `[card]${parts[end] ?? ''}`;
    at = end === null ? at + 2 : end + 1;
  }
  return redacted;
}

/** Returns the index of the separator after a card number that starts at `begin`. Groups have even indexes. */
function findCardEnd(parts: readonly string[], begin: number): number | null {
  // Card numbers of all networks start with one of these digits.
  const first = parts[begin]?.[0] ?? '';
  if (first < '2' || first > '6') return null;
  let number = '';
  for (let at = begin; at < parts.length && number.length <= cardLengthMax; at += 2) {
    number += parts[at];
    if (number.length >= cardLengthMin && number.length <= cardLengthMax && isCardNumber(number))
      return at + 1;
  }
  return null;
}

/** Whether the number has a valid Luhn check digit (ISO/IEC 7812-1). */
function isCardNumber(number: string): boolean {
  let sum = 0;
  for (let fromEnd = 0; fromEnd < number.length; fromEnd++) {
    const digit = number.charCodeAt(number.length - 1 - fromEnd) - zero;
    const doubled = digit * 2;
    sum += fromEnd % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const zero = '0'.charCodeAt(0);

function countDigits(run: string): number {
  return run.replace(/\D/g, '').length;
}

/** Excludes candidates inside a word or at the start of a UUID. */
const phoneCandidate =
  /(?<![\p{L}\p{N}_.+-])\+?\(?\d[\d ()./\u00a0-]{5,22}\d(?![\p{L}\p{N}_]|-[0-9a-f]{4,12}\b)/gu;

/** North American format: groups of three, three and four digits. */
const northAmerican = /^(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}$/;
const international = /^(?:\+|\(?00)/;
const national = /^\(?0[1-9]/;
const date = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})(?:\D|$)/;
/** Maximum number of digits in E.164. */
const digitsMax = 15;

/** Dates and plain numbers are kept. */
function replacePhoneNumbers(text: string): string {
  return text.replace(phoneCandidate, (run) => (isPhoneNumber(run) ? '[phone]' : run));
}

function isPhoneNumber(run: string): boolean {
  const digits = run.replace(/\D/g, '').length;
  if (digits < 7 || digits > digitsMax + 2 || date.test(run)) return false;
  if (northAmerican.test(run)) return true;
  return international.test(run) ? digits >= 8 : national.test(run) && digits >= 9 && digits <= digitsMax;
}

/**
 * Replaces secrets and personal data with markers such as `[email]`: private keys, tokens, API keys, passwords in
 * assignments, email addresses, IBANs, card numbers and phone numbers. Takes linear time, because each pattern is
 * bounded or only matches at the start of a run.
 */
export function redactText(text: string): string {
  if (text.length < shortest) return text;
  const withoutSecrets = replaceSecrets(text).replace(email, '[email]');
  if (!digits.test(withoutSecrets)) return withoutSecrets;
  return replacePhoneNumbers(replaceCardNumbers(replaceIbans(withoutSecrets)));
}

/** Shortest possible matches have this length, for example `a@b.co` and `pin=12`. */
const shortest = 6;

/** Matches a part of every IBAN, card number and phone number. Texts without a match are not searched for them. */
const digits = /\d[^\n]{0,2}\d/;

const email =
  /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}/gu;

/** Privacy modes in which texts are stored, at least in part. */
export type KeptTexts = Exclude<PromptPrivacy, 'metadata'>;

/** Returns `null` if the privacy mode allows no text. */
export function limitText(text: string, promptPrivacy: KeptTexts): string;
export function limitText(text: string, promptPrivacy: PromptPrivacy): string | null;
export function limitText(text: string, promptPrivacy: PromptPrivacy): string | null {
  if (promptPrivacy === 'metadata') return null;
  return promptPrivacy === 'redacted' ? redactText(text) : text;
}
