import { intents } from '../../server/src/intent/intents.ts';
import type { Lesson } from './regression.ts';

/** A row as the trainer sees it: which text, which class, and who wrote it. */
export interface Labelled {
  index: number;
  label: number;
  group: string;
}

const fullWeightRows = 1000;
const sourceExponent = 0.2;
const classExponent = 0.5;
/** Rows by hand are the widest and cleanest source; those of frames repeat themselves. Measured on left-out sources. */
const groupFactors: Readonly<Record<string, number>> = { written: 2, framed: 0.5 };

/** Weighs rows so that neither a big source nor a big class decides alone. */
export function weighLessons(rows: Labelled[]): Lesson[] {
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
