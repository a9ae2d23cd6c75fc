/**
 * Returns an upper estimate of a text's tokens in the o200k vocabulary, for ordinary text in any language. On
 * average, the estimate is 50% too high; only random letters may exceed it. Needs a single pass without branches,
 * which takes 1 ns per code unit of a long text.
 */
export function estimateTextTokens(text: string): number {
  let quarters = marginQuarters;
  let last = firstStep;
  for (let start = 0; start < text.length; start += unitsMax) {
    const part = text.length > unitsMax ? text.slice(start, start + unitsMax) : text;
    const length = unitBytes.write(part, 'utf16le') / 2;
    const priced = priceLanes(length, last) ?? priceUnits(0, length, last);
    quarters += priced.quarters;
    last = priced.last;
  }
  return Math.ceil(quarters / quartersOfToken);
}

interface Priced {
  readonly quarters: number;
  readonly last: number;
}

function priceUnits(start: number, end: number, before: number): Priced {
  let quarters = 0;
  let last = before;
  for (let index = start; index < end; index++) {
    last = stepAfter(last, index);
    quarters += priceOf(last);
  }
  return { quarters, last };
}

const laneUnitsMin = 512;

/**
 * Prices four parts of a long text in parallel. This takes half the time, because each step depends on the previous
 * step of its part. Returns `null` if the text is short or cannot be split without changing its price.
 */
function priceLanes(length: number, before: number): Priced | null {
  const laneUnits = length >>> 2;
  if (laneUnits < laneUnitsMin) return null;
  const [second, third, fourth] = [findStart(laneUnits), findStart(2 * laneUnits), findStart(3 * laneUnits)];
  if (second === null || third === null || fourth === null) return null;
  const shortest = Math.min(second, third - second, fourth - third, length - fourth);
  let [inFirst, inSecond, inThird, inFourth] = [before, firstStep, firstStep, firstStep];
  let quarters = 0;
  for (let index = 0; index < shortest; index++) {
    inFirst = stepAfter(inFirst, index);
    inSecond = stepAfter(inSecond, second + index);
    inThird = stepAfter(inThird, third + index);
    inFourth = stepAfter(inFourth, fourth + index);
    quarters += priceOf(inFirst) + priceOf(inSecond) + priceOf(inThird) + priceOf(inFourth);
  }
  const rest = priceUnits(fourth + shortest, length, inFourth);
  for (const [start, end, last] of [
    [shortest, second, inFirst],
    [second + shortest, third, inSecond],
    [third + shortest, fourth, inThird],
  ] as const)
    quarters += priceUnits(start, end, last).quarters;
  return { quarters: quarters + rest.quarters, last: rest.last };
}

/**
 * Returns the nearest index whose price does not depend on earlier units, which is after a single space; `null` if no
 * such index exists.
 */
function findStart(from: number): number | null {
  for (let index = from; index < from + laneUnitsMin; index++)
    if (units[index] === spaceUnit && kinds[units[index - 1] as number] !== space) return index + 1;
  return null;
}

// safe, here and below, because the tables have an entry for every index used
const stepAfter = (last: number, index: number) =>
  steps[(last >>> 8) + (kinds[units[index] as number] as number)] as number;
const priceOf = (step: number) => step & 0xff;

/** Converts an upper estimate to the most likely token count. On average, an upper estimate is 50% too high. */
export function likelyTokens(upperEstimate: number): number {
  return Math.ceil((upperEstimate * 2) / 3);
}

/** Returns 0 for an empty text. Excludes the margin that the upper estimate adds for short texts. */
export function likelyTextTokens(text: string): number {
  if (text === '') return 0;
  return Math.max(1, likelyTokens(estimateTextTokens(text) - marginQuarters / quartersOfToken));
}

const marginQuarters = 8;
const quartersOfToken = 4;
/**
 * Maximum length of an ordinary word. A longer one is noise, such as a signature, in which each additional letter
 * counts as a token.
 */
const wordLengthMax = 24;
const spacePeriod = 16;
const spaceUnit = 0x20;

/** Kinds of code units. Words consist of the kinds up to `digit`. */
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

/** Length of a run of units with one price, by kind. `costs` contains the price of a run in quarters of a token. */
const periods = Uint8Array.of(4, 2, 3, spacePeriod, 255, 1, 2, 1, 1, 1, 1);
const costs = Uint8Array.of(4, 4, 4, 4, 4, 4, 4, 4, 5, 8, 12);

/** Scripts that are rare in the vocabulary cost one token per byte. */
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
  [0xd800, 0xdfff, symbolic], // each half of a surrogate pair, such as an emoji's
  [0xf900, 0xffff, symbolic],
];
const kinds = new Uint8Array(0x10000).fill(rare);
for (const [first, last, kind] of scripts) kinds.fill(kind, first, last + 1);

