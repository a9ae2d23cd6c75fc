import type { IntentWord } from '@sluice/contract';

export interface Passage {
  start: number;
  text: string;
  /** Absent between the words. */
  weight?: number;
}

/** A text in the pieces that it was judged by; together they are the text. Words are in its order and do not overlap. */
export function divideByWords(text: string, words: readonly IntentWord[]): Passage[] {
  const passages: Passage[] = [];
  let end = 0;
  for (const word of words) {
    if (word.start > end) passages.push({ start: end, text: text.slice(end, word.start) });
    passages.push({ start: word.start, text: text.slice(word.start, word.end), weight: word.weight });
    end = word.end;
  }
  if (end < text.length) passages.push({ start: end, text: text.slice(end) });
  return passages;
}

/** Each word once, with what all its places weigh together; those that weigh most first. */
export function findStrongestWords(
  words: readonly IntentWord[],
  count: number,
): { text: string; weight: number }[] {
  const weights = new Map<string, number>();
  for (const { text, weight } of words) {
    const word = text.toLowerCase();
    weights.set(word, (weights.get(word) ?? 0) + weight);
  }
  return [...weights]
    .map(([text, weight]) => ({ text, weight }))
    .filter(({ weight }) => weight.toFixed(2) !== '0.00' && weight.toFixed(2) !== '-0.00')
    .sort((one, other) => Math.abs(other.weight) - Math.abs(one.weight))
    .slice(0, count);
}
