/** Invisible (default-ignorable) characters, such as zero-width joiners and variation selectors. */
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Accents and vowel points of Latin, Greek, Cyrillic, Hebrew and Arabic, which a search ignores. Marks of other
 * scripts change the letter.
 */
const marks = new RegExp(
  `[${[
    String.raw`\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f`,
    String.raw`\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7`,
    String.raw`\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed`,
  ].join('')}]`,
  'g',
);

/** Replacements for letters without a Unicode decomposition. */
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
 * Normalizes to NFKC with at most 30 consecutive marks. Plain normalization sorts the marks of a letter in quadratic
 * time, so it must not be used on texts of unlimited length.
 */
export function normalizeLongText(text: string): string {
  return text.replace(longRuns, '$1').normalize('NFKC');
}

/** Removes case, accents and invisible characters for a search. Must match the database function `search_key`. */
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
 * Removes case, invisible characters and repeated spaces, so that names can be compared. Must match the database
 * function `name_key`.
 */
export function foldName(text: string): string {
  return (
    text
      .replace(ignorable, '')
      .normalize('NFKC')
      // `İ` and `Σ` are the only letters whose lower case has two characters or depends on adjacent characters.
      .replaceAll('İ', 'I')
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/** Maximum length of a password before normalization: 128 letters of four characters each. */
export const typedPasswordMax = 512;

/**
 * Normalizes a password before hashing, since keyboards compose letters differently and copying adds invisible
 * characters (RFC 8265). Returns texts longer than `typedPasswordMax` unchanged, since sorting many accents takes
 * quadratic time.
 */
export function foldPassword(text: string): string {
  if (text.length > typedPasswordMax) return text;
  return text
    .replace(ignorable, '')
    .replace(/\p{Zs}/gu, ' ')
    .normalize('NFC');
}

export const hasHiddenCharacters = (text: string) => /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u.test(text);
