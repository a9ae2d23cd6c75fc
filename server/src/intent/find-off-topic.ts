import { type Classification, classify } from './classify.ts';
import { decodeText, measureLongestRun, normalizeText } from './decode-text.ts';
import { digestText, KnownTexts } from './known-texts.ts';
import type { IntentModel } from './model.ts';
import { rejoinText } from './rejoin-text.ts';

export interface SentText {
  readonly text: string;
  /** True for tool descriptions and tool output, which mention tasks without requesting them. */
  readonly isData: boolean;
  /** Digest of the text, if the caller has computed it already. */
  readonly digest?: string;
}

export interface OffTopicRequest {
  readonly text: string;
  readonly classification: Classification;
}

/**
 * Maximum number of characters read of all texts together. If a text exceeds the rest, only its start and end are
 * read.
 */
const readMax = 256 * 1024;
const partLetters = 16 * 1024;
const overlapLetters = 512;
/**
 * Maximum number of pieces of each kind that are classified per text, divided among the parts of the text. Each part
 * may use at least `partPiecesMin`.
 */
const piecesMax = 96;
const partPiecesMin = 6;
const pieceMicros = 60;
const pieceLettersMin = 16;
const pieceLettersMax = 600;
const pieceWordsMin = 4;
/** Minimum share of letters and spaces in prose. Code has a lower share. */
const pieceTextShare = 0.85;

// Measured on the labeled prompts: more than 99.5% of the work-related pieces have a lower confidence.
const requestConfidence = 0.8;
const otherConfidence = 0.98;
/** Threshold for requests that were encoded, or that are the only text in their field. */
const aloneConfidence = 0.6;
const hiddenConfidence = 0.9;

const opening = `(?:(?:please|pls|can|could|would|will|you|i|i'd|we|want|need|like|to|help|me|us|hey|hi|hello|and|also|then|now|so|ok|okay|first|next|but|instead|just|kindly|let's|lets|let|for|a|the|bitte|por|favor)[\\s,:;-]+)*`;
const asks = `tell|write|give|compose|plan|suggest|recommend|sing|play|describe|invent|imagine|pretend|act|roleplay|draft|explain|what|what's|whats|how|who|where|which|why|teach|cook|erzähl\\w*|schreib\\w*|cuéntame|escribe|raconte|écris`;
const orders = `create|make|generate|book|order|find|show|when|is|are|do|does|should|list|pick|choose|set|remind|call|text|turn|look|get|buy|send|check|search|read|translate`;
const requests = new RegExp(`^${opening}(?:${asks}|${orders})(?!\\p{L})`, 'iu');
const dataRequests = new RegExp(`^${opening}(?:${asks})(?!\\p{L})`, 'iu');
const askStarts = new RegExp(`(?<!\\p{L})(?:${asks})(?!\\p{L})`, 'giu');

const knownRequests = new KnownTexts<OffTopicRequest | null>();
const knownData = new KnownTexts<OffTopicRequest | null>();

/**
 * Finds the off-topic request with the highest confidence, even between other sentences or in any supported encoding.
 * Yields the estimated microseconds of each next step, so that the caller can yield to the event loop.
 */
export function* findOffTopic(
  texts: readonly SentText[],
  model: IntentModel,
): Generator<number, OffTopicRequest | null, void> {
  let best: OffTopicRequest | null = null;
  let left = readMax;
  for (const { text, isData, digest } of texts) {
    if (left <= 0) break;
    const read = text.length <= left ? text : `${text.slice(0, left / 2)}\n${text.slice(-left / 2)}`;
    left -= read.length;
    yield read.length * 0.002;
    const known = isData ? knownData : knownRequests;
    const key = (read === text && digest) || digestText(read);
    let found = known.get(key, model);
    if (found === undefined) found = known.keep(key, model, yield* readText(read, isData, model));
    best = chooseSurer(best, found);
  }
  return best;
}

function* readText(
  text: string,
  isData: boolean,
  model: IntentModel,
): Generator<number, OffTopicRequest | null, void> {
  const parts = Math.ceil(text.length / partLetters);
  const most = Math.max(partPiecesMin, Math.floor(piecesMax / parts));
  let best: OffTopicRequest | null = null;
  for (let part = 0; part < parts; part++) {
    const start = Math.max(0, part * partLetters - overlapLetters);
    const written = text.slice(start, (part + 1) * partLetters);
    yield written.length * 0.45;
    best = chooseSurer(best, yield* readPart(normalizeText(written), isData, most, model));
  }
  return best;
}

