import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { classify } from '../../server/src/intent/classify.ts';
import { explain, type WordWeight } from '../../server/src/intent/explain.ts';
import { loadModel } from '../../server/src/intent/model.ts';
import { composeRows } from './compose.ts';
import { createRandom, shuffle } from './random.ts';
import { readMeasured } from './rows.ts';

const model = loadModel(readFileSync(new URL('../../server/src/intent/model.bin', import.meta.url)));
const deletedShare = 0.25;
const randomTries = 5;

const prompts = [
  ...readMeasured('heldout.jsonl'),
  ...readMeasured('adversarial.jsonl'),
  ...composeRows().slice(0, 400),
]
  .map(({ text }) => text)
  .filter(
    (text) => classify(text, model).confidence > 0.5 && explain(text, 'coding', model).words.length >= 4,
  );

function remove(text: string, words: WordWeight[]): string {
  const fromBehind = words.toSorted((one, other) => other.start - one.start);
  return fromBehind.reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
}

test('without the words that an explanation names first, a prompt loses more than without as many at random', () => {
  const random = createRandom(1);
  const losses = prompts.map((text) => {
    const { intent, confidence } = classify(text, model);
    const { words } = explain(text, intent, model);
    const count = Math.ceil(words.length * deletedShare);
    const lossWithout = (removed: WordWeight[]): number =>
      confidence - classify(remove(text, removed), model).probabilities[intent];
    const named = words.toSorted((one, other) => other.weight - one.weight).slice(0, count);
    const atRandom = Array.from({ length: randomTries }, () => lossWithout(pick(words, count, random)));
    return {
      named: lossWithout(named),
      atRandom: atRandom.reduce((sum, loss) => sum + loss, 0) / randomTries,
    };
  });
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const figures = {
    prompts: losses.length,
    named: mean(losses.map(({ named }) => named)),
    atRandom: mean(losses.map(({ atRandom }) => atRandom)),
    shareOfPrompts: mean(losses.map(({ named, atRandom }) => Number(named > atRandom))),
  };
  expect(figures.prompts).toBeGreaterThanOrEqual(500);
  expect(figures.named, JSON.stringify(figures)).toBeGreaterThan(2 * figures.atRandom);
  expect(figures.shareOfPrompts, JSON.stringify(figures)).toBeGreaterThan(0.85);
});

function pick(words: WordWeight[], count: number, random: () => number): WordWeight[] {
  const order = Uint32Array.from(words.keys());
  shuffle(order, random);
  return words.filter((_, index) => order.indexOf(index) < count);
}
