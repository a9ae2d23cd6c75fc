import { isObject } from '../request/checks.ts';

// Below these stands a client's or a schema's own.
const opaque = new Set([
  ...['args', 'response', 'parameters', 'parametersJsonSchema'],
  ...['responseSchema', 'responseJsonSchema', 'partMetadata'],
]);

/** Google takes its fields in snake case, too, and a null for one that is not there. */
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
