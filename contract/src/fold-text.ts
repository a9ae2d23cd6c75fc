/**
 * Characters that Unicode displays as nothing (default ignorable), such as zero-width joiners and variation
 * selectors.
 */
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/** Accents and vowel points of Latin, Greek, Cyrillic, Hebrew and Arabic; marks of other scripts change the letter. */
const marks = new RegExp(
  `[${[
    String.raw`\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f`,
    String.raw`\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7`,
    String.raw`\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed`,
  ].join('')}]`,
  'g',
);

/** Replacements of letters that have no decomposition. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
};

/** Longest run of marks in the Stream-Safe Text Format (UAX #15). */
const longRuns = /(\p{M}{30})\p{M}+/gu;

/**
 * Returns a text in NFKC, with at most 30 marks in a row. Plain normalization sorts the marks of a letter in
 * quadratic time, so it must not be used on texts of unlimited length.
 */
export function normalizeLongText(text: string): string {
  return text.replace(longRuns, '$1').normalize('NFKC');
}

/**
 * Returns the search form of a text: without case, accents and invisible characters, compatibility characters
 * normalized. The database function `search_key` returns the same.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(ignorable, '')
    .replace(marks, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþħıς]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC');
}

/**
 * Returns the form in which names are compared: without case, invisible characters and repeated spaces, compatibility
 * characters normalized. The database function `name_key` returns the same.
 */
export function foldName(text: string): string {
  return (
    text
      .replace(ignorable, '')
      .normalize('NFKC')
      // The only two letters whose lower case has two characters or depends on adjacent characters.
      .replaceAll('İ', 'I')
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/** Maximum length of a password as it is typed: 128 letters of four characters each. */
export const typedPasswordMax = 512;

/**
 * Returns the form in which a password is hashed and compared: keyboards differ in how they compose a letter, and
 * copying adds invisible characters (RFC 8265). Texts longer than `typedPasswordMax` are returned unchanged, since
 * sorting many accents of one letter takes quadratic time.
 */
export function foldPassword(text: string): string {
  if (text.length > typedPasswordMax) return text;
  return text
    .replace(ignorable, '')
    .replace(/\p{Zs}/gu, ' ')
    .normalize('NFC');
}

/** True if a text has control, format or private-use characters, or line separators. */
export const hasHiddenCharacters = (text: string) => /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u.test(text);
