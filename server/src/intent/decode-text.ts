import { normalizeLongText } from '@sluice/contract';
import { listCiphers, reverse } from './decode-ciphers.ts';
import { readSigns, type Signs, spacedCodes, unbrokenCodes } from './decode-codes.ts';

/** Longer runs are data, not a request. */
const decodedLettersMax = 4_000;
const runsMax = 32;
/** Maximum number of runs to try for each of the rarer codes, which take longer to decode. */
const rareRunsMax = 128;

const base64Runs = /[A-Za-z0-9+/_-]{20,}={0,2}/g;
const hexRuns = /[0-9a-f]{24,}|[0-9a-f]{2}(?:[\s,:-]+[0-9a-f]{2}){11,}/gi;
const hexPrefixes = /0x|\\x/gi;
/** Base64 and hexadecimal split into short pieces by line breaks, spaces or signs. */
const base64Pieces = /[A-Za-z0-9+/]{4,19}(?:\s+[A-Za-z0-9+/]{2,19}){2,}={0,2}/g;
const hexPieces = /[0-9a-f]{4,23}(?:[\s,;:|-]+[0-9a-f]{2,23}){2,}/gi;
const binaryCodes = /[01]{8}(?:[\s,]*[01]{8}){11,}|\b[01]{7}(?:[\s,]+[01]{7}){11,}\b/g;
const decimalCodes = /\b\d{2,3}(?:[\s,;-]+\d{2,3}\b){11,}/g;
const base32Runs = /\b[A-Z2-7]{24,}={0,6}|\b[a-z2-7]{24,}={0,6}/g;
/** Morse code. Spaces separate letters; slashes, bars or wide spaces separate words. */
const morseRuns = /[.\-·•‐−–—_]{1,6}(?:[ \t/|]+[.\-·•‐−–—_]{1,6}){7,}/g;
/** Percent-encoding in URLs and quoted-printable encoding in emails. */
const percentRuns = /(?:%[0-9a-f]{2})+|(?:=[0-9a-f]{2})+/gi;
const escapes =
  /\\{1,4}u([0-9a-f]{4})|\\{1,4}[ux]\{([0-9a-f]{1,6})\}|\\{1,4}x([0-9a-f]{2})|U\+([0-9a-f]{4,6})[ ,;]{0,2}|\\([0-9a-f]{2,6}) /gi;
