import { FeatureReader } from './feature-reader.ts';
import { computeLogits, type Intent, type IntentModel, intents } from './model.ts';

export interface Classification {
  intent: Intent;
  /** Calibrated confidence in [0, 1]: the share of held-out prompts with this value whose intent is correct. */
  confidence: number;
  /** One per intent; they add up to 1. */
  probabilities: Record<Intent, number>;
}

const reader = new FeatureReader();

/**
 * Classifies the intent of a prompt. Of a long text, only about 2,000 characters at the start and the end are read.
 */
export function classify(text: string, model: IntentModel): Classification {
  reader.read(text);
  const logits = computeLogits(reader, model);
  return judge(logits, model.temperature);
}

/** Turns logits into calibrated probabilities and the most likely intent. */
export function judge(logits: Float64Array, temperature: number): Classification {
  let likeliest = 0;
  for (let index = 1; index < logits.length; index++) {
    if ((logits[index] ?? 0) > (logits[likeliest] ?? 0)) likeliest = index;
  }
  const highest = logits[likeliest] ?? 0;
  const odds = logits.map((logit) => Math.exp((logit - highest) / temperature));
  const sum = odds.reduce((total, odd) => total + odd, 0);
  const shareOf = (intent: Intent): number => (odds[intents.indexOf(intent)] ?? 0) / sum;
  const probabilities = {
    coding: shareOf('coding'),
    testing: shareOf('testing'),
    documentation: shareOf('documentation'),
    research: shareOf('research'),
    off_topic: shareOf('off_topic'),
    other: shareOf('other'),
  };
  const intent = intents[likeliest] ?? 'other';
  return { intent, confidence: probabilities[intent], probabilities };
}
