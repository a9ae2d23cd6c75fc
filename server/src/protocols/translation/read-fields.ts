import type { z } from 'zod';
import { toRequestProblem } from '../caller-request/caller-body.ts';
import { UntranslatableError } from './untranslatable.ts';

/** What a schema makes of the value at `path`. @throws UntranslatableError that names the field it refuses. */
export function readFields<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path?: string,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { message, param } = toRequestProblem(parsed.error, path === undefined ? [] : [path]);
  throw new UntranslatableError(message, param);
}
