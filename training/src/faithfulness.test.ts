import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadModel } from '../../server/src/intent/model.ts';
import { measureFaithfulness } from './faithfulness.ts';
import { readMeasured } from './rows.ts';

const model = loadModel(readFileSync(new URL('../../server/src/intent/model.bin', import.meta.url)));
const prompts = [...readMeasured('heldout.jsonl'), ...readMeasured('adversarial.jsonl')].map(
  ({ text }) => text,
);

test('measureFaithfulness finds that removing the top words of an explanation lowers the probability more than removing random ones', () => {
  const figures = measureFaithfulness(prompts, model, 2);
  expect(figures.prompts).toBeGreaterThanOrEqual(500);
  expect(figures.named, JSON.stringify(figures)).toBeGreaterThan(2 * figures.atRandom);
  expect(figures.shareOfPrompts, JSON.stringify(figures)).toBeGreaterThan(0.85);
});
