import { z } from 'zod';
import { isPlainLine, notPlainLine } from './fields.ts';

/** Maximum number of labels per team, user, task, API key or request. */
export const labelsMax = 20;

const nameMax = 63;
const valueMax = 200;

const namePattern = /^[a-z][a-z0-9_.-]{0,62}$/;

const notName =
  'A label name has 1 to 63 lowercase letters, digits, dots, dashes and underscores, and starts with a letter';

export const labelName = z.string().max(nameMax, notName).regex(namePattern, notName);

const labelValue = z
  .string()
  .trim()
  .max(valueMax, `A label value must have at most ${valueMax} characters`)
  .refine((text) => text === '' || isPlainLine(text), notPlainLine('A label'));

/** Names are lowercase. Example: `project: x`. */
export const labelSet = z
  .record(labelName, labelValue)
  .refine((labels) => Object.keys(labels).length <= labelsMax, `At most ${labelsMax} labels are allowed`)
  .meta({ maxProperties: labelsMax });

export type Labels = Readonly<Record<string, string>>;

/** If several sources set the same name, the last one applies. */
export const labelSources = ['team', 'user', 'task', 'key', 'request'] as const;

export type LabelSource = (typeof labelSources)[number];

/** Splits at the first equals sign. The value is `null` without an equals sign. */
export function splitLabel(text: string): { name: string; value: string | null } {
  const at = text.indexOf('=');
  if (at < 0) return { name: text.trim(), value: null };
  return { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}

export const formatLabel = (name: string, value: string): string => `${name}=${value}`;

/** Returns the header format, or an empty string if there are no labels. */
export const formatLabels = (labels: Labels | null): string =>
  Object.entries(labels ?? {})
    .map(([name, value]) => formatLabel(name, value))
    .join(', ');

/** `cost_center=4711`, or `cost_center` for any value. */
export const labelFilter = z
  .string()
  .max(nameMax + 1 + valueMax, 'A label must have the form name=value')
  .refine(
    (text) => namePattern.test(splitLabel(text).name),
    'A label must have the form name=value, such as cost_center=4711',
  );

/** Repeatable query field. A match has all the labels. */
export const labelFilters = z
  .union([labelFilter, z.array(labelFilter).min(1).max(labelsMax)])
  .transform((given) => (Array.isArray(given) ? given : [given]));

/** Maximum length of the `x-sluice-labels` request header. */
export const labelHeaderLengthMax = 2_000;
