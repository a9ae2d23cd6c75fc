/** Kind of a UTF-16 code unit, which determines how words are split. */
export const characterKind = { gap: 0, letter: 1, ideograph: 2, symbol: 3, ignored: 4 } as const;

/** Character forms that make a word look like a code identifier, except in its first letter. */
export const characterForm = { capital: 8, digit: 16, underscore: 32 } as const;

/** Kind and form of each code unit, in the bits of `kindMask` and `formMask`. */
export const traits = new Uint8Array(0x10000);
export const kindMask = 7;
export const formMask = 56;
/** Normalized form of each code unit: lower case, no accents, digits as 0, full-width forms as standard ones. */
export const folded = Uint16Array.from({ length: 0x10000 }, (_, code) => code);

const hangul = { first: 0xac00, last: 0xd7a3 };
const surrogates = { first: 0xd800, lastOfFirstHalf: 0xdbff, last: 0xdfff };
// Filled as ranges for a faster startup, since these ranges are two thirds of the table.
const filledRanges = [
  { first: 0x3400, last: 0x4dbf, kind: characterKind.ideograph },
  { first: 0x4e00, last: 0x9fff, kind: characterKind.ideograph },
  { ...hangul, kind: characterKind.letter },
  // An emoji has two code units, of which only the second counts as a symbol.
  { first: surrogates.first, last: surrogates.lastOfFirstHalf, kind: characterKind.ignored },
  { first: surrogates.lastOfFirstHalf + 1, last: surrogates.last, kind: characterKind.symbol },
  { first: 0xe000, last: 0xf8ff, kind: characterKind.symbol },
];
for (const { first, last, kind } of filledRanges) traits.fill(kind, first, last + 1);
for (let code = 0; code < 0x10000; code++) {
  if (filledRanges.some(({ first, last }) => code >= first && code <= last)) continue;
  const character = String.fromCharCode(code);
  traits[code] = kindOf(character) | formOf(character);
  folded[code] = fold(code, character);
}

function kindOf(character: string): number {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u.test(character))
    return characterKind.ideograph;
  if (isCombiningAccent(character) || /\p{Cf}/u.test(character)) return characterKind.ignored;
  if (/[\p{L}\p{M}\p{N}_]/u.test(character)) return characterKind.letter;
  return /[\s\p{Cc}\p{Cn}]/u.test(character) ? characterKind.gap : characterKind.symbol;
}

function formOf(character: string): number {
  if (character === '_') return characterForm.underscore;
  if (/\p{Nd}/u.test(character)) return characterForm.digit;
  return /[A-Z]/.test(character) ? characterForm.capital : 0;
}

function isCombiningAccent(character: string): boolean {
  return character >= '\u0300' && character <= '\u036f';
}

function fold(code: number, character: string): number {
  if (/\p{Nd}/u.test(character)) return 0x30;
  const plain = code >= 0xff01 && code <= 0xff5e ? String.fromCharCode(code - 0xfee0) : character;
  const small = plain.toLowerCase();
  return (code < 0x250 ? small.normalize('NFD') : small).charCodeAt(0);
}

/**
 * Returns whether a letter is Korean. Korean words have particles as suffixes, so shorter pieces of them are
 * significant.
 */
export function isHangul(code: number): boolean {
  return code >= hangul.first && code <= hangul.last;
}
