import { gunzipSync, inflateSync } from 'node:zlib';

/** Number of characters of each kind that codes consist of. */
export interface Signs {
  readonly digits: number;
  readonly dots: number;
  readonly pluses: number;
  readonly lineBreaks: number;
  readonly escapes: number;
}

/** `runs` matches encoded text, `decode` decodes one match. */
export interface TextCode {
  readonly runs: RegExp;
  /** Returns an empty string for runs in another code. */
  readonly decode: (run: string) => string;
  /** Texts with fewer characters of this kind are not searched. */
  readonly needs?: { readonly sign: keyof Signs; readonly least: number };
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const lettersMax = 4_000;
/** Number of characters decoded to determine whether a run is in a code. */
const probeLength = 60;

/** Decodes a whole run only if its start decodes to ASCII text, since most runs are in another code. */
function probe(decode: (run: string) => Buffer): (run: string) => string {
  return (run) => {
    const start = decode(run.slice(0, probeLength)).subarray(0, 40);
    return start.length > 0 && start.every(isReadable) ? decode(run).toString() : '';
  };
}

const isReadable = (byte: number) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0a;

/** Five digits encode four bytes. */
function decodeBase85(run: string, digits: string): Buffer {
  const bytes: number[] = [];
  for (let start = 0; start < run.length; start += 5) {
    const group = run.slice(start, start + 5);
    let value = 0;
    for (const digit of group.padEnd(5, digits.at(-1))) value = value * 85 + digits.indexOf(digit);
    const four = [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) & 0xff);
    bytes.push(...four.slice(0, group.length - 1));
  }
  return Buffer.from(bytes);
}

const ascii85Digits = Array.from({ length: 85 }, (_, index) => String.fromCharCode(33 + index)).join('');
const alphanumerics = `0123456789${letters.toUpperCase()}${letters}`;
const base85Digits = `${alphanumerics}!#$%&()*+-;<=>?@^_\`{|}~`;
const z85Digits = `0123456789${letters}${letters.toUpperCase()}.-:+=^!/*?&<>()[]{}@%$#`;

const base58Digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function decodeBase58(run: string): string {
  let value = 0n;
  for (const digit of run) value = value * 58n + BigInt(base58Digits.indexOf(digit));
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return bytes.every(isReadable) ? bytes.toString() : '';
}

