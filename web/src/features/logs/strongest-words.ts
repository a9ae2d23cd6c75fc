import type { IntentWord } from '@sluice/contract';

/** Smaller weights are displayed as 0. */
const leastWeight = 0.005;

export type WeighedWord = Pick<IntentWord, 'text' | 'weight'>;

/** Returns each word once with the sum of its weights, largest first. */
export function findStrongestWords(words: readonly IntentWord[], count: number): WeighedWord[] {
  const weights = new Map<string, number>();
  for (const { text, weight } of words) {
    const word = text.toLowerCase();
    weights.set(word, (weights.get(word) ?? 0) + weight);
  }
  return [...weights]
    .map(([text, weight]) => ({ text, weight }))
    .filter(({ weight }) => Math.abs(weight) >= leastWeight)
    .sort((one, other) => Math.abs(other.weight) - Math.abs(one.weight))
    .slice(0, count);
}
