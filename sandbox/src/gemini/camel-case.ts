import { isObject } from '../request/checks.ts';

// Values below these fields belong to a client or a schema.
const opaque = new Set([
  ...['args', 'response', 'parameters', 'parametersJsonSchema'],
  ...['responseSchema', 'responseJsonSchema', 'partMetadata'],
]);

/** Converts fields to camel case and drops nulls: Google also accepts snake case, and null for a missing field. */
export function toCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCamelCase);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (inner === null) return [];
      const camel = name.replaceAll(/(?<=.)_([a-z])/g, (_, letter) => letter.toUpperCase());
      return [[camel, opaque.has(camel) ? inner : toCamelCase(inner)]];
    }),
  );
}
