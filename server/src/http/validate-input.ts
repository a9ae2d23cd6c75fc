import { describeUnknownFields, type FieldProblem, type RouteRow, readOnlyFieldsOf } from '@sluice/contract';
import { z } from 'zod';
import { ConsoleError } from '#errors/console-error.ts';

type Path = FieldProblem['loc'];

/** Deeper than any body that a row declares. */
const depthMax = 32;

/**
 * Returns the first value that no field accepts: text that PostgreSQL cannot store, a key that changes an object's
 * prototype, or excessive nesting.
 */
function findUnfitValue(value: unknown, path: Path): FieldProblem | null {
  if (typeof value === 'string') return findUnfitText(value, path);
  if (typeof value !== 'object' || value === null) return null;
  if (path.length > depthMax)
    return { loc: path, msg: `Must be nested at most ${depthMax} levels deep`, type: 'too_deep' };
  for (const [key, part] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const place = [...path, key];
    const problem =
      (typeof key === 'string' ? findUnfitKey(key, place) : null) ?? findUnfitValue(part, place);
    if (problem) return problem;
  }
  return null;
}

function findUnfitKey(key: string, path: Path): FieldProblem | null {
  if (key === '__proto__')
    return { loc: path, msg: 'The field name __proto__ is not allowed', type: 'forbidden_key' };
  return findUnfitText(key, path);
}

function findUnfitText(text: string, path: Path): FieldProblem | null {
  const isStorable = text.isWellFormed() && !text.includes('\0');
  return isStorable
    ? null
    : { loc: path, msg: 'Must not contain NUL or unpaired surrogate characters', type: 'unstorable_text' };
}

interface RawInput {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** A body can have thousands of problems, and more do not help. */
const problemsMax = 100;

const noFields = z.strictObject({});

/** Reports all invalid fields together as a 422. */
export function validateInput(
  row: RouteRow,
  raw: RawInput,
): Record<'params' | 'query' | 'body' | 'form', unknown> {
  const problems: FieldProblem[] = [];
  const parse = (place: string, schema: z.ZodType | undefined, value: unknown): unknown => {
    if (!schema) return undefined;
    const unfit = findUnfitValue(value, [place]);
    if (unfit) {
      problems.push(unfit);
      return undefined;
    }
    const parsed = schema.safeParse(value ?? {});
    if (parsed.success) return parsed.data;
    // A malformed id gets the same response as an unknown one.
    if (place === 'path') throw new ConsoleError(404, 'Not found');
    const issues = parsed.error.issues.slice(0, problemsMax);
    problems.push(...issues.flatMap((issue) => toFieldProblems(place, issue)));
    return undefined;
  };
  const { params, query = noFields, body, form } = row.request ?? {};
  const input = {
    params: parse('path', params, raw.params),
    query: parse('query', query, omitEmpty(query, raw.query)),
    body: parse('body', body, omitReadOnly(row, raw.body)),
    form: parse('body', form, raw.body),
  };
  if (problems.length > 0) throw new ConsoleError(422, firstOfEachField(problems));
  return input;
}

/** Treats empty optional parameters as absent, as in `?search=&status=`. */
function omitEmpty({ shape }: z.ZodObject, query: unknown): unknown {
  return omitFields(query, (name, value) => value === '' && isOptional(shape, name));
}

function isOptional(shape: z.ZodObject['shape'], name: string): boolean {
  return Object.hasOwn(shape, name) && z.safeParse(shape[name] ?? z.never(), undefined).success;
}

function omitReadOnly(row: RouteRow, body: unknown): unknown {
  const readOnly = readOnlyFieldsOf(row);
  return readOnly.length === 0 ? body : omitFields(body, (name) => readOnly.includes(name));
}

function omitFields(fields: unknown, isOmitted: (name: string, value: unknown) => boolean): unknown {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isOmitted(name, value)));
}

function toFieldProblems(place: string, issue: z.core.$ZodIssue): FieldProblem[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const loc = [place, ...path];
  const type = kindsOfOurs[issue.code] ?? issue.code;
  if (issue.code !== 'unrecognized_keys') return [{ loc, msg: issue.message, type }];
  return issue.keys
    .slice(0, problemsMax)
    .map((key) => ({ loc: [...loc, key], msg: describeUnknownFields([key]), type }));
}

const kindsOfOurs: Readonly<Record<string, string>> = {
  invalid_union: 'invalid_type',
  custom: 'value_error',
};

/** Forms show one problem per field. */
function firstOfEachField(problems: readonly FieldProblem[]): FieldProblem[] {
  const byField = new Map<string, FieldProblem>();
  for (const problem of problems) byField.getOrInsert(JSON.stringify(problem.loc), problem);
  return [...byField.values()].slice(0, problemsMax);
}
