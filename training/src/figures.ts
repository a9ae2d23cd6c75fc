import { judge } from '../../server/src/intent/classify.ts';
import { intents } from '../../server/src/intent/model.ts';

export interface ClassFigures {
  precision: number;
  recall: number;
  f1: number;
  count: number;
}
export interface Figures {
  count: number;
  accuracy: number;
  macroF1: number;
  classes: ClassFigures[];
}

/** Classes without rows are excluded from the macro average. */
export function measure(predictions: Prediction[]): Figures {
  const counts = intents.map(() => intents.map(() => 0));
  for (const { logits, label } of predictions) {
    const row = counts[label];
    const guess = logits.indexOf(Math.max(...logits));
    if (row) row[guess] = (row[guess] ?? 0) + 1;
  }
  const classes = intents.map((_, label) => {
    const right = counts[label]?.[label] ?? 0;
    const count = sum(counts[label] ?? []);
    const guessed = sum(counts.map((row) => row[label] ?? 0));
    const [precision, recall] = [right / Math.max(1, guessed), right / Math.max(1, count)];
    return {
      precision,
      recall,
      count,
      f1: right === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    };
  });
  const right = sum(counts.map((row, label) => row[label] ?? 0));
  const present = classes.filter(({ count }) => count > 0);
  return {
    count: predictions.length,
    accuracy: right / Math.max(1, predictions.length),
    macroF1: sum(present.map(({ f1 }) => f1)) / Math.max(1, present.length),
    classes,
  };
}

export interface Band {
  from: number;
  to: number;
  count: number;
  confidence: number;
  accuracy: number;
}

export function measureBands(predictions: Prediction[], temperature: number, edges: number[]): Band[] {
  const judged = judgeAll(predictions, temperature);
  return edges.slice(1).map((to, band) => {
    const from = edges[band] ?? 0;
    const inBand = judged.filter(({ confidence }) => confidence > from && confidence <= to);
    const mean = (values: number[]): number => sum(values) / Math.max(1, values.length);
    return {
      from,
      to,
      count: inBand.length,
      confidence: mean(inBand.map(({ confidence }) => confidence)),
      accuracy: mean(inBand.map(({ isRight }) => Number(isRight))),
    };
  });
}

/** Returns the expected calibration error, the average difference between confidence and accuracy. */
export function measureCalibrationError(
  predictions: Prediction[],
  temperature: number,
  edges: number[],
): number {
  const distances = measureBands(predictions, temperature, edges).map(
    ({ count, confidence, accuracy }) => count * Math.abs(confidence - accuracy),
  );
  return sum(distances) / Math.max(1, predictions.length);
}

/** Returns the share of prompts with at least the given confidence, and the accuracy on these prompts. */
export function measureCoverage(predictions: Prediction[], temperature: number, confidence: number) {
  const sure = judgeAll(predictions, temperature).filter((one) => one.confidence >= confidence);
  const precision = sure.filter(({ isRight }) => isRight).length / Math.max(1, sure.length);
  return { coverage: sure.length / Math.max(1, predictions.length), precision };
}

function judgeAll(predictions: Prediction[], temperature: number) {
  return predictions.map(({ logits, label }) => {
    const { intent, confidence } = judge(logits, temperature);
    return { confidence, isRight: intents.indexOf(intent) === label };
  });
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export interface Prediction {
  logits: Float64Array;
  label: number;
}

/** Returns the temperature that maximizes the likelihood of the true classes, found by golden-section search. */
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
