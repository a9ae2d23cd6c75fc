import { characterForm, characterKind, folded, formMask, isHangul, kindMask, traits } from './characters.ts';
import { divide, zones } from './zones.ts';

/** Initial value of a word's hash; each code unit adds one `hashStep` (FNV-1a over UTF-16 units). */
const hashStart = 0x811c9dc5;

function hashStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

function hashWord(word: string): number {
  let hash = hashStart;
  for (let index = 0; index < word.length; index++) hash = hashStep(hash, word.charCodeAt(index));
  return hash;
}

function bucketOf(hash: number, bits: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> (32 - bits);
}

/** Binary logarithm of the number of feature buckets. */
export const bucketBits = 18;

/** Number of characters read at the start and at the end of the text between the first and the last sentence. */
const windowLength = 2048;

const maxTokens = 2 * windowLength + 400;
const maxFeatures = 10 * maxTokens;
const longestWord = 40;
const countedPlaces = 4;
const wordsAfterAnchor = 6;

const salts = { word: 0x1, pair: 0x22222, place: 0x51ed27, anchor: 0x5a5a5a, piece: 0x9e37, form: 0x3c6ef3 };
const shapeSalt = 0x7f000000;
/** Every digit is folded to this code unit, which is also the hash of every number. */
const numberUnit = 0x30;
const edges = { start: 0x3c, end: 0x3e };

/** Words that start a request without indicating its intent. */
const openingWords = new Set(
  'please pls can could you would i want to need help me hey hi hello the a an my for ok now and so just like d we us let s is'
    .split(' ')
    .map(hashWord),
);

/**
 * Hashes words, word pairs, word pieces, the first words by position, and the words after the first significant word.
 * Each `read` overwrites the previous result.
 */
export class FeatureReader {
  /** Number of features. Feature `f` is in bucket `buckets[f]`; the features of zone `z` end at `zoneEnds[z]`. */
  count = 0;
  readonly buckets = new Uint32Array(maxFeatures);
  readonly zoneEnds = new Uint32Array(zones.length);
  /** Twice the index of the feature's token, plus 1 if the feature is shared with the previous token. */
  readonly owners = new Uint32Array(maxFeatures);

  tokenCount = 0;
  readonly tokenStarts = new Uint32Array(maxTokens);
  readonly tokenEnds = new Uint32Array(maxTokens);
  /** 1 for a word, 0 for a symbol. */
  readonly isWord = new Uint8Array(maxTokens);

  readonly #seen = new Uint32Array(2048);
  readonly #word = new Uint16Array(longestWord + 2);
  #isAskZone = false;
  #place = 0;
  #previous = 0;
  #beforePrevious = 0;
  #anchor = 0;
  #wordsLeft = 0;

  read(text: string): void {
    this.count = 0;
    this.tokenCount = 0;
    const { firstEnd, lastStart, end } = divide(text);
    this.#startZone(true);
    this.#readRange(text, 0, firstEnd);
    this.zoneEnds[0] = this.count;
    this.#startZone(false);
    if (lastStart - firstEnd <= 2 * windowLength) this.#readRange(text, firstEnd, lastStart);
    else {
      this.#readRange(text, firstEnd, firstEnd + windowLength);
      this.#readRange(text, lastStart - windowLength, lastStart);
    }
    this.zoneEnds[1] = this.count;
    this.#startZone(true);
    this.#readRange(text, lastStart, end);
    this.zoneEnds[2] = this.count;
    this.#readShape(text, firstEnd, lastStart, end);
    this.zoneEnds[3] = this.count;
  }

