import { formatLabel, type Labels, labelSet, splitLabel } from '@sluice/contract';
import { z } from 'zod';

export const linesOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);

/** One label per line: `cost_center=4711`. */
export const labelLines = z
  .string()
  .transform((text) =>
    Object.fromEntries(
      linesOf(text).map((line) => {
        const { name, value } = splitLabel(line);
        return [name, value ?? ''];
      }),
    ),
  )
  .pipe(labelSet);

export const formatLabelLines = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => formatLabel(name, value))
    .join('\n');
