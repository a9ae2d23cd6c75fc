import type { z } from 'zod';
import { toRequestProblem } from '../caller-request/caller-body.ts';
import { quickParse } from '../json/quick-check.ts';
import { UntranslatableError } from './untranslatable.ts';

/** What a schema makes of the value at `path`. @throws UntranslatableError that names the field it refuses. */
export function readFields<Value>(schema: z.ZodType<Value>, value: unknown, path?: string): Value {
  const parsed = quickParse(schema, value);
  if (parsed.success) return parsed.data;
  const { message, param } = toRequestProblem(parsed.error, path === undefined ? [] : [path]);
  throw new UntranslatableError(message, param);
}