  #startZone(isAskZone: boolean): void {
    this.#seen.fill(0);
    this.#isAskZone = isAskZone;
    this.#place = 0;
    this.#previous = 0;
    this.#beforePrevious = 0;
    this.#anchor = 0;
  }

  #readRange(text: string, from: number, to: number): void {
    let index = from;
    while (index < to) {
      const code = text.charCodeAt(index);
      const kind = (traits[code] ?? 0) & kindMask;
      if (kind === characterKind.letter) {
        index = this.#readWord(text, index, to);
        continue;
      }
      index++;
      if (kind === characterKind.ideograph) this.#readIdeograph(code, index);
      else if (kind === characterKind.symbol) this.#readSymbol(code, index);
    }
  }

  #readWord(text: string, from: number, to: number): number {
    const word = this.#word;
    let hash = hashStart;
    let length = 0;
    let form = 0;
    let index = from;
    word[0] = edges.start;
    for (; index < to; index++) {
      const code = text.charCodeAt(index);
      const trait = traits[code] ?? 0;
      const kind = trait & kindMask;
      if (kind === characterKind.ignored) continue;
      if (kind !== characterKind.letter) break;
      const unit = folded[code] ?? code;
      if (length > 0) form |= trait & formMask;
      hash = hashStep(hash, unit);
      if (length < longestWord) word[++length] = unit;
    }
    const isNumber = word[1] === numberUnit && (form | characterForm.digit) === characterForm.digit;
    const owner = this.#openToken(from, index, 1);
    if (form !== 0 && !isNumber) this.#add(salts.form ^ form, owner);
    const isNew = this.#addToken(isNumber ? numberUnit : hash, owner, true);
    if (isNew && !isNumber) this.#addPieces(length, owner);
    return index;
  }

  #readIdeograph(code: number, end: number): void {
    const owner = this.#openToken(end - 1, end, 1);
    const hash = hashStep(hashStart, code);
    if (this.#beforePrevious !== 0) {
      this.#add(Math.imul(Math.imul(this.#beforePrevious, 31) ^ this.#previous, 37) ^ hash, owner | 1);
    }
    this.#addToken(hash, owner, true);
  }

  #readSymbol(code: number, end: number): void {
    this.#addToken(hashStep(hashStart, code), this.#openToken(end - 1, end, 0), false);
  }

  #openToken(start: number, end: number, isWord: number): number {
    const token = this.tokenCount++;
    this.tokenStarts[token] = start;
    this.tokenEnds[token] = end;
    this.isWord[token] = isWord;
    return token * 2;
  }

  #addToken(hash: number, owner: number, isWord: boolean): boolean {
    const slot = hash & (this.#seen.length - 1);
    const isNew = this.#seen[slot] !== hash >>> 0;
    this.#seen[slot] = hash;
    if (isNew) this.#add(hash ^ salts.word, owner);
    if (this.#previous !== 0) this.#add(Math.imul(this.#previous, 31) ^ hash ^ salts.pair, owner | 1);
    if (this.#isAskZone && isWord) this.#addPlace(hash, owner);
    this.#beforePrevious = this.#previous;
    this.#previous = hash;
    return isNew;
  }

  #addPlace(hash: number, owner: number): void {
    this.#place++;
    if (this.#place <= countedPlaces) this.#add(hash ^ Math.imul(this.#place, salts.place), owner);
    if (this.#anchor === 0) {
      if (openingWords.has(hash)) return;
      this.#anchor = hash;
      this.#wordsLeft = wordsAfterAnchor;
    } else if (this.#wordsLeft > 0) {
      this.#wordsLeft--;
      this.#add(Math.imul(this.#anchor, 41) ^ Math.imul(hash, 0x2545f491) ^ salts.anchor, owner);
    }
  }

  /** Pieces have 3 to 5 letters; for Korean, 1 to 3 syllables. */
  #addPieces(length: number, owner: number): void {
    const word = this.#word;
    word[length + 1] = edges.end;
    const isKorean = isHangul(word[1] ?? 0);
    const shortest = isKorean ? 1 : 3;
    const longest = Math.min(length, isKorean ? 3 : 5);
    const { buckets, owners } = this;
    let feature = this.count;
    // The middle zone uses only the start of each word, since the middle causes most of the cost of a long prompt.
    const lastFrom = this.#isAskZone ? length + 1 : 0;
    for (let from = 0; from <= lastFrom; from++) {
      const limit = Math.min(longest, length + 2 - from);
      let hash = hashStart;
      for (let size = 1; size <= limit; size++) {
        hash = hashStep(hash, word[from + size - 1] ?? 0);
        if (size < shortest) continue;
        buckets[feature] = bucketOf(hash ^ Math.imul(size, salts.piece), bucketBits);
        owners[feature++] = owner;
      }
    }
    this.count = feature;
  }

  #readShape(text: string, firstEnd: number, lastStart: number, end: number): void {
    const tokens = this.tokenCount;
    const last = text.charAt(end - 1);
    const marks = [
      text.includes('```'),
      last === '?' || last === '\uff1f' || last === '\u061f',
      tokens < 6,
      tokens >= 6 && tokens < 16,
      tokens >= 16 && tokens < 60,
      tokens >= 60,
      lastStart > firstEnd,
      text.includes('\n'),
    ];
    for (const [mark, isSo] of marks.entries())
      if (isSo) this.#add(shapeSalt + Math.imul(mark + 1, 0x10001), 0);
  }

  #add(hash: number, owner: number): void {
    const feature = this.count++;
    this.buckets[feature] = bucketOf(hash, bucketBits);
    this.owners[feature] = owner;
  }
}
