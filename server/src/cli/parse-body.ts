import type { z } from 'zod';
import { UsageError } from './command.ts';

/**
 * Returns the body of a console operation, validated by the contract.
 * @throws UsageError that names the field
 */
export function parseBody<Body extends z.ZodType>(schema: Body, given: unknown): z.output<Body> {
  const { data, error } = schema.safeParse(given);
  if (!error) return data;
  throw new UsageError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
}

/** Returns the parts of a comma-separated list. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}
