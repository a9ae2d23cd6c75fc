/**
 * An upper estimate of the tokens of a text: ordinary text in any language stays at or below it under the vocabulary
 * o200k, on the average by half. Letters struck at random may exceed it. One pass without branches, at 2 ns a letter.
 */
export function estimateTextTokens(text: string): number {
  let quarters = marginQuarters;
  let state = firstState;
  let wordLength = 0;
  for (let start = 0; start < text.length; start += unitsMax) {
    const part = text.length > unitsMax ? text.slice(start, start + unitsMax) : text;
    const length = unitBytes.write(part, 'utf16le') / 2;
    for (let index = 0; index < length; index++) {
      // safe because both tables have an entry for whatever is looked up in them
      const kind = kinds[units[index] as number] as number;
      wordLength = (wordLength + 1) & (wordMasks[kind] as number);
      if (wordLength > wordLengthMax) quarters += quartersOfToken;
      else {
        const step = steps[state + kind] as number;
        quarters += step & 0xff;
        state = step >>> 8;
      }
    }
  }
  return Math.ceil(quarters / quartersOfToken);
}

/** The likeliest count behind an upper estimate, which exceeds it by half on the average. */
export function likelyTokens(upperEstimate: number): number {
  return Math.ceil((upperEstimate * 2) / 3);
}

/** The likeliest count of one text: 0 for an empty one. The upper estimate has a margin for short texts, which is left out. */
export function likelyTextTokens(text: string): number {
  if (text === '') return 0;
  return Math.max(1, likelyTokens(estimateTextTokens(text) - marginQuarters / quartersOfToken));
}

/** What a short text of rare words may take more. */
const marginQuarters = 8;
const quartersOfToken = 4;
/** A longer unbroken word is none but noise, such as a signature: each letter from there on is a token. */
const wordLengthMax = 24;
const spacePeriod = 16;

/** Kinds of code units; words are made of those up to `digit`. */
const lower = 0;
const upper = 1;
const digit = 2;
const space = 3;
const newline = 4;
const mark = 5;
const alphabetic = 6;
const syllabic = 7;
const ideographic = 8;
const symbolic = 9;
const rare = 10;

/** By kind: how many units of a run share one price, and that price in quarters of a token. */
const periods = Uint8Array.of(4, 2, 3, spacePeriod, 255, 1, 2, 1, 1, 1, 1);
const costs = Uint8Array.of(4, 4, 4, 4, 4, 4, 4, 4, 5, 8, 12);

/** Scripts of code units; those that the vocabulary hardly knows cost a token for each byte. */
const scripts: readonly (readonly [first: number, last: number, kind: number])[] = [
  [0x0000, 0x007f, mark],
  [0x0009, 0x0009, space],
  [0x000a, 0x000a, newline],
  [0x000d, 0x000d, newline],
  [0x0020, 0x0020, space],
  [0x0030, 0x0039, digit],
  [0x0041, 0x005a, upper],
  [0x0061, 0x007a, lower],
  [0x0080, 0x06ff, alphabetic], // Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic
  [0x0700, 0x08ff, symbolic],
  [0x0900, 0x09ff, alphabetic], // Devanagari, Bengali
  [0x0a00, 0x0aff, syllabic], // Gurmukhi, Gujarati
  [0x0b80, 0x0bff, alphabetic], // Tamil
  [0x0c00, 0x0e7f, syllabic], // Telugu, Kannada, Malayalam, Sinhala, Thai
  [0x1000, 0x109f, syllabic], // Burmese
  [0x10a0, 0x10ff, alphabetic], // Georgian
  [0x1780, 0x17ff, syllabic], // Khmer
  [0x1e00, 0x1fff, alphabetic], // Vietnamese, ancient Greek
  [0x2000, 0x206f, syllabic], // quotation marks and dashes
  [0x2070, 0x2bff, symbolic],
  [0x2e80, 0x33ff, syllabic], // kana
  [0x3400, 0x9fff, ideographic],
  [0xac00, 0xd7ff, syllabic], // Hangul
  [0xd800, 0xdfff, symbolic], // each half of a pair, such as a pictograph's
  [0xf900, 0xffff, symbolic],
];
const kinds = new Uint8Array(0x10000).fill(rare);
for (const [first, last, kind] of scripts) kinds.fill(kind, first, last + 1);

