import { z } from 'zod';
import { whenAbsent } from './describe-field-problem.ts';

const base = 36;
const tMin = 1;
const tMax = 26;
const skew = 38;
const damp = 700;

/** Decodes a label without its `xn--` prefix. Returns `null` if the label is malformed (RFC 3492, 6.2). */
export function decodePunycode(encoded: string): string | null {
  const delimiter = encoded.lastIndexOf('-');
  const output = [...encoded.slice(0, Math.max(delimiter, 0))].map((character) => character.charCodeAt(0));
  let [code, bias, index] = [128, 72, 0];
  for (let position = delimiter + 1; position < encoded.length; ) {
    const start = index;
    for (let weight = 1, k = base; ; k += base) {
      const digit = digitOf(encoded.charCodeAt(position++));
      if (digit === null) return null;
      index += digit * weight;
      const threshold = Math.min(Math.max(k - bias, tMin), tMax);
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    const length = output.length + 1;
    bias = adapt(index - start, length, start === 0);
    code += Math.floor(index / length);
    if (code > 0x10ffff) return null;
    index %= length;
    output.splice(index++, 0, code);
  }
  return String.fromCodePoint(...output);
}

/**
 * Returns `null` for characters that are not Punycode digits, including the NaN that `charCodeAt` returns past the
 * end of the text.
 */
function digitOf(character: number): number | null {
  if (character >= 97 && character <= 122) return character - 97;
  return character >= 48 && character <= 57 ? character - 22 : null;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? damp : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((base - tMin) * tMax) / 2; k += base) rest = Math.floor(rest / (base - tMin));
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + skew));
}

const addressMax = 320;
const localMax = 64;
const domainMax = 253;

/** Matches control, format and private-use characters and separators, which are all invisible in an address. */
const invisible = /[\p{C}\p{Z}]/u;
// Each character matches only one part of these patterns, so that matching time is linear.
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const domainName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;
const domainText = /^[\p{L}\p{M}\p{N}.\u3002-]+$/u;

/**
 * Returns the form for storage and comparison: ASCII, lower case, domain in Punycode. Returns `null` for anything
 * else, such as invisible or look-alike characters.
 */
export function parseEmail(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > addressMax || invisible.test(trimmed)) return null;
  const folded = trimmed.normalize('NFKC').toLowerCase();
  const at = folded.lastIndexOf('@');
  const local = folded.slice(0, Math.max(at, 0));
  if (local.length > localMax || !localPart.test(local)) return null;
  const domain = toAsciiDomain(folded.slice(at + 1));
  return domain === null ? null : `${local}@${domain}`;
}

/** Returns the result of `parseEmail`, or the unchanged text if `parseEmail` returns `null`. */
export function foldEmail(text: string): string {
  return parseEmail(text) ?? text.trim();
}

function toAsciiDomain(text: string): string | null {
  if (!domainText.test(text)) return null;
  if (text.split(/[.\u3002]/).some(isMisleading)) return null;
  const domain = isAscii(text) ? text : URL.parse(`http://${text}`)?.hostname;
  if (domain === undefined || domain.length > domainMax || !domainName.test(domain)) return null;
  // The URL parser rejects labels that are not valid Punycode.
  return URL.parse(`http://${domain}`)?.hostname === domain ? domain : null;
}

const isAscii = (text: string) => /^[\x21-\x7e]*$/.test(text);

/** Matches labels whose scripts have no letters that look like Latin letters. */
const besideLatin =
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]*$/u;

/** True if a label mixes Latin letters with a script that has look-alikes, or is malformed Punycode. */
function isMisleading(label: string): boolean {
  const shown = label.startsWith('xn--') ? decodePunycode(label.slice(4)) : label;
  if (shown === null || (shown !== '' && !domainText.test(shown))) return true;
  return /\p{Script=Latin}/u.test(shown) && !besideLatin.test(shown);
}

const invalid = 'Please enter a valid email';

export const email = z
  .string(whenAbsent('Email is required'))
  .trim()
  .min(1, 'Email is required')
  .max(addressMax, invalid)
  .overwrite(foldEmail)
  .refine((text) => parseEmail(text) !== null, invalid);
