import { characterKind, folded, isHangul, kinds } from './characters.ts';

/** Features are hashed into this many buckets: 2 ** bucketBits. */
export const bucketBits = 17;

/**
 * A prompt is read in zones, since what is asked stands mostly in its first or its last line, and what is pasted
 * between them is long: the features of each zone are scaled by their own number.
 */
export const zones = ['head', 'body', 'tail', 'shape'] as const;

/** What was read of one prompt. Feature `f` is in bucket `buckets[f]`; those of zone `z` end at `zoneEnds[z]`. */
export type Reading = {
  buckets: Uint32Array;
  /** Twice the index of the feature's token, plus 1 where the token before it has half a share. */
  owners: Uint32Array;
  zoneEnds: Uint32Array;
  count: number;
  tokenStarts: Uint32Array;
  tokenEnds: Uint32Array;
  isWord: Uint8Array;
  tokenCount: number;
};

const windowLength = 2048;
const longestHead = 240;
const longestTail = 240;
const maxTokens = 2 * windowLength + 2;
const maxFeatures = 10 * maxTokens;

export function createReading(): Reading {
  return {
    buckets: new Uint32Array(maxFeatures),
    owners: new Uint32Array(maxFeatures),
    zoneEnds: new Uint32Array(zones.length),
    count: 0,
    tokenStarts: new Uint32Array(maxTokens),
    tokenEnds: new Uint32Array(maxTokens),
    isWord: new Uint8Array(maxTokens),
    tokenCount: 0,
  };
}

/** Reads the first and the last 2,048 units of a text into `reading`, which is overwritten. */
export function readFeatures(text: string, reading: Reading): void {
  reading.count = 0;
  reading.tokenCount = 0;
  const { headEnd, tailStart } = divide(text);
  startZone();
  readRange(text, 0, headEnd, reading, true);
  reading.zoneEnds[0] = reading.count;
  startZone();
  const cutEnd = Math.min(tailStart, windowLength);
  const cutStart = text.length - windowLength;
  readRange(text, headEnd, cutStart > cutEnd ? cutEnd : tailStart, reading, false);
  if (cutStart > cutEnd) readRange(text, Math.min(cutStart, tailStart), tailStart, reading, false);
  reading.zoneEnds[1] = reading.count;
  startZone();
  readRange(text, tailStart, text.length, reading, true);
  reading.zoneEnds[2] = reading.count;
  readShape(text, headEnd, tailStart, reading);
  reading.zoneEnds[3] = reading.count;
}

function divide(text: string): { headEnd: number; tailStart: number } {
  let headEnd = Math.min(text.length, longestHead);
  if (text.length > longestHead) {
    const newline = text.indexOf('\n', 40);
    if (newline !== -1 && newline < longestHead) headEnd = newline;
    else {
      const space = text.lastIndexOf(' ', longestHead);
      if (space > longestHead / 2) headEnd = space;
    }
  }
  const end = trimmedEnd(text);
  let tailStart = Math.max(headEnd, end - longestTail);
  const newline = text.lastIndexOf('\n', Math.max(0, end - 12));
  if (newline > tailStart) tailStart = newline;
  else if (tailStart > headEnd) {
    const space = text.indexOf(' ', tailStart);
    if (space !== -1 && space < end - longestTail / 2) tailStart = space;
  }
  return { headEnd, tailStart };
}

function trimmedEnd(text: string): number {
  let end = text.length;
  while (end > 0 && kinds[text.charCodeAt(end - 1)] === characterKind.gap) end--;
  return end;
}

const seen = new Uint32Array(2048);
const word = new Uint16Array(64);
let previous = 0;
let beforePrevious = 0;
let zoneTokens = 0;

function startZone(): void {
  seen.fill(0);
  previous = 0;
  beforePrevious = 0;
  zoneTokens = 0;
}

function readRange(text: string, start: number, end: number, reading: Reading, hasPositions: boolean): void {
  let index = start;
  while (index < end) {
    const code = text.charCodeAt(index);
    const kind = kinds[code];
    if (kind === characterKind.letter) {
      index = readWord(text, index, end, reading, hasPositions);
    } else {
      index++;
      if (kind === characterKind.ideograph) readIdeograph(code, index, reading, hasPositions);
      else if (kind === characterKind.symbol) readSymbol(code, index, reading);
    }
  }
}

const wordSalt = 0x1;
const pairSalt = 0x22222;
const placeSalt = 0x51ed27;
const pieceSalt = 0x9e37;
const formSalt = 0x3c6ef3;
const shapeSalt = 0x7f000000;
const start = 0x3c;
const end = 0x3e;

