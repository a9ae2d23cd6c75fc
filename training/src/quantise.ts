import type { IntentModel } from '../../server/src/intent/model.ts';
import type { Weights } from './regression.ts';

/** Rounds weights to 8 bits. The few beyond `clippedShare` are clipped, so that the others keep their precision. */
export function quantise({ weights, biases }: Weights, temperature: number): IntentModel {
  const clippedShare = 0.0002;
  const sizes = weights.map(Math.abs).sort();
  const largest = sizes[Math.floor((sizes.length - 1) * (1 - clippedShare))] ?? 1;
  const scale = Math.fround(largest / 127);
  const rounded = Int8Array.from(weights, (weight) =>
    Math.max(-127, Math.min(127, Math.round(weight / scale))),
  );
  return { weights: rounded, scale, temperature: Math.fround(temperature), biases };
}
