import type { IntentName, IntentReading } from '@sluice/contract';
import { classify } from '#intent/classify.ts';
import { explain } from '#intent/explain.ts';
import type { IntentModel } from '#intent/model.ts';

/** Returns the intent of a prompt and the words that indicate it, or the score of a given intent. */
export function readIntent(text: string, model: IntentModel, given?: IntentName): IntentReading {
  const { intent: likeliest, probabilities } = classify(text, model);
  const intent = given ?? likeliest;
  const words = explain(text, intent, model).words.map(({ start, end, weight }) => ({
    text: text.slice(start, end),
    start,
    end,
    weight,
  }));
  return { intent, confidence: probabilities[intent], probabilities, words };
}
