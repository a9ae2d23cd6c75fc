import { classify } from '../../server/src/intent/classify.ts';
import { explain, type WordWeight } from '../../server/src/intent/explain.ts';
import type { IntentModel } from '../../server/src/intent/model.ts';
import { createRandom, shuffle } from './random.ts';

const randomTries = 5;

/**
 * Average decrease of the intent's probability after deleting the top words, and after deleting the same number of
 * random words.
 */
export interface Faithfulness {
  prompts: number;
  named: number;
  atRandom: number;
  shareOfPrompts: number;
}

/**
 * Deletes the first `deleted` words of the explanation from each prompt, and the same number of random words (mean of
 * five attempts). Prompts with fewer than twice as many words are skipped. `shareOfPrompts` is the share of prompts
 * whose probability decreased more without the top words than without random words.
 */
export function measureFaithfulness(texts: string[], model: IntentModel, deleted: number): Faithfulness {
  const random = createRandom(1);
  const losses = texts.flatMap((text) => {
    const { intent, confidence } = classify(text, model);
    const { words } = explain(text, intent, model);
    if (words.length < 2 * deleted) return [];
    const lossWithout = (removed: WordWeight[]): number =>
      confidence - classify(remove(text, removed), model).probabilities[intent];
    const named = words.toSorted((one, other) => other.weight - one.weight).slice(0, deleted);
    const tries = Array.from({ length: randomTries }, () => lossWithout(pick(words, deleted, random)));
    return { named: lossWithout(named), atRandom: mean(tries) };
  });
  return {
    prompts: losses.length,
    named: mean(losses.map(({ named }) => named)),
    atRandom: mean(losses.map(({ atRandom }) => atRandom)),
    shareOfPrompts: mean(losses.map(({ named, atRandom }) => Number(named > atRandom))),
  };
}

function remove(text: string, words: WordWeight[]): string {
  const fromBehind = words.toSorted((one, other) => other.start - one.start);
  return fromBehind.reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
}

function pick(words: WordWeight[], count: number, random: () => number): WordWeight[] {
  const order = Uint32Array.from(words.keys());
  shuffle(order, random);
  return Array.from(order.subarray(0, count)).flatMap((index) => words[index] ?? []);
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
