import { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

/** Example: `Task id is required`. Forms and the server show this message instead of the schema library's. */
export function describeFieldProblem(issue: Issue): string {
  if (issue.code === 'unrecognized_keys') return describeUnknownFields(issue.keys);
  const label = labelOf(issue.path);
  if (isAbsent(issue)) return `${label} ${isPlural(label) ? 'are' : 'is'} required`;
  return `${label} ${describeFault(issue)}`;
}

z.config({ customError: describeFieldProblem });

/** Missing and null fields get the message `problem`. A wrong type gets the default message. */
export const whenAbsent = (problem: string) => ({
  error: ({ input }: { input?: unknown }) => ((input ?? null) === null ? problem : undefined),
});

/** Returns `Task id` for `task_id`, `Entry 2 of allowed models` for a list entry. */
export function labelOf(path: readonly PropertyKey[] = []): string {
  const words = (path.length === 0 ? 'the request' : joinSteps(path)).replace(/\b(api|llm)\b/g, toUpper);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const toUpper = (word: string) => word.toUpperCase();

function joinSteps(path: readonly PropertyKey[]): string {
  const [last = '', ...before] = path.toReversed();
  const within = before.length === 0 ? '' : joinSteps(before.toReversed());
  if (typeof last === 'number') return `entry ${last + 1} of ${within || 'the request'}`;
  const words = String(last).slice(0, nameMax).replaceAll('_', ' ');
  if (typeof before[0] === 'number') return `${words} of ${within}`;
  return `${within} ${words}`.trim();
}

export function describeUnknownFields(names: readonly string[]): string {
  return `Unknown field: ${names.map((name) => name.slice(0, nameMax)).join(', ')}`;
}

/** Maximum length of a field name in a message, because clients can send names of any length. */
const nameMax = 60;

const isPlural = (label: string) => /[^su]s$/.test(label);

function isAbsent(issue: Issue): boolean {
  if (issue.code === 'too_small') return issue.origin === 'string' && Number(issue.minimum) === 1;
  return issue.code !== 'custom' && issue.input === undefined;
}

function describeFault(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeWords[issue.expected] ?? 'of another type'}`;
    case 'too_small':
      return describeMinimum(issue);
    case 'too_big':
      return `must ${describeSize(issue.origin, `at most ${formatNumber(issue.maximum)}`, Number(issue.maximum))}`;
    case 'invalid_value':
      return `must be ${listChoices(issue.values)}`;
    case 'invalid_union':
      return Array.isArray(issue.options) ? `must be ${listChoices(issue.options)}` : 'has an invalid format';
    case 'invalid_format':
      return formatWords[issue.format] ?? 'has an invalid format';
    case 'not_multiple_of':
      return `must be a multiple of ${formatNumber(issue.divisor)}`;
    case 'invalid_key':
      return `has a name that is not allowed: ${issue.issues[0]?.message ?? 'it has an invalid format'}`;
    default:
      return 'is not valid';
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const formatWords: Readonly<Record<string, string>> = {
  decimal: 'must be a number in decimal notation, such as 12.5',
  decimal_digits: 'has too many digits to be stored exactly',
  date: 'must be a day such as 2026-01-31',
  datetime: 'must be a timestamp such as 2026-01-31T12:00:00Z',
  uuid: 'must be an id (a UUID)',
};

function describeMinimum({ origin, minimum, inclusive }: Extract<Issue, { code: 'too_small' }>): string {
  const bound = `${inclusive === false ? 'more than' : 'at least'} ${formatNumber(minimum)}`;
  return `must ${describeSize(origin, bound, Number(minimum))}`;
}

function describeSize(origin: string, bound: string, size: number): string {
  if (origin === 'string') return `be ${bound} character${size === 1 ? '' : 's'}`;
  if (origin === 'array') return `have ${bound} ${size === 1 ? 'entry' : 'entries'}`;
  return `be ${bound}`;
}

function listChoices(values: readonly unknown[]): string {
  const words = values.filter((value) => value !== undefined).map(String);
  return words.length === 1 ? String(words[0]) : `one of ${words.join(', ')}`;
}

const formatNumber = (value: number | bigint) => value.toLocaleString('en-US', { maximumFractionDigits: 9 });
