import type { z } from 'zod';
import { quickParse } from '#json/quick-check.ts';
import { toRequestProblem } from '../caller-request/caller-body.ts';
import { UntranslatableError } from './untranslatable.ts';

/** Parses the value at `path` with a schema. @throws UntranslatableError that names the invalid field. */
export function readFields<Value>(schema: z.ZodType<Value>, value: unknown, path?: string): Value {
  const parsed = quickParse(schema, value);
  if (parsed.success) return parsed.data;
  const { message, param } = toRequestProblem(parsed.error, path === undefined ? [] : [path]);
  throw new UntranslatableError(message, param);
}
