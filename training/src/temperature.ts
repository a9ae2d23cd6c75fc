import { judge } from '../../server/src/intent/classify.ts';
import { intents } from '../../server/src/intent/intents.ts';

export interface Prediction {
  logits: Float64Array;
  label: number;
}

/** Returns the temperature that maximizes the likelihood of the true classes, by golden-section search. */
export function fitTemperature(predictions: Prediction[]): number {
  const golden = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [0.2, 10];
  while (high - low > 0.001) {
    const lower = high - golden * (high - low);
    const upper = low + golden * (high - low);
    if (meanLoss(predictions, lower) < meanLoss(predictions, upper)) high = upper;
    else low = lower;
  }
  return (low + high) / 2;
}

function meanLoss(predictions: Prediction[], temperature: number): number {
  let loss = 0;
  for (const { logits, label } of predictions) {
    const intent = intents[label] ?? 'other';
    loss -= Math.log(Math.max(1e-12, judge(logits, temperature).probabilities[intent]));
  }
  return loss / predictions.length;
}
