import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FeatureReader } from '../../server/src/intent/feature-reader.ts';
import { computeLogits, intents, loadModel } from '../../server/src/intent/model.ts';
import { measure, measureBands } from './figures.ts';
import { readMeasured } from './rows.ts';

const bytes = readFileSync(new URL('../../server/src/intent/model.bin', import.meta.url));
const model = loadModel(bytes);
const reader = new FeatureReader();
const sets = { heldout: readMeasured('heldout.jsonl'), adversarial: readMeasured('adversarial.jsonl') };

function predict(name: keyof typeof sets) {
  return sets[name].map(({ text, label }) => {
    reader.read(text);
    return { label: intents.indexOf(label), logits: computeLogits(reader, model) };
  });
}

test('the measured sets have at least 300 prompts and cover every class', () => {
  expect(sets.heldout.length).toBeGreaterThanOrEqual(300);
  expect(sets.adversarial.length).toBeGreaterThanOrEqual(300);
  for (const rows of Object.values(sets))
    expect(new Set(rows.map(({ label }) => label)).size).toBe(intents.length);
});

test('the shipped model reaches its goals for macro F1', () => {
  expect(measure(predict('heldout')).macroF1).toBeGreaterThan(0.93);
  expect(measure(predict('adversarial')).macroF1).toBeGreaterThan(0.73);
});

test('the shipped model is more often right if its confidence is higher', () => {
  const predictions = [...predict('heldout'), ...predict('adversarial')];
  const accuracies = measureBands(predictions, model.temperature, [0, 0.7, 0.9, 1]).map(
    ({ accuracy }) => accuracy,
  );
  expect(accuracies).toEqual(accuracies.toSorted((one, other) => one - other));
});

test('training/REPORT.md contains the checksum of the shipped model', () => {
  const report = readFileSync(new URL('../REPORT.md', import.meta.url), 'utf8');
  expect(report).toContain(createHash('sha256').update(bytes).digest('hex'));
});
