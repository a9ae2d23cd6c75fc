import { isObject } from '../request/checks.ts';
import { invalidRequest } from '../request/problem.ts';

/** Throws `RequestRefused` if a schema has additional or optional properties, which strict mode forbids. */
export function checkStrictSchema(schema: unknown, path: string, depth = 0): void {
  if (!isObject(schema) || depth > 16) return;
  if (isObject(schema.properties)) {
    const names = Object.keys(schema.properties);
    const required = Array.isArray(schema.required) ? schema.required : [];
    const optional = names.filter((name) => !required.includes(name));
    if (schema.additionalProperties !== false)
      throw invalidRequest('invalid_schema', path, "'additionalProperties' must be false in strict mode");
    if (optional.length > 0)
      throw invalidRequest('invalid_schema', path, `'required' must include ${optional} in strict mode`);
  }
  for (const inner of [schema.properties, schema.$defs].filter(isObject)) {
    for (const value of Object.values(inner)) checkStrictSchema(value, path, depth + 1);
  }
  checkStrictSchema(schema.items, path, depth + 1);
  if (Array.isArray(schema.anyOf))
    for (const value of schema.anyOf) checkStrictSchema(value, path, depth + 1);
}

export function checkIfStrict(holder: unknown, schemaField: string, path: string): void {
  if (isObject(holder) && holder.strict === true)
    checkStrictSchema(holder[schemaField], `${path}.${schemaField}`);
}
