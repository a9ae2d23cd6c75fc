/** Where a hash of a word starts; each unit of the word is one `hashStep` (FNV-1a over UTF-16 units). */
export const hashStart = 0x811c9dc5;

export function hashStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

export function hashWord(word: string): number {
  let hash = hashStart;
  for (let index = 0; index < word.length; index++) hash = hashStep(hash, word.charCodeAt(index));
  return hash;
}

/** Spreads a hash over all its 32 bits, so that its upper ones can name a bucket. */
export function mixHash(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x7feb352d);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}
