/** Initial value of a word's hash; each code unit adds one `hashStep` (FNV-1a over UTF-16 units). */
export const hashStart = 0x811c9dc5;

export function hashStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

export function hashWord(word: string): number {
  let hash = hashStart;
  for (let index = 0; index < word.length; index++) hash = hashStep(hash, word.charCodeAt(index));
  return hash;
}

/** Returns the upper bits of a hash, mixed so that they index a table of 2 ** bits buckets. */
export function bucketOf(hash: number, bits: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> (32 - bits);
}