/** The line starts with its length, and each character encodes six bits. */
function decodeUuLine(line: string): Buffer {
  const bytes: number[] = [];
  for (let start = 1; start + 3 < line.length; start += 4) {
    const [a = 0, b = 0, c = 0, d = 0] = [0, 1, 2, 3].map((at) => (line.charCodeAt(start + at) - 32) & 63);
    bytes.push((a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d);
  }
  return Buffer.from(bytes.slice(0, (line.charCodeAt(0) - 32) & 63));
}

function decodeUu(run: string): string {
  return Buffer.concat(run.split('\n').slice(0, 100).map(decodeUuLine)).toString();
}

/** The run is gzip or zlib data in base64. Returns an empty string if the result is invalid or too long. */
function inflate(run: string): string {
  const bytes = Buffer.from(run, 'base64');
  try {
    const options = { maxOutputLength: lettersMax };
    return (bytes[0] === 0x1f ? gunzipSync(bytes, options) : inflateSync(bytes, options)).toString();
  } catch {
    return '';
  }
}

/** Words are separated by signs, or by spaces if signs separate the letters. */
function decodePlaces(run: string): string {
  const words = /[/|\n]/.test(run) ? run.split(/[/|\n]/) : run.split(/[-.]/.test(run) ? /\s+/ : /\s{2,}/);
  return words
    .map((word) => (word.match(/\d+/g) ?? []).map((place) => letters[Number(place) - 1] ?? '').join(''))
    .join(' ');
}

const spelledLetters = new Map(
  `alfa alpha bravo charlie delta echo foxtrot golf hotel india juliett juliet kilo lima mike november oscar papa
  quebec romeo sierra tango uniform victor whiskey xray x-ray yankee zulu`
    .split(/\s+/)
    .map((word) => [word, word.charAt(0)] as const),
);
const spelling = [...spelledLetters.keys()].join('|');

function decodeSpelling(run: string): string {
  const words = run.toLowerCase().split(/[/|\n]|,(?=\s)|\s{2,}/);
  return words
    .map((word) => (word.match(/[a-z-]+/g) ?? []).map((name) => spelledLetters.get(name) ?? '').join(''))
    .join(' ');
}

function decodeUtf7(run: string): string {
  return run.replaceAll(/\+([A-Za-z0-9+/]{3,})-?/g, (_, digits: string) => {
    const bytes = Buffer.from(digits, 'base64');
    return bytes
      .subarray(0, bytes.length - (bytes.length % 2))
      .swap16()
      .toString('utf16le');
  });
}

/** Each line is one letter; empty lines separate words. */
function decodeColumn(run: string): string {
  return run.replaceAll(/\r?\n(?:[ \t]*\r?\n)+/g, ' ').replaceAll(/[\r\n]+/g, '');
}

/** Codes without spaces, in runs of at least 20 characters. `decode-text.ts` handles the more common codes itself. */
export const unbrokenCodes: readonly TextCode[] = [
  { runs: /[!-u]{25,}/g, decode: probe((run) => decodeBase85(run.replace(/^<~/, ''), ascii85Digits)) },
  { runs: /[^\s"',./:[\\\]]{25,}/g, decode: probe((run) => decodeBase85(run, base85Digits)) },
  { runs: /[^\s"',;\\_`|~]{25,}/g, decode: probe((run) => decodeBase85(run, z85Digits)) },
  { runs: /\b[1-9A-HJ-NP-Za-km-z]{30,600}\b/g, decode: decodeBase58 },
  { runs: /\b(?:H4sI|eJ|eN|eA)[A-Za-z0-9+/]{20,}={0,2}/g, decode: inflate },
];

/** Codes whose runs contain spaces or line breaks. `decode-text.ts` handles the more common codes itself. */
export const spacedCodes: readonly TextCode[] = [
  { runs: /^[#-M][ -`]{4,80}(?:\n[#-M][ -`]{4,80})*$/gm, decode: decodeUu },
  {
    runs: /\b\d{1,2}(?:[\s\-./|,]{1,5}\d{1,2}\b){11,}/g,
    decode: decodePlaces,
    needs: { sign: 'digits', least: 12 },
  },
  {
    runs: new RegExp(`\\b(?:${spelling})(?:[\\s,/|]{1,5}(?:${spelling})\\b){7,}`, 'gi'),
    decode: decodeSpelling,
  },
  { runs: /(?:\+[A-Za-z0-9+/]{3,}-?[ .,]?){3,}/g, decode: decodeUtf7, needs: { sign: 'pluses', least: 3 } },
  {
    runs: /^(?:\p{L}[ \t]*(?:\r?\n[ \t]*)+){11,}\p{L}[ \t]*$/gmu,
    decode: decodeColumn,
    needs: { sign: 'lineBreaks', least: 11 },
  },
];

const brailleDots = [
  1, 3, 9, 25, 17, 11, 27, 19, 10, 26, 5, 7, 13, 29, 21, 15, 31, 23, 14, 30, 37, 39, 58, 45, 61, 53,
];
const brailleLetters = new Map(brailleDots.map((dots, index) => [0x2800 + dots, letters.charAt(index)]));

/** Replaces Braille letters, and runs of regional indicator symbols (the letters of flag emoji), with Latin letters. */
export function readSigns(text: string): string {
  return text
    .replaceAll(/[\u2800-\u283F]*[\u2801-\u283F][\u2800-\u283F]*/g, (run) =>
      [...run].map((sign) => brailleLetters.get(sign.codePointAt(0) ?? 0) ?? ' ').join(''),
    )
    .replaceAll(/(?:[\u{1F1E6}-\u{1F1FF}][ \u200B]*){6,}/gu, (run) =>
      run
        .replaceAll(/(?<=\S) (?=\S)|\u200B/gu, '')
        .replaceAll(/[\u{1F1E6}-\u{1F1FF}]/gu, (sign) =>
          letters.charAt((sign.codePointAt(0) ?? 0) - 0x1f1e6),
        ),
    );
}

const turnedLetters = new Map(
  [...'ɐaqbɔcpdǝeɟfƃgɥhᴉiɾjʞkllɯmunooduɹrsstʇnuʌvʍwxxʎyzzbq'.matchAll(/(.)(.)/gu)].map(
    ([, from = '', to = '']) => [from, to] as const,
  ),
);
const turned = /[ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎ]/u;

/** Returns an empty string for text that is not upside down. */
export function readTurned(text: string): string {
  if (!turned.test(text)) return '';
  return [...text]
    .toReversed()
    .map((letter) => turnedLetters.get(letter) ?? letter)
    .join('');
}
