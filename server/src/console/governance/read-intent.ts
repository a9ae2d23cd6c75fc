import type { IntentReading } from '@sluice/contract';
import { classify } from '#intent/classify.ts';
import { explain } from '#intent/explain.ts';
import type { IntentModel } from '#intent/model.ts';

/** What a prompt asks for, and which of its words say so. */
export function readIntent(text: string, model: IntentModel): IntentReading {
  const { intent, confidence, probabilities } = classify(text, model);
  const words = explain(text, intent, model).words.map(({ start, end, weight }) => ({
    text: text.slice(start, end),
    start,
    end,
    weight,
  }));
  return { intent, confidence, probabilities, words };
}