function* readPart(
  text: string,
  isData: boolean,
  most: number,
  model: IntentModel,
): Generator<number, OffTopicRequest | null, void> {
  const isRequest = isData ? dataRequests : requests;
  const pieces = listPieces(text);
  const isAlone = pieces.length === 1 && text.length <= pieceLettersMax && isRequest.test(text.trim());
  const [asked, others] = divide(pieces, isRequest);
  const [encoded, rest] = divide(
    decodeAll(text).flatMap((one) => listPieces(one)),
    requests,
  );
  const found = yield* readPieces(spread(asked, most), model, isAlone ? aloneConfidence : requestConfidence);
  const other = yield* readPieces(isData ? [] : spread(others, most / 4), model, otherConfidence);
  const revealed = yield* readPieces(spread(encoded, most), model, aloneConfidence);
  const hinted = yield* readPieces(spread(rest, most / 4), model, hiddenConfidence);
  const separated = [...new Set(rejoinText(text, askStarts, isPiece))].filter(isPiece);
  const rejoined = yield* readPieces(spread(separated, most / 4), model, hiddenConfidence);
  return [found, other, revealed, hinted, rejoined].reduce(chooseSurer, null);
}

function divide(pieces: readonly string[], pattern: RegExp): readonly [matching: string[], others: string[]] {
  const divided: [string[], string[]] = [[], []];
  for (const piece of pieces) divided[pattern.test(piece) ? 0 : 1].push(piece);
  return divided;
}

/** Texts with more layers of encoding are data rather than a request. */
const layersMax = 4;
const layerLettersMax = 8 * 1024;

function decodeAll(text: string): string[] {
  const found: string[] = [];
  let layer = decodeText(text);
  for (let depth = 1; depth < layersMax && layer.length > 0; depth++) {
    found.push(...layer);
    let left = layerLettersMax;
    layer = layer.flatMap((one) => {
      left -= one.length;
      return left >= 0 ? decodeText(one) : [];
    });
  }
  return [...found, ...layer];
}

function* readPieces(
  pieces: readonly string[],
  model: IntentModel,
  least: number,
): Generator<number, OffTopicRequest | null, void> {
  let best: OffTopicRequest | null = null;
  for (const piece of pieces) {
    yield pieceMicros;
    const classification = classify(piece, model);
    if (classification.intent !== 'off_topic' || classification.confidence < least) continue;
    best = chooseSurer(best, { text: piece, classification });
  }
  return best;
}

function chooseSurer(one: OffTopicRequest | null, other: OffTopicRequest | null): OffTopicRequest | null {
  if (one === null || other === null) return one ?? other;
  return other.classification.confidence > one.classification.confidence ? other : one;
}

/** Filler is a run longer than any word. The texts before and after filler are treated as separate lines. */
const fillerLength = 64;
const filler = new RegExp(`[A-Za-z0-9+/=-]{${fillerLength},}`);

function listPieces(text: string): string[] {
  const prose = text.replaceAll(/```[^`]*(```|$)/g, '\n');
  // Each JSON string is treated as a separate text.
  const lines = prose.split(/^\s*[[{]/.test(prose) ? /[\r\n"]+/ : /[\r\n]+/);
  const hasFiller = measureLongestRun(prose) >= fillerLength;
  const pieces = lines
    .flatMap((line) => (hasFiller ? line.split(filler) : line))
    .flatMap((line) => {
      const sentences = line.split(/(?<=[.!?:。！？])\s+|(?<=[。！？])/u).map((sentence) => sentence.trim());
      return sentences.length > 1 ? [line.trim(), ...sentences] : sentences;
    });
  return [...new Set(pieces.filter(isPiece))];
}

function isPiece(piece: string): boolean {
  if (piece.length > pieceLettersMax) return false;
  let texts = 0;
  let gaps = 0;
  let isGap = false;
  for (let index = 0; index < piece.length; index++) {
    const code = piece.charCodeAt(index);
    if (code >= 0x80) return isForeignPiece(piece);
    const isSpace = code === 0x20 || (code >= 0x09 && code <= 0x0d);
    if (isSpace && !isGap) gaps++;
    isGap = isSpace;
    const lower = code | 0x20;
    if (isSpace || (lower >= 0x61 && lower <= 0x7a)) texts++;
  }
  const isLong = piece.length >= pieceLettersMin && gaps + 1 >= pieceWordsMin;
  return isLong && texts >= piece.length * pieceTextShare;
}

/** True for text in any script that is mostly letters and long enough to be a request. */
function isForeignPiece(piece: string): boolean {
  const ideographs = piece.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  if (ideographs >= 6) return true;
  if (piece.length < pieceLettersMin || piece.split(/\s+/, pieceWordsMin).length < pieceWordsMin)
    return false;
  return (piece.match(/[\p{L}\p{M}\s]/gu)?.length ?? 0) >= piece.length * pieceTextShare;
}

function spread(pieces: readonly string[], most: number): readonly string[] {
  if (pieces.length <= most) return pieces;
  const length = Math.ceil(most);
  return Array.from({ length }, (_, index) => pieces[Math.floor((index * pieces.length) / length)] ?? '');
}
