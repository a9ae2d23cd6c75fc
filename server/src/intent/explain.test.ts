import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explain } from './explain.ts';
import { FeatureReader } from './feature-reader.ts';
import { computeLogits, intents, loadModel } from './model.ts';

const model = loadModel(readFileSync(new URL('./model.bin', import.meta.url)));

const sentences = fc
  .array(
    fc.constantFrom(
      'write',
      'tests',
      'for',
      'the',
      '写',
      '测试',
      'poem',
      '.',
      '\n',
      'ürün',
      '12',
      '```',
      'main.py',
    ),
  )
  .map((words) => words.join(' '));

test('explain returns word weights and a rest that add up to the logit of every intent', () => {
  const reader = new FeatureReader();
  fc.assert(
    fc.property(fc.oneof(sentences, fc.string({ unit: 'binary', maxLength: 6000 })), (text) => {
      reader.read(text);
      const logits = computeLogits(reader, model);
      for (const [index, intent] of intents.entries()) {
        const { words, rest } = explain(text, intent, model);
        expect(words.reduce((sum, { weight }) => sum + weight, rest)).toBeCloseTo(logits[index] ?? 0, 6);
      }
    }),
  );
});

test('explain gives the decisive word the highest weight', () => {
  const text = 'Please write unit tests for the shopping basket';
  const { words } = explain(text, 'testing', model);
  const [heaviest] = words.toSorted((one, other) => other.weight - one.weight);
  expect(text.slice(heaviest?.start, heaviest?.end)).toBe('tests');
});

test('explain gives a word a positive weight for one intent and a negative one for another', () => {
  const weightOf = (intent: 'off_topic' | 'coding'): number =>
    explain('Tell me a joke', intent, model).words.at(-1)?.weight ?? 0;
  expect(weightOf('off_topic')).toBeGreaterThan(0);
  expect(weightOf('coding')).toBeLessThan(0);
});

test('explain returns words in text order with their positions', () => {
  const text = 'Refactor the parser, please';
  const { words } = explain(text, 'coding', model);
  expect(words.map(({ start, end }) => text.slice(start, end))).toEqual([
    'Refactor',
    'the',
    'parser',
    'please',
  ]);
});
