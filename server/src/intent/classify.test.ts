import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { classify, judge } from './classify.ts';
import { intents, loadModel } from './model.ts';

const model = loadModel(readFileSync(new URL('./model.bin', import.meta.url)));

test.each([
  ['coding', 'Refactor this function so that it no longer needs a global variable'],
  ['testing', 'Write unit tests for the invoice parser, with edge cases'],
  ['documentation', 'Write a README for this repository'],
  ['research', 'What are the causes of the French Revolution?'],
  ['off_topic', 'Tell me a joke about cats'],
  ['other', 'Write an email to a customer whose parcel is late'],
  ['testing', 'Schreibe Unit-Tests für die Klasse Bestellung'],
  ['research', '什么是光合作用?'],
  ['off_topic', 'Cuéntame un chiste'],
])('classify returns %s for: %s', (intent, text) => {
  expect(classify(text, model)).toMatchObject({ intent });
});

test('classify returns probabilities that add up to 1 and the most likely intent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { intent, confidence, probabilities } = classify(text, model);
      const all = intents.map((one) => probabilities[one]);
      expect(all.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9);
      expect(confidence).toBe(Math.max(...all));
      expect(probabilities[intent]).toBe(confidence);
    }),
  );
});

test('classify returns the same result for the same prompt regardless of the prompts in between', () => {
  const prompt = 'Explain how TCP congestion control works';
  const first = classify(prompt, model);
  classify('```\nnpm ERR! code ELIFECYCLE\n```', model);
  expect(classify(prompt, model)).toEqual(first);
});

test('judge returns higher confidence if one logit is further ahead', () => {
  const confidences = [0, 1, 2, 4, 8].map(
    (lead) => judge(Float64Array.from([lead, 0, 0, 0, 0, 0]), model.temperature).confidence,
  );
  expect(confidences).toEqual(confidences.toSorted((one, other) => one - other));
  expect(confidences[0]).toBeCloseTo(1 / intents.length, 9);
});

test('classify takes at most five times as long for a prompt of 50 KB as for one of 4 KB', () => {
  const spend = (prompt: string, calls: number): number => {
    const before = process.threadCpuUsage();
    for (let call = 0; call < calls; call++) classify(prompt, model);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / calls;
  };
  const short = 'Explain this text.\n\n'.padEnd(4_000, 'The quick brown fox jumps over the lazy dog. ');
  const long = 'Explain this text.\n\n'.padEnd(50_000, 'The quick brown fox jumps over the lazy dog. ');
  spend(long, 300);
  expect(spend(long, 300)).toBeLessThan(5 * spend(short, 300) + 100);
});
