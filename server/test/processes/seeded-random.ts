import { createHash } from 'node:crypto';

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
export function createRandom(seed: string): () => number {
  let state = createHash('sha256').update(seed).digest().readUInt32LE();
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pickOne<Item>(random: () => number, [first, ...others]: readonly [Item, ...Item[]]): Item {
  return [first, ...others][Math.floor(random() * (others.length + 1))] ?? first;
}
