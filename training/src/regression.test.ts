import { expect, test } from 'vitest';
import { encodeModel, intents } from '../../server/src/intent/model.ts';
import { composeRows } from './compose.ts';
import { readExamples } from './example-set.ts';
import { createLessons } from './leave-out.ts';
import { fit, quantize, score } from './regression.ts';

const rows = composeRows().filter((_, index) => index % 20 === 0);
const labeled = rows.map(({ label, source }, index) => ({
  index,
  label: intents.indexOf(label),
  group: source,
}));

function train(): Uint8Array {
  const set = readExamples(rows.map(({ text }) => text));
  return encodeModel(quantize(fit(set, createLessons(labeled)), 1));
}

test('fit returns the same model for the same rows, byte for byte', () => {
  expect(Buffer.from(train()).equals(Buffer.from(train()))).toBe(true);
});

test('fit learns the classes of its examples', () => {
  const set = readExamples(rows.map(({ text }) => text));
  const weights = fit(set, createLessons(labeled));
  const right = labeled.filter(({ index, label }) => {
    const logits = score(set, index, weights);
    return logits.indexOf(Math.max(...logits)) === label;
  });
  expect(right.length / labeled.length).toBeGreaterThan(0.95);
});
