import { z } from 'zod';

/** Persian, Indic scripts and emoji require joiners between non-ASCII characters. */
const joiner = /(?<=\P{ASCII})[\u200c\u200d](?=\P{ASCII})/gu;
/** Line breaks, control, bidirectional and other invisible characters. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

const fileEndings = 'js|ts|jsx|tsx|css|html?|json|xml|ya?ml|txt|pdf|csv|sql|php|cpp|exe';
/**
 * Matches a scheme, `www.`, or a domain with a port, path or query. A dot alone does not match, since company and
 * product names contain dots.
 */
const link = new RegExp(
  [
    String.raw`[a-z0-9+.-]:\/\/`,
    String.raw`\b(?:mailto|javascript|data|tel|sms|https?):\S`,
    String.raw`(?:^|[^\p{L}\p{N}])www\.`,
    String.raw`[\p{L}\p{N}]\.(?!(?:${fileEndings})\b)\p{L}{2,}(?::\d+|[/?#])`,
  ].join('|'),
  'iu',
);

/**
 * Upper bound that no valid name reaches. Limits the time of the quadratic normalization, which runs even if the
 * length check has failed.
 */
const plainLineMax = 2_000;

/** Names and titles must be one visible line without a URL, because mails and pages display them. */
export function isPlainLine(text: string): boolean {
  return (
    text.length <= plainLineMax &&
    !hidden.test(text.replace(joiner, '')) &&
    !link.test(text.normalize('NFKC').replaceAll('\u3002', '.'))
  );
}

export const notPlainLine = (label: string) =>
  `${label} must be a single line without URLs or invisible characters`;

const lineMax = 80;

/** Returns one line of at most 80 characters, without text that mail clients turn into links. */
export function toMailLine(text: string): string {
  const line = text
    .replace(joiner, '')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/[:\uff1a][/\uff0f]{2,}/g, ' ')
    .replace(/[@\uff20]/g, ' at ')
    .replace(/(?<=[\p{L}\p{N}])[.\u2024\ufe52\uff0e\u3002\uff61](?=[\p{L}\p{N}]*\p{L})/gu, '. ')
    .trim();
  const characters = [...line];
  return characters.length > lineMax ? `${characters.slice(0, lineMax - 1).join('')}…` : line;
}

export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/**
 * Returns whether the name is in the IANA time zone database, such as `Europe/Berlin`. Offsets such as `+01:00` are
 * not.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

export const slugMax = 60;

/** Leaves space for the suffix that makes a slug unique. */
const stemMax = 50;

/**
 * Returns lowercase Latin letters, digits and single dashes, such as `acme-gmbh`, or an empty string if the name has
 * no Latin letter.
 */
export function deriveSlug(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();
  const slug = letters
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, stemMax)
    .replace(/^-+|-+$/g, '');
  return /[a-z]/.test(slug) ? slug : '';
}
