import type { Call } from '../http/vendor.ts';
import { isObject } from '../request/checks.ts';
import { type JsonBody, readJsonBody } from '../request/json-body.ts';

// Fields whose values come from a client or a schema. Their keys are not converted.
const opaque = new Set([
  ...['args', 'response', 'parameters', 'parametersJsonSchema'],
  ...['responseSchema', 'responseJsonSchema', 'partMetadata'],
]);

/**
 * Converts keys to camel case and removes nulls, because Google also accepts snake case, and null for a missing
 * field.
 */
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

/** Returns the request body with keys in camel case. Throws `RequestRefused`. */
export async function readCamelBody(call: Call): Promise<JsonBody> {
  const { text, body } = await readJsonBody(call);
  const camel = toCamelCase(body);
  return { text, body: isObject(camel) ? camel : {} };
}
