import type { IntentWord } from '@sluice/contract';

/** What is less rounds to nothing. */
const leastWeight = 0.005;

export type WeighedWord = Pick<IntentWord, 'text' | 'weight'>;

/** Each word once, with what all its places weigh together; those that weigh most first. */
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
