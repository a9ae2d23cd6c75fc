import { bucketBits } from '../../server/src/intent/feature-reader.ts';
import { intents } from '../../server/src/intent/intents.ts';
import type { ExampleSet } from './example-set.ts';
import { createRandom, shuffle } from './random.ts';

/** Weights by bucket and class: `weights[bucket * classes + label]`. */
export interface Weights {
  weights: Float32Array;
  biases: Float64Array;
}

/** One text to learn from: its index in the set, its class, and how much it counts. */
export interface Lesson {
  index: number;
  label: number;
  weight: number;
}

const classes = intents.length;
const epochs = 6;
const rate = 0.3;
const biasRate = 0.1;
/** What the other classes share, so that the model does not grow too sure. */
const smoothing = 0.05;

/** Multinomial logistic regression by Adagrad; the same input gives the same weights to the bit. */
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

/** Logits of one text. */
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

/** How far the softmax of the logits is from the truth, times the lesson's weight. */
function computeErrors(logits: Float64Array, { label: truth, weight }: Lesson): Float64Array {
  const largest = Math.max(...logits);
  const odds = logits.map((logit) => Math.exp(logit - largest));
  const sum = odds.reduce((total, odd) => total + odd, 0);
  return odds.map((odd, label) => {
    const wanted = label === truth ? 1 - smoothing : smoothing / (classes - 1);
    return (odd / sum - wanted) * weight;
  });
}
