import type { ExampleSet } from './example-set.ts';
import { type Labelled, weighLessons } from './lessons.ts';
import { createRandom } from './random.ts';
import { fit, score } from './regression.ts';
import type { Prediction } from './temperature.ts';

export type LeftOut = Prediction & { index: number; group: string };

const rowsPerGroup = 500;
/** Our own rows and those of administrators are only used for training: measuring on them would flatter the model. */
const neverMeasured = ['composed', 'written', 'framed', 'correction'];

/** Predicts at most 500 rows of each group of sources with a model that was trained without that group. */
export function predictLeftOut(set: ExampleSet, rows: Labelled[]): LeftOut[] {
  const groups = [...new Set(rows.map(({ group }) => group))].filter(
    (group) => !neverMeasured.includes(group),
  );
  return groups.flatMap((group) => {
    const weights = fit(set, weighLessons(rows.filter((row) => row.group !== group)));
    return sample(rows.filter((row) => row.group === group)).map(({ index, label }) => ({
      index,
      group,
      label,
      logits: score(set, index, weights),
    }));
  });
}

function sample(rows: Labelled[]): Labelled[] {
  const random = createRandom(3);
  return rows
    .map((row) => ({ row, place: random() }))
    .sort((one, other) => one.place - other.place)
    .slice(0, rowsPerGroup)
    .map(({ row }) => row);
}
