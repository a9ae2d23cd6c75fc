import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { classify } from './classify.ts';
import { explain } from './explain.ts';
import { FeatureReader } from './feature-reader.ts';
import { intents } from './intents.ts';
import { computeLogits, loadModel } from './model.ts';

const model = loadModel(readFileSync(new URL('model.bin', import.meta.url)));
const prompts = [
  'Write a unit test for the date parser',
  'Erzähl mir einen Witz über Katzen!',
  '料理のレシピを教えて',
  'fix this:\n```ts\nconst answer = compute(42);\n```',
];

it.each(prompts)('the words and the rest add up to what speaks for each intent: %s', (prompt) => {
  const reader = new FeatureReader();
  reader.read(prompt);
  const logits = computeLogits(reader, model);
  for (const [index, intent] of intents.entries()) {
    const { words, rest } = explain(prompt, intent, model);
    const sum = words.reduce((total, { weight }) => total + weight, rest);
    expect(sum).toBeCloseTo(logits[index] ?? Number.NaN, 6);
  }
});

it('each word stands where it says, in the order of the text', () => {
  const prompt = 'Refactor the parser, please';
  const { words } = explain(prompt, classify(prompt, model).intent, model);
  expect(words.map(({ start, end }) => prompt.slice(start, end))).toEqual([
    'Refactor',
    'the',
    'parser',
    'please',
  ]);
});