/** Number of code units copied to an array at a time. Array access takes half the time of `charCodeAt`. */
const unitsMax = 128 * 1024;
const units = new Uint16Array(unitsMax);
const unitBytes = Buffer.from(units.buffer);

interface State {
  readonly before: number;
  /** Number of additional units covered by the price of the current run. */
  readonly left: number;
  /** Number of units in the current word, counted up to one above the maximum. */
  readonly wordLength: number;
}

/** Number of steps per state: a power of two above the number of kinds. */
const stepsOfState = 16;
/** Step at the start of a text and after a single space. */
const firstStep = 0;

/**
 * Transition table by state and kind of the current unit. An entry contains the start of the next state's steps and,
 * in its lowest byte, the price.
 */
const steps = createSteps({ before: space, left: 1, wordLength: 0 });

function createSteps(first: State): Uint32Array {
  const states: State[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (state: State): number =>
    numbers.getOrInsertComputed(Object.values(state).join(), () => states.push(state) - 1);
  numberOf(first);
  const listed: number[] = [];
  for (const state of states) {
    for (let kind = 0; kind < stepsOfState; kind++) {
      const { next, quarters } =
        kind < periods.length ? enterUnit(state, kind) : { next: first, quarters: 0 };
      listed.push(((numberOf(next) * stepsOfState) << 8) | quarters);
    }
  }
  return Uint32Array.from(listed);
}

function enterUnit(state: State, kind: number): { next: State; quarters: number } {
  const wordLength = kind <= digit ? Math.min(state.wordLength, wordLengthMax) + 1 : 0;
  if (wordLength > wordLengthMax) return { next: { ...state, wordLength }, quarters: quartersOfToken };
  const { left, quarters } = takeStep(state.before, state.left, kind);
  return { next: { before: kind, left, wordLength }, quarters };
}

function takeStep(before: number, left: number, kind: number): { left: number; quarters: number } {
  const [cost = 0, period = 1] = [costs[kind], periods[kind]];
  if (kind === before) return left > 1 ? { left: left - 1, quarters: 0 } : { left: period, quarters: cost };
  // An uppercase letter and the letters after it are one word. A space belongs to the word after it, but not to a
  // number.
  if (kind === space) return { left: 1, quarters: 0 };
  if (kind === lower && before === upper && left === 2) return { left: period, quarters: 0 };
  return { left: period, quarters: kind === digit && before === space ? 2 * quartersOfToken : cost };
}

export interface CountablePrompt {
  readonly media: readonly { readonly kind: MediaKind; readonly letters: number | null }[];
  readonly sealedLetters: number;
  readonly pieces: number;
  readonly tokens: number;
}

type MediaKind = 'image' | 'document' | 'audio' | 'video';

/**
 * Returns an upper estimate of a request's input tokens. An image counts as `imageTokens` regardless of its size.
 * `textsEstimate` is the sum of `estimateTextTokens` over the request's texts, also in the functions below.
 */
export function estimatePromptTokens(prompt: CountablePrompt, textsEstimate: number): number {
  return textsEstimate + prompt.pieces * pieceTokensMax + estimateRest(prompt);
}

/** Returns a practical lower bound of a request's input tokens for any vocabulary. */
export function leastPromptTokens(prompt: CountablePrompt, textsEstimate: number): number {
  return Math.floor(textsEstimate / upperTimesMax) + estimateRest(prompt);
}

/** Returns the most likely number of a request's input tokens, which is charged if the provider reports none. */
export function likelyPromptTokens(prompt: CountablePrompt, textsEstimate: number): number {
  return sumPromptTokens(prompt, likelyTokens(textsEstimate));
}

/** Returns the same as `likelyPromptTokens` for a request whose text tokens are already counted. */
export function sumPromptTokens(prompt: CountablePrompt, textTokens: number): number {
  return textTokens + answerTokens + prompt.pieces * pieceTokens + estimateRest(prompt);
}

/** Maximum ratio of the upper estimate to the actual tokens of a text, reached by white space and repeated letters. */
const upperTimesMax = 8;
/** Maximum and typical numbers of tokens added per message, tool or call. */
const pieceTokensMax = 8;
const pieceTokens = 4;
const answerTokens = 4;
const imageTokens = 1_600;
/** Estimate for media that only the provider can fetch. */
const unknownSourceTokens = 10_000;
const base64LettersPerToken = { document: 5, audio: 100, video: 100 } as const;
/** Encrypted content is estimated by letters, because it was originally text. */
const sealedLettersPerToken = 4;

function estimateRest({ media, sealedLetters, tokens }: CountablePrompt): number {
  const mediaTokens = media.reduce((sum, each) => sum + estimateMedia(each), 0);
  return tokens + mediaTokens + Math.ceil(sealedLetters / sealedLettersPerToken);
}

function estimateMedia({ kind, letters }: CountablePrompt['media'][number]): number {
  if (kind === 'image') return imageTokens;
  return letters === null ? unknownSourceTokens : Math.ceil(letters / base64LettersPerToken[kind]);
}
