import { intents } from '../../server/src/intent/model.ts';
import type { ExampleSet } from './example-set.ts';
import type { Prediction } from './figures.ts';
import { createRandom } from './random.ts';
import { fit, type Lesson, score } from './regression.ts';

interface Labeled {
  index: number;
  label: number;
  group: string;
}

const fullWeightRows = 1000;
const sourceExponent = 0.2;
const classExponent = 0.5;
/**
 * Group weights. Handwritten rows are the most diverse and cleanest source; composed rows are repetitive. The values
 * were measured on left-out sources.
 */
const groupFactors: Readonly<Record<string, number>> = { written: 2, framed: 0.5 };

/** Weights rows so that no large source or class dominates. */
export function createLessons(rows: Labeled[]): Lesson[] {
  const rowsOfGroup = new Map<string, number>();
  for (const { group } of rows) rowsOfGroup.set(group, (rowsOfGroup.get(group) ?? 0) + 1);
  const lessons = rows.map(({ index, label, group }) => ({
    index,
    label,
    weight:
      Math.min(3, (fullWeightRows / (rowsOfGroup.get(group) ?? 1)) ** sourceExponent) *
      (groupFactors[group] ?? 1),
  }));
  const ofClass = new Float64Array(intents.length);
  for (const { label, weight } of lessons) ofClass[label] = (ofClass[label] ?? 0) + weight;
  const mean = ofClass.reduce((sum, weight) => sum + weight, 0) / intents.length;
  for (const lesson of lessons) lesson.weight *= (mean / (ofClass[lesson.label] ?? mean)) ** classExponent;
  return lessons;
}

export type LeftOut = Prediction & { index: number; group: string };

const rowsPerGroup = 500;
/**
 * Excluded, because measuring on the project's own rows and administrators' corrections would overstate the accuracy.
 */
const neverMeasured = ['composed', 'written', 'framed', 'correction'];

/** Predicts at most 500 rows of each source group, with a model trained without the group. */
export function predictLeftOut(set: ExampleSet, rows: Labeled[]): LeftOut[] {
  const groups = [...new Set(rows.map(({ group }) => group))].filter(
    (group) => !neverMeasured.includes(group),
  );
  return groups.flatMap((group) => {
    const weights = fit(set, createLessons(rows.filter((row) => row.group !== group)));
    return sample(rows.filter((row) => row.group === group)).map(({ index, label }) => ({
      index,
      group,
      label,
      logits: score(set, index, weights),
    }));
  });
}

function sample(rows: Labeled[]): Labeled[] {
  const random = createRandom(3);
  return rows
    .map((row) => ({ row, place: random() }))
    .sort((one, other) => one.place - other.place)
    .slice(0, rowsPerGroup)
    .map(({ row }) => row);
}