function readWord(
  text: string,
  from: number,
  limit: number,
  reading: Reading,
  hasPositions: boolean,
): number {
  let length = 0;
  let hash = 0x811c9dc5;
  let index = from;
  let form = 0;
  word[0] = start;
  for (; index < limit; index++) {
    const code = text.charCodeAt(index);
    const kind = kinds[code];
    if (kind === characterKind.ignored) continue;
    if (kind !== characterKind.letter) break;
    const plain = folded[code] ?? code;
    form |= formOf(code, plain, index === from);
    hash = Math.imul(hash ^ plain, 0x01000193);
    if (length < 40) word[++length] = plain;
  }
  const owner = openToken(reading, from, index, 1);
  if (form > 1) add(reading, formSalt ^ form, owner);
  if ((form & ~formBits.digit) === 0 && form !== 0 && (word[1] ?? 0) === 0x30) hash = 0x30;
  const isFirst = addToken(hash, owner, reading, hasPositions);
  if (isFirst && hash !== 0x30) addPieces(length, owner, reading);
  return index;
}

const formBits = { capital: 1, inner: 2, digit: 4, underscore: 8 };

function formOf(code: number, plain: number, isFirst: boolean): number {
  if (plain === 0x30) return formBits.digit;
  if (code === 0x5f) return formBits.underscore;
  if (code >= 0x41 && code <= 0x5a) return isFirst ? formBits.capital : formBits.inner;
  return 0;
}

function addPieces(length: number, owner: number, reading: Reading): void {
  word[length + 1] = end;
  const isKorean = isHangul(word[1] ?? 0);
  const shortest = isKorean ? 1 : 3;
  const longest = isKorean ? 3 : 5;
  const last = length + 1;
  for (let from = 0; from <= last; from++) {
    let hash = 0x811c9dc5;
    for (let size = 1; size <= longest && from + size <= last + 1; size++) {
      hash = Math.imul(hash ^ (word[from + size - 1] ?? 0), 0x01000193);
      if (size >= shortest && size <= length) add(reading, hash ^ Math.imul(size, pieceSalt), owner);
    }
  }
}

function readIdeograph(code: number, endIndex: number, reading: Reading, hasPositions: boolean): void {
  const owner = openToken(reading, endIndex - 1, endIndex, 1);
  const hash = Math.imul(0x811c9dc5 ^ code, 0x01000193);
  const triple = beforePrevious === 0 ? 0 : Math.imul(Math.imul(beforePrevious, 31) ^ previous, 37) ^ hash;
  addToken(hash, owner, reading, hasPositions);
  if (triple !== 0) add(reading, triple, owner | 1);
}

function readSymbol(code: number, endIndex: number, reading: Reading): void {
  const owner = openToken(reading, endIndex - 1, endIndex, 0);
  addToken(Math.imul(0x811c9dc5 ^ code, 0x01000193), owner, reading, false);
}

function openToken(reading: Reading, from: number, to: number, isWord: number): number {
  const token = reading.tokenCount++;
  reading.tokenStarts[token] = from;
  reading.tokenEnds[token] = to;
  reading.isWord[token] = isWord;
  return token * 2;
}

/** Answers whether the token is the first of its hash in the zone. */
function addToken(hash: number, owner: number, reading: Reading, hasPositions: boolean): boolean {
  const slot = hash & (seen.length - 1);
  const isFirst = seen[slot] !== hash >>> 0;
  seen[slot] = hash;
  if (isFirst) add(reading, hash ^ wordSalt, owner);
  if (previous !== 0) add(reading, Math.imul(previous, 31) ^ hash ^ pairSalt, owner | 1);
  if (hasPositions && zoneTokens < 4) add(reading, hash ^ Math.imul(zoneTokens + 1, placeSalt), owner);
  zoneTokens++;
  beforePrevious = previous;
  previous = hash;
  return isFirst;
}

function add(reading: Reading, hash: number, owner: number): void {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x7feb352d);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x846ca68b);
  mixed ^= mixed >>> 16;
  const feature = reading.count++;
  reading.buckets[feature] = mixed >>> (32 - bucketBits);
  reading.owners[feature] = owner;
}

function readShape(text: string, headEnd: number, tailStart: number, reading: Reading): void {
  const tokens = reading.tokenCount;
  const note = (id: number, isSo: boolean): void => {
    if (isSo) add(reading, shapeSalt + Math.imul(id, 0x10001), 0);
  };
  const lastCode = text.charCodeAt(trimmedEnd(text) - 1);
  note(1, text.length > headEnd && text.includes('```'));
  note(2, lastCode === 0x3f || lastCode === 0xff1f || lastCode === 0x61f);
  note(3, tokens < 6);
  note(4, tokens >= 6 && tokens < 16);
  note(5, tokens >= 16 && tokens < 60);
  note(6, tokens >= 60);
  note(7, headEnd < text.length && tailStart > headEnd);
  note(8, headEnd < text.length && text.indexOf('\n', headEnd) !== -1);
}
