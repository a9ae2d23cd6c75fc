import { FeatureReader } from './feature-reader.ts';
import { computeLogits, type Intent, type IntentModel, intents } from './model.ts';

export interface Classification {
  intent: Intent;
  /** Calibrated from 0 to 1: the share of held-out prompts with this confidence that were classified correctly. */
  confidence: number;
  /** One per intent; the sum is 1. */
  probabilities: Record<Intent, number>;
}

const reader = new FeatureReader();

/** Reads only about 2,000 characters at the start and at the end of a long text. */
export function classify(text: string, model: IntentModel): Classification {
  reader.read(text);
  const logits = computeLogits(reader, model);
  return judge(logits, model.temperature);
}

/** Converts logits into calibrated probabilities and returns the most likely intent. */
export function judge(logits: Float64Array, temperature: number): Classification {
  let likeliest = 0;
  for (let index = 1; index < logits.length; index++) {
    if ((logits[index] ?? 0) > (logits[likeliest] ?? 0)) likeliest = index;
  }
  const highest = logits[likeliest] ?? 0;
  const odds = logits.map((logit) => Math.exp((logit - highest) / temperature));
  const [coding = 0, testing = 0, documentation = 0, research = 0, offTopic = 0, other = 0] = odds;
  const sum = coding + testing + documentation + research + offTopic + other;
  const probabilities = {
    coding: coding / sum,
    testing: testing / sum,
    documentation: documentation / sum,
    research: research / sum,
    off_topic: offTopic / sum,
    other: other / sum,
  };
  const intent = intents[likeliest] ?? 'other';
  return { intent, confidence: probabilities[intent], probabilities };
}