/** A text's code units: an array tells them in half the time of `charCodeAt`. */
const unitsMax = 128 * 1024;
const units = new Uint16Array(unitsMax);
const unitBytes = Buffer.from(units.buffer);

/** Keeps the length of a word for the kinds that words are made of, and makes it 0 for others. */
const wordMasks = Int32Array.from(periods, (_, kind) => (kind <= digit ? -1 : 0));

/** How many steps there are from a state: a power of two above the number of kinds. */
const stepsOfState = 16;
const statesOfKind = 256;
const toState = (before: number, left: number) => (before * statesOfKind + left) * stepsOfState;
const firstState = toState(space, 1);

/** By the kind before, how many units of its run are left at its price, and the kind of a unit: the next state and the price. */
const steps = new Uint32Array(periods.length * statesOfKind * stepsOfState);
periods.forEach((period, before) => {
  for (let left = 1; left <= period; left++) {
    periods.forEach((_, kind) => {
      const next = takeStep(before, left, kind);
      steps[toState(before, left) + kind] = (toState(kind, next.left) << 8) | next.quarters;
    });
  }
});

function takeStep(before: number, left: number, kind: number): { left: number; quarters: number } {
  const [cost = 0, period = 1] = [costs[kind], periods[kind]];
  if (kind === before) return left > 1 ? { left: left - 1, quarters: 0 } : { left: period, quarters: cost };
  // A capital and what follows it are one word; a space goes with the word after it, but not with a number.
  if (kind === space) return { left: 1, quarters: 0 };
  if (kind === lower && before === upper && left === 2) return { left: period, quarters: 0 };
  return { left: period, quarters: kind === digit && before === space ? 2 * quartersOfToken : cost };
}

/** What of a request costs tokens, as `Prompt` of the protocols has it. */
export interface CountablePrompt {
  readonly media: readonly { readonly kind: MediaKind; readonly letters: number | null }[];
  readonly sealedLetters: number;
  readonly pieces: number;
  readonly tokens: number;
}

type MediaKind = 'image' | 'document' | 'audio' | 'video';

/**
 * An upper estimate of the input tokens of a request. A picture counts `imageTokens`, whatever its size.
 * `textsEstimate`, here and below: the sum of `estimateTextTokens` of its texts.
 */
export function estimatePromptTokens(prompt: CountablePrompt, textsEstimate: number): number {
  return textsEstimate + prompt.pieces * pieceTokensMax + estimateRest(prompt);
}

/** Fewer than these it will hardly be, whatever the vocabulary. */
export function leastPromptTokens(prompt: CountablePrompt, textsEstimate: number): number {
  return Math.floor(textsEstimate / upperTimesMax) + estimateRest(prompt);
}

/** The likeliest count of a request's input, charged where nobody tells one. */
export function likelyPromptTokens(prompt: CountablePrompt, textsEstimate: number): number {
  return sumPromptTokens(prompt, likelyTokens(textsEstimate));
}

/** The same of a request whose texts have been counted. */
export function sumPromptTokens(prompt: CountablePrompt, textTokens: number): number {
  return textTokens + answerTokens + prompt.pieces * pieceTokens + estimateRest(prompt);
}

/** So many times what a text takes is its upper estimate at most: blanks and one letter again and again are cheap. */
const upperTimesMax = 8;
/** What is written around a message, a tool or a call: at most, and mostly. */
const pieceTokensMax = 8;
const pieceTokens = 4;
/** What begins the answer. */
const answerTokens = 4;
const imageTokens = 1_600;
/** Of what only the provider can fetch. */
const unknownSourceTokens = 10_000;
const base64LettersPerToken = { document: 5, audio: 100, video: 100 } as const;
/** What is encrypted was text once. */
const sealedLettersPerToken = 4;

/** All but texts and pieces. */
function estimateRest({ media, sealedLetters, tokens }: CountablePrompt): number {
  const mediaTokens = media.reduce((sum, each) => sum + estimateMedia(each), 0);
  return tokens + mediaTokens + Math.ceil(sealedLetters / sealedLettersPerToken);
}

function estimateMedia({ kind, letters }: CountablePrompt['media'][number]): number {
  if (kind === 'image') return imageTokens;
  return letters === null ? unknownSourceTokens : Math.ceil(letters / base64LettersPerToken[kind]);
}
