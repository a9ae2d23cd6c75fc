import { bucketBits } from '../../server/src/intent/feature-reader.ts';
import { type IntentModel, intents } from '../../server/src/intent/model.ts';
import type { ExampleSet } from './example-set.ts';
import { createRandom, shuffle } from './random.ts';

/** Weights at `bucket * classes + label`. */
export interface Weights {
  weights: Float32Array;
  biases: Float64Array;
}

export interface Lesson {
  index: number;
  label: number;
  weight: number;
}

const classes = intents.length;
const epochs = 6;
const rate = 0.3;
const biasRate = 0.1;
/** Label smoothing. The probability of the other classes prevents an overconfident model. */
const smoothing = 0.05;

/** Fits a multinomial logistic regression with Adagrad. The same input always results in exactly the same weights. */
export function fit(set: ExampleSet, lessons: Lesson[]): Weights {
  const learner = createLearner();
  const order = Uint32Array.from(lessons.keys());
  const random = createRandom(7);
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    for (const position of order) {
      const lesson = lessons[position];
      if (lesson) learn(learner, lesson, featuresOf(set, lesson.index));
    }
  }
  return learner;
}

/** Returns the logits of one text. */
export function score(set: ExampleSet, index: number, weights: Weights): Float64Array {
  return computeLogits(weights, featuresOf(set, index));
}

type Learner = Weights & { squares: Float32Array; biasSquares: Float64Array };
interface Features {
  buckets: Uint32Array;
  values: Float32Array;
}

function createLearner(): Learner {
  return {
    weights: new Float32Array(classes << bucketBits),
    squares: new Float32Array(1 << bucketBits).fill(0.01),
    biases: new Float64Array(classes),
    biasSquares: new Float64Array(classes).fill(0.01),
  };
}

function featuresOf({ starts, buckets, values }: ExampleSet, index: number): Features {
  const [from, to] = [starts[index], starts[index + 1]];
  return { buckets: buckets.subarray(from, to), values: values.subarray(from, to) };
}

function computeLogits({ weights, biases }: Weights, { buckets, values }: Features): Float64Array {
  const logits = Float64Array.from(biases);
  for (let feature = 0; feature < buckets.length; feature++) {
    const base = (buckets[feature] ?? 0) * classes;
    const value = values[feature] ?? 0;
    for (let label = 0; label < classes; label++) {
      logits[label] = (logits[label] ?? 0) + (weights[base + label] ?? 0) * value;
    }
  }
  return logits;
}

function learn(learner: Learner, lesson: Lesson, features: Features): void {
  const errors = computeErrors(computeLogits(learner, features), lesson);
  const size = errors.reduce((sum, error) => sum + error * error, 0);
  const { weights, squares, biases, biasSquares } = learner;
  const { buckets, values } = features;
  for (let feature = 0; feature < buckets.length; feature++) {
    const bucket = buckets[feature] ?? 0;
    const value = values[feature] ?? 0;
    const square = (squares[bucket] ?? 0) + size * value * value;
    squares[bucket] = square;
    const step = (rate * value) / Math.sqrt(square);
    for (let label = 0; label < classes; label++) {
      const place = bucket * classes + label;
      weights[place] = (weights[place] ?? 0) - step * (errors[label] ?? 0);
    }
  }
  for (const [label, error] of errors.entries()) {
    const square = (biasSquares[label] ?? 0) + error * error;
    biasSquares[label] = square;
    biases[label] = (biases[label] ?? 0) - (biasRate * error) / Math.sqrt(square);
  }
}

/** Returns the differences between the softmax of the logits and the true class, times the weight of the lesson. */
function computeErrors(logits: Float64Array, { label: truth, weight }: Lesson): Float64Array {
  const largest = Math.max(...logits);
  const odds = logits.map((logit) => Math.exp(logit - largest));
  const sum = odds.reduce((total, odd) => total + odd, 0);
  return odds.map((odd, label) => {
    const wanted = label === truth ? 1 - smoothing : smoothing / (classes - 1);
    return (odd / sum - wanted) * weight;
  });
}

/**
 * Rounds weights to 8 bits. The largest weights (a share of `clippedShare`) are clipped, so that the other weights
 * keep their precision.
 */
export function quantize({ weights, biases }: Weights, temperature: number): IntentModel {
  const clippedShare = 0.0002;
  const sizes = weights.map(Math.abs).sort();
  const largest = sizes[Math.floor((sizes.length - 1) * (1 - clippedShare))] ?? 1;
  const scale = Math.fround(largest / 127);
  const rounded = Int8Array.from(weights, (weight) =>
    Math.max(-127, Math.min(127, Math.round(weight / scale))),
  );
  return { weights: rounded, scale, temperature: Math.fround(temperature), biases };
}
