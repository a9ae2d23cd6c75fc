import { readTurned } from './decode-codes.ts';

/** Frequent words, which indicate that a text is not enciphered. */
const commonWords = new Set(
  `the an to of and is in me my about for who you it on with that this what how are was be can your at or from
  der die das ein eine und ist mir mich über für ich wie el la un una que en sobre para le les des et est moi du`.split(
    /\s+/,
  ),
);
/** Minimum share of common words in plain text, and maximum share in enciphered text. */
const commonInText = 0.2;
const commonInCipher = 0.1;
const wordsMin = 5;
const alphabetLetters = 26;

/**
 * Recognizes shifted and mirrored alphabets, reversed and upside-down text, ROT47, doubled letters, and digits for
 * letters by their share of common words.
 */
export function listCiphers(text: string): string[] {
  const words = listWords(text);
  if (shareOf(words, commonWords) > commonInCipher) return [];
  const readings = [rotateSigns(text), readTurned(text)];
  if (doubledLetters.test(text)) readings.push(text.replaceAll(doubledLetter, '$1'));
  if (leetWords.test(text)) readings.push(readLeet(text));
  return [
    ...listShifts(words).map((distance) => mapPlaces(text, (place) => place + distance)),
    ...(shareOf(words, mirroredWords) >= commonInText ? [mapPlaces(text, mirror)] : []),
    ...(shareOf(words, reversedWords) >= commonInText ? [reverse(text)] : []),
    ...readings.filter((decoded) => shareOf(listWords(decoded), commonWords) >= commonInText),
  ];
}

function listWords(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return lower.match(foreign.test(lower) ? /\p{L}+/gu : /[a-z]+/g) ?? [];
}

const foreign = /[^\0-\x7f]/;

function shareOf(words: readonly string[], some: ReadonlySet<string>): number {
  if (words.length < wordsMin) return 0;
  let count = 0;
  for (const word of words) if (some.has(word)) count++;
  return count / words.length;
}

export const reverse = (text: string) => [...text].toReversed().join('');
const mirror = (place: number) => alphabetLetters - 1 - place;
const reversedWords = new Set([...commonWords].map(reverse));
const mirroredWords = new Set([...commonWords].map((word) => mapPlaces(word, mirror)));

function mapPlaces(text: string, map: (place: number) => number): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const code = letter.charCodeAt(0);
    const first = (code & 0x60) + 1;
    return String.fromCharCode(first + (map(code - first) % alphabetLetters));
  });
}

/**
 * A shift preserves the distances between a word's letters, so a single pass finds every shift that turns enough
 * words into common words.
 */
function listShifts(words: readonly string[]): number[] {
  if (words.length < wordsMin) return [];
  const votes = new Array<number>(alphabetLetters).fill(0);
  for (const word of words) {
    if (word.length > commonLettersMax) continue;
    const { first, shape } = readShape(word);
    for (const common of commonShapes.get(shape) ?? []) {
      const distance = (common - first + alphabetLetters) % alphabetLetters;
      votes[distance] = (votes[distance] ?? 0) + 1;
    }
  }
  return [...votes.keys()].filter(
    (distance) => distance > 0 && (votes[distance] ?? 0) >= commonInText * words.length,
  );
}

/** Returns the alphabet position of a word's first letter, and the shape: all letters relative to the first. */
function readShape(word: string): { readonly first: number; readonly shape: string } {
  let first = -1;
  let shape = '';
  for (let index = 0; index < word.length; index++) {
    const place = word.charCodeAt(index) - 97;
    const isLetter = place >= 0 && place < alphabetLetters;
    if (isLetter && first < 0) first = place;
    shape += isLetter
      ? String.fromCharCode(97 + ((place - first + alphabetLetters) % alphabetLetters))
      : word[index];
  }
  return { first, shape };
}

const commonLettersMax = Math.max(...[...commonWords].map(({ length }) => length));
const commonShapes = new Map<string, number[]>();
for (const word of commonWords) {
  const { first, shape } = readShape(word);
  commonShapes.getOrInsertComputed(shape, () => []).push(first);
}

/**
 * Doubled letters, as in "tthhee". The pattern requires two doubled letters in a row, since a single one is common in
 * prose.
 */
const doubledLetters = /(\p{L})\1(\p{L})\2/iu;
const doubledLetter = /(\p{L})\1/giu;

/** ROT47 table: each printable character is replaced by the character 47 positions further. */
const rotatedSigns = Array.from({ length: 127 }, (_, code) =>
  String.fromCharCode(code < 33 ? code : 33 + ((code + 14) % 94)),
);

function rotateSigns(text: string): string {
  let rotated = '';
  for (let index = 0; index < text.length; index++)
    rotated += rotatedSigns[text.charCodeAt(index)] ?? text.charAt(index);
  return rotated;
}

const leetWords = /[a-z][0134578@$!|]+[a-z]|(?<![0134578@$!|])[0134578@$!|]+[a-z]{2}/i;

const leetLetters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
};

function readLeet(text: string): string {
  return text.replaceAll(/[\w@$!|]+/g, (word) =>
    word.replaceAll(/[0134578@$!|]/g, (sign) => leetLetters[sign] ?? sign),
  );
}
