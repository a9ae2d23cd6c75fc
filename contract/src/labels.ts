import { z } from 'zod';
import { isPlainLine, notPlainLine } from './fields.ts';

/** Maximum number of labels of a team, user, task, API key or request. */
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
  .max(valueMax, `A label must have at most ${valueMax} characters`)
  .refine((text) => text === '' || isPlainLine(text), notPlainLine('A label'));

/** Name and value pairs such as `project: x`; names are lowercase. */
export const labelSet = z
  .record(labelName, labelValue)
  .refine((labels) => Object.keys(labels).length <= labelsMax, `At most ${labelsMax} labels`)
  .meta({ maxProperties: labelsMax });

export type Labels = Readonly<Record<string, string>>;

/** Sources of a request's labels. If several set the same name, the last source applies. */
export const labelSources = ['team', 'user', 'task', 'key', 'request'] as const;

export type LabelSource = (typeof labelSources)[number];

/** Splits `name=value` at the first equals sign; without one, the value is `null`. */
export function splitLabel(text: string): { name: string; value: string | null } {
  const at = text.indexOf('=');
  if (at < 0) return { name: text.trim(), value: null };
  return { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}

export const formatLabel = (name: string, value: string): string => `${name}=${value}`;

/** Formats labels in the notation of the request header; no labels give an empty text. */
export const formatLabels = (labels: Labels | null): string =>
  Object.entries(labels ?? {})
    .map(([name, value]) => formatLabel(name, value))
    .join(', ');

/** Filter by label: `cost_center=4711`, or `cost_center` for any value. */
export const labelFilter = z
  .string()
  .max(nameMax + 1 + valueMax, 'A label must have the form name=value')
  .refine(
    (text) => namePattern.test(splitLabel(text).name),
    'A label must have the form name=value, such as cost_center=4711',
  );

/** Query field that may be repeated: all labels must match. */
export const labelFilters = z
  .union([labelFilter, z.array(labelFilter).min(1).max(labelsMax)])
  .transform((given) => (Array.isArray(given) ? given : [given]));

/** Maximum length of the labels in the header of a request. */
export const labelHeaderLengthMax = 2_000;
