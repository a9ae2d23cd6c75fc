import { FeatureReader } from './feature-reader.ts';
import { type Intent, intents } from './intents.ts';
import { computeLogits, type IntentModel } from './model.ts';

export interface Classification {
  intent: Intent;
  /** Share of prompts with this figure whose intent is right, as far as left-out sources tell; in [0, 1]. */
  confidence: number;
  /** One per intent; they add up to 1. */
  probabilities: Record<Intent, number>;
}

const reader = new FeatureReader();

/** Says what a prompt asks for. Of a long text only about 2,000 characters at its start and at its end are read. */
export function classify(text: string, model: IntentModel): Classification {
  reader.read(text);
  const logits = computeLogits(reader, model);
  return judge(logits, model.temperature);
}

/** Turns logits into calibrated probabilities and the likeliest intent. */
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
