import { bucketBits } from '../../server/src/intent/features.ts';
import { intents } from '../../server/src/intent/intents.ts';
import type { ExampleSet } from './example-set.ts';
import { createRandom, shuffle } from './random.ts';

/** Weights by bucket and class: `weights[bucket * classes + label]`. */
export type Weights = { weights: Float32Array; biases: Float64Array };

export type Lesson = { index: number; label: number; weight: number };

export type Options = {
  epochs: number;
  rate: number;
  smoothing: number;
  dropout: number;
  seed: number;
  decay: number;
};
export const defaults: Options = { epochs: 4, rate: 0.5, smoothing: 0.05, dropout: 0, seed: 7, decay: 0 };

const classes = intents.length;

/** Multinomial logistic regression by Adagrad; the same input gives the same weights to the bit. */
export function fit(set: ExampleSet, lessons: Lesson[], options: Options = defaults): Weights {
  const weights = new Float32Array(classes << bucketBits);
  const squares = new Float32Array(1 << bucketBits).fill(0.01);
  const biases = new Float64Array(classes);
  const biasSquares = new Float64Array(classes).fill(0.01);
  const order = Uint32Array.from(lessons.keys());
  const random = createRandom(options.seed);
  const errors = new Float64Array(classes);
  const { buckets, values, starts } = set;
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    shuffle(order, random);
    for (const position of order) {
      const lesson = lessons[position];
      if (!lesson) continue;
      const from = starts[lesson.index] ?? 0;
      const to = starts[lesson.index + 1] ?? 0;
      const dropSeed = options.dropout > 0 ? (random() * 2 ** 32) | 0 : 0;
      const dropLimit = options.dropout * 2 ** 32;
      errors.set(biases);
      for (let feature = from; feature < to; feature++) {
        const bucket = at(buckets, feature);
        if (dropSeed !== 0 && Math.imul(bucket ^ dropSeed, 0x846ca68b) >>> 0 < dropLimit) continue;
        const base = bucket * classes;
        const value = at(values, feature);
        for (let label = 0; label < classes; label++)
          errors[label] = at(errors, label) + at(weights, base + label) * value;
      }
      softmax(errors);
      let size = 0;
      for (let label = 0; label < classes; label++) {
        const wanted = label === lesson.label ? 1 - options.smoothing : options.smoothing / (classes - 1);
        const error = (at(errors, label) - wanted) * lesson.weight;
        errors[label] = error;
        size += error * error;
      }
      for (let feature = from; feature < to; feature++) {
        const bucket = at(buckets, feature);
        if (dropSeed !== 0 && Math.imul(bucket ^ dropSeed, 0x846ca68b) >>> 0 < dropLimit) continue;
        const base = bucket * classes;
        const value = at(values, feature);
        const square = at(squares, bucket) + size * value * value;
        squares[bucket] = square;
        const step = (options.rate * value) / Math.sqrt(square);
        for (let label = 0; label < classes; label++)
          weights[base + label] =
            at(weights, base + label) - step * at(errors, label) - options.decay * at(weights, base + label);
      }
      for (let label = 0; label < classes; label++) {
        biasSquares[label] = at(biasSquares, label) + at(errors, label) ** 2;
        biases[label] = at(biases, label) - (0.1 * at(errors, label)) / Math.sqrt(at(biasSquares, label));
      }
    }
  }
  return { weights, biases };
}

// The compiler cannot know that every index is within its array.
function at(array: Float32Array | Float64Array | Uint32Array, index: number): number {
  return array[index] ?? 0;
}

/** Logits of one text. */
export function score(set: ExampleSet, index: number, { weights, biases }: Weights): Float64Array {
  const logits = Float64Array.from(biases);
  for (let feature = set.starts[index] ?? 0; feature < (set.starts[index + 1] ?? 0); feature++) {
    const base = at(set.buckets, feature) * classes;
    const value = at(set.values, feature);
    for (let label = 0; label < classes; label++)
      logits[label] = at(logits, label) + at(weights, base + label) * value;
  }
  return logits;
}

export function softmax(logits: Float64Array): void {
  const largest = Math.max(...logits);
  let sum = 0;
  for (let label = 0; label < logits.length; label++) {
    logits[label] = Math.exp(at(logits, label) - largest);
    sum += at(logits, label);
  }
  for (let label = 0; label < logits.length; label++) logits[label] = at(logits, label) / sum;
}