const octalEscapes = /\\([0-3]?[0-7]{2})/g;
const characterCalls = /\b(?:chr|char|fromCharCode)\((\d{2,7})\)[ +,&.]{0,3}/gi;
const entities = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?(?: (?=&#))?/gi;

/**
 * Unifies look-alike letters, removes invisible characters, and converts tag characters, which are invisible but
 * readable for models, to letters.
 */
export function normalizeText(text: string): string {
  if (isAscii.test(text)) return text;
  const visible = readSigns(text)
    .replaceAll(/[\u{E0020}-\u{E007E}]+/gu, readTags)
    .replaceAll(/[\u{1F150}-\u{1F169}\u{1F170}-\u{1F189}]/gu, readNegative)
    .replaceAll(
      /[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}\u{E0001}\u{E007F}]|\u034F|[\p{Cf}\u115F\u1160\u3164\u2800]/gu,
      '',
    );
  return normalizeLongText(visible)
    .replaceAll(
      /[\u0262\u026A\u0274\u0280\u028F\u0299\u029C\u029F\u1D00-\u1D22\uA730\uA731]/g,
      readSmallCapital,
    )
    .replaceAll(/[\p{L}\p{M}]+/gu, replaceLookalikes);
}

/** Converts white letters on circles and squares, which have no Unicode compatibility form. */
function readNegative(letter: string): string {
  return String.fromCharCode(97 + (((letter.codePointAt(0) ?? 0) - 0x1f150) % 32));
}

const smallCapitals = new Map(
  [...'ɢgɪiɴnʀrʏyʙbʜhʟlᴀaᴄcᴅdᴇeᴊjᴋkᴍmᴏoᴘpᴛtᴜuᴠvᴡwᴢzꜰfꜱs'.matchAll(/(.)(.)/gu)].map(
    ([, from = '', to = '']) => [from, to] as const,
  ),
);

function readSmallCapital(letter: string): string {
  return smallCapitals.get(letter) ?? letter;
}

/** Tag characters are invisible. Their letters are put on a separate line. */
function readTags(tags: string): string {
  return `\n${[...tags].map((tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000)).join('')}\n`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII includes control characters.
const isAscii = /^[\x00-\x7f]*$/;

const lookalikes = new Map(
  [
    ...'аaеeоoрpсcуyхxіiјjѕsԁdһhкkмmтtвbнhгrпnοoαaεeιiκkνvρpτtυuχxɡgıiѵvԛqԝwɑaҽeᴑoօoհhոnսuցgꭺaꭼeꭲtꮋhꮇmꮪsꭱrꮃwꮖi'.matchAll(
      /(.)(.)/gu,
    ),
  ].map(([, from = '', to = '']) => [from, to] as const),
);

/** Replaces Cyrillic and Greek letters within a Latin word with the Latin letters they look like. */
function replaceLookalikes(word: string): string {
  if (!/[a-z]/i.test(word) || !/[^\x20-\x7e]/.test(word)) return word;
  const plain = word.normalize('NFD').replaceAll(/\p{M}/gu, '');
  return [...plain].map((letter) => lookalikes.get(letter.toLowerCase()) ?? letter).join('');
}

/**
 * Decodes base64, base32, hexadecimal, character codes, Morse code, percent-encoding, escape sequences, Caesar and
 * Atbash ciphers, leetspeak, and reversed text. Omits binary results, such as images and hashes. Runs in linear time.
 */
export function decodeText(text: string): string[] {
  const sentences = text.split(/[\r\n]+|(?<=[.!?:])\s+/);
  const signs = countSigns(text);
  const replaced = signs.escapes + signs.pluses === 0 ? [] : listReplaced(text);
  return [...new Set([...listRuns(text, signs), ...replaced, ...sentences.flatMap(listCiphers)])];
}

function listRuns(text: string, signs: Signs): string[] {
  return [
    ...(measureLongestRun(text) < unbrokenMin
      ? []
      : listUnbrokenRuns((text.match(unbroken) ?? []).join('\n'))),
    ...decodeRuns(text, base64Pieces, decodeBase64Pieces),
    ...(signs.digits < hexDigitsMin ? [] : listNumbers(text)),
    ...(signs.dots < morseSignsMin ? [] : decodeRuns(text, morseRuns, decodeMorse)),
    ...spacedCodes.flatMap(({ runs, decode, needs }) =>
      needs && signs[needs.sign] < needs.least ? [] : decodeRuns(text, runs, decode, rareRunsMax),
    ),
  ];
}

/**
 * Minimum number of decimal digits in a request encoded as hexadecimal. The code of each ASCII letter starts with a
 * decimal digit.
 */
const hexDigitsMin = 8;
const morseSignsMin = 8;

function listNumbers(text: string): string[] {
  const bytes = text.replaceAll(hexPrefixes, '');
  return [
    ...decodeRuns(bytes, hexRuns, decodeHex),
    ...decodeRuns(bytes, hexPieces, decodeHex),
    ...decodeRuns(text, binaryCodes, (run) => decodeCodes(run.match(/[01]{7,8}/g) ?? [], 2)),
    ...decodeRuns(text, decimalCodes, (run) => decodeCodes(run.match(/\d+/g) ?? [], 10)),
    ...decodeRuns(text, decimalCodes, (run) => decodeCodes(run.match(/\d+/g) ?? [], 8)),
  ];
}

/** Minimum length of a run without spaces that is searched for unbroken codes. Most texts contain none. */
const unbrokenMin = 20;
const unbroken = new RegExp(`\\S{${unbrokenMin},}`, 'g');

/** Returns the length of the longest run without spaces, in UTF-16 units. */
export function measureLongestRun(text: string): number {
  let longest = 0;
  let run = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) run = 0;
    else if (++run > longest) longest = run;
  }
  return longest;
}

/** Counts all codes in one pass, so that plain prose is not searched for each code separately. */
function countSigns(text: string): Signs {
  const signs = { digits: 0, dots: 0, pluses: 0, lineBreaks: 0, escapes: 0 };
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const kind = code < 0x80 ? signKinds[code] : 'dots';
    if (kind !== undefined) signs[kind]++;
  }
  return signs;
}

/**
 * `escapes` are the first characters of escape sequences, such as "%20". All non-ASCII characters count as Morse code
 * dots.
 */
