// Each entry is one token including its leading space, so that texts are composed without splitting. Each is also one
// o200k token, so that a gateway that counts the tokens of a broken stream gets the same number as the journal.
const adjectives = [' quiet', ' narrow', ' patient', ' green', ' early', ' broad', ' wooden', ' gentle'];
const nouns = [' river', ' gate', ' farmer', ' crane', ' valley', ' bridge', ' garden', ' ferry'];
const verbs = [' follows', ' keeps', ' crosses', ' measures', ' remembers', ' guards', ' reaches', ' holds'];
const waits = [' waits', ' turns', ' rests', ' gathers', ' stops', ' rises', ' returns', ' sings'];
const adverbs = [
  ' slowly',
  ' today',
  ' again',
  ' together',
  ' gladly',
  ' early',
  ' carefully',
  ' downstream',
];

const patterns = [
  [[' The'], adjectives, nouns, verbs, [' the'], nouns, adverbs, ['.']],
  [[' Every'], nouns, verbs, [' one'], adjectives, nouns, adverbs, ['.']],
  [[' Where'], [' the'], nouns, waits, [','], [' water'], waits, ['.']],
  [[' A'], nouns, verbs, [' its'], adjectives, nouns, adverbs, ['.']],
];

/**
 * Each sentence has eight tokens. The last one is shortened to fit `tokenCount`. The same seed results in the same
 * sentences.
 */
export function composeSentences(seed: number, tokenCount: number): string[] {
  const pieces: string[] = [];
  let state = seed;
  const pick = <Item>(items: readonly Item[]): Item | undefined => {
    state = (Math.imul(state, 0x915f77f5) + 0x6d2b79f5) >>> 0;
    // The low bits of a linear congruential generator repeat in short cycles; the high bits do not.
    return items[(state >>> 16) % items.length];
  };
  while (pieces.length < tokenCount) {
    for (const slot of pick(patterns) ?? []) pieces.push(pick(slot) ?? '');
  }
  pieces.length = tokenCount;
  if (tokenCount > 0) {
    pieces[tokenCount - 1] = '.';
    pieces[0] = (pieces[0] ?? '').trimStart();
  }
  return pieces;
}

/**
 * Returns the FNV-1a hash of UTF-16 units. The hash is cheap, stable between runs, and good enough to distinguish
 * prompts.
 */
export function seedOf(...parts: string[]): number {
  let hash = 0x811c9dc5;
  for (const part of parts) {
    for (let index = 0; index < part.length; index++) {
      hash = Math.imul(hash ^ part.charCodeAt(index), 0x01000193);
    }
    hash = Math.imul(hash ^ 0xff, 0x01000193);
  }
  return hash >>> 0;
}
