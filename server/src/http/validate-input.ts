import type { FieldProblem, RouteRow } from '@sluice/contract';
import { z } from 'zod';
import { ConsoleError } from '#errors/console-error.ts';
import { findUnfitValue } from './find-unfit-value.ts';

interface RawInput {
  params: unknown;
  query: unknown;
  body: unknown;
}

const noFields = z.strictObject({});

/** More of them help nobody, and a body can be wrong in thousands of places. */
const problemsMax = 100;

/** The parts of a request that its row declares, parsed; all problems are reported together as a 422. */
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
    // An id that cannot be one is a missing object, so that ids of any form answer alike.
    if (place === 'path') throw new ConsoleError(404, 'Not found');
    for (const issue of parsed.error.issues.slice(0, problemsMax))
      problems.push(toFieldProblem(place, issue));
    return undefined;
  };
  const { params, query = noFields, body, form } = row.request ?? {};
  const input = {
    params: parse('path', params, raw.params),
    query: parse('query', query, raw.query),
    body: parse('body', body, raw.body),
    form: parse('body', form, raw.body),
  };
  if (problems.length > 0) throw new ConsoleError(422, problems);
  return input;
}

function toFieldProblem(place: string, issue: z.core.$ZodIssue): FieldProblem {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const unknownKeys = issue.code === 'unrecognized_keys' ? issue.keys : [];
  return { loc: [place, ...path, ...unknownKeys], msg: issue.message, type: issue.code };
}
