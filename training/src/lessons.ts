import { intents } from '../../server/src/intent/intents.ts';
import type { Lesson } from './regression.ts';

/** Row for the trainer: text index, class and source. */
export interface Labelled {
  index: number;
  label: number;
  group: string;
}

const fullWeightRows = 1000;
const sourceExponent = 0.2;
const classExponent = 0.5;
/**
 * Handwritten rows are the most diverse and cleanest source; composed rows are repetitive. Measured on left-out
 * sources.
 */
const groupFactors: Readonly<Record<string, number>> = { written: 2, framed: 0.5 };

/** Weights rows so that no large source or class dominates. */
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