const signKinds = Array.from({ length: 0x80 }, (_, code): keyof Signs | undefined => {
  const sign = String.fromCharCode(code);
  if (/\d/.test(sign)) return 'digits';
  if (/[\n\r]/.test(sign)) return 'lineBreaks';
  if (/[.\-_]/.test(sign)) return 'dots';
  if (sign === '+') return 'pluses';
  return /[%=\\(&]/.test(sign) ? 'escapes' : undefined;
});

function listUnbrokenRuns(words: string): string[] {
  if (words === '') return [];
  return [
    ...decodeRuns(words, base64Runs, decodeBase64),
    ...decodeRuns(words, base64Runs, (run) => decodeBase64(reverse(run))),
    ...decodeRuns(words, base32Runs, decodeBase32),
    ...unbrokenCodes.flatMap(({ runs, decode }) => decodeRuns(words, runs, decode, rareRunsMax)),
  ];
}

/**
 * Word that does not occur in prose: contains a capital after a letter or digit, a digit next to a letter, or a sign.
 */
const encodedWord = /[A-Za-z\d][A-Z]|[A-Za-z]\d|\d[a-z]|[+/]/;

/** Stops at the first unprintable character, since plain words may follow the pieces and decode to arbitrary bytes. */
function decodeBase64Pieces(run: string): string {
  if (!encodedWord.test(run)) return '';
  const [start = ''] = decodeBase64(run.replaceAll(/\s/g, '')).split(/[\p{Cc}\uFFFD]/u);
  return start;
}

function decodeHex(run: string): string {
  return readBytes(Buffer.from(run.replaceAll(/[^0-9a-f]/gi, ''), 'hex'));
}

/** Decodes the bytes as UTF-16 if zeros alternate with the first bytes, otherwise as UTF-8. */
function readBytes(bytes: Buffer): string {
  if (bytes[1] === 0 && bytes[3] === 0) return bytes.toString('utf16le');
  return bytes[0] === 0 && bytes[2] === 0 ? bytes.subarray(1).toString('utf16le') : bytes.toString();
}

const base32Letters = 'abcdefghijklmnopqrstuvwxyz234567';

function decodeBase32(run: string): string {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const letter of run.toLowerCase().replaceAll('=', '')) {
    bits = ((bits << 5) | base32Letters.indexOf(letter)) & 0xfff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 0xff);
  }
  return Buffer.from(bytes).toString();
}

const morseLetters = new Map(
  `.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..`
    .split(' ')
    .map((code, index) => [code, base32Letters.charAt(index)] as const),
);

function decodeMorse(run: string): string {
  const plain = run.replaceAll(/[·•]/g, '.').replaceAll(/[‐−–—_]/g, '-');
  const words = plain.split(/[/|]|[ \t]{2,}/);
  return words
    .map((word) =>
      word
        .trim()
        .split(/\s+/)
        .map((code) => morseLetters.get(code) ?? '')
        .join(''),
    )
    .join(' ');
}

function decodeCodes(codes: readonly string[], radix: number): string {
  return codes.map((code) => toCharacter(code, radix)).join('');
}

function decodeRuns(
  text: string,
  runs: RegExp,
  decode: (run: string) => string,
  triesMax = Number.POSITIVE_INFINITY,
): string[] {
  const found: string[] = [];
  for (const [run] of text.matchAll(runs).take(triesMax)) {
    const decoded = decode(run.slice(0, 2 * decodedLettersMax));
    if (isWords(decoded)) found.push(decoded);
    if (found.length >= runsMax) break;
  }
  return found;
}

function listReplaced(text: string): string[] {
  return [
    text.replaceAll(percentRuns, decodePercent),
    text.replaceAll(escapes, (_, ...codes: (string | undefined)[]) =>
      toCharacter(codes.find((code) => code !== undefined) ?? '', 16),
    ),
    text.replaceAll(octalEscapes, (_, code: string) => toCharacter(code, 8)),
    text.replaceAll(characterCalls, (_, code: string) => toCharacter(code, 10)),
    text.replaceAll(entities, (_, hexadecimal: string | undefined, decimal = '') =>
      hexadecimal === undefined ? toCharacter(decimal, 10) : toCharacter(hexadecimal, 16),
    ),
  ].filter((decoded) => decoded !== text);
}

/** Returns an empty string if the start is not printable text. */
function decodeBase64(run: string): string {
  const start = readBytes(Buffer.from(run.slice(0, 64), 'base64'));
  return isPrintable(start.slice(0, 40)) ? readBytes(Buffer.from(run, 'base64')) : '';
}

function decodePercent(run: string): string {
  return Buffer.from(run.replaceAll(/[%=]/g, ''), 'hex').toString();
}

function toCharacter(code: string, radix: number): string {
  const point = Number.parseInt(code, radix);
  return point < 0x11_0000 ? String.fromCodePoint(point) : '';
}

function isPrintable(text: string): boolean {
  return text !== '' && !/[\p{Cc}\p{Co}\p{Cn}\uFFFD]/u.test(text.replaceAll(/[\t\n\r]/g, ''));
}

function isWords(text: string): boolean {
  return isPrintable(text.slice(0, 200)) && /\p{L}{2}/u.test(text);
}
