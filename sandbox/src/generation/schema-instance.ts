type Schema = Record<string, unknown>;

// Maximum number of generated values. Schemas come from clients, and recursive schemas or huge minimums must not be
// expensive.
const valuesMax = 1_000;
const depthMax = 32;
const lengthMax = 1_000;

interface Build {
  root: unknown;
  valuesLeft: number;
}

/**
 * Returns the smallest simple value that a JSON schema allows: required properties only, shortest arrays, numbers near
 * 0. Supports structured output keywords except `pattern`, `format`, `multipleOf` and `allOf`.
 */
export function instanceOfSchema(schema: unknown): unknown {
  return build(schema, { root: schema, valuesLeft: valuesMax }, 0);
}

function build(schema: unknown, state: Build, depth: number): unknown {
  if (!isSchema(schema) || depth > depthMax) return null;
  if (typeof schema.$ref === 'string')
    return build(followReference(schema.$ref, state.root), state, depth + 1);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [alternative] = listOf(schema.anyOf ?? schema.oneOf);
  if (alternative !== undefined) return build(alternative, state, depth + 1);
  switch (typeOf(schema)) {
    case 'object':
      return buildObject(schema, state, depth);
    case 'array':
      return buildArray(schema, state, depth);
    case 'string':
      return buildString(schema);
    case 'number':
    case 'integer':
      return buildNumber(schema);
    case 'boolean':
      return false;
    default:
      return null;
  }
}

function buildArray({ items, minItems }: Schema, state: Build, depth: number): unknown[] {
  const length = takeFrom(state, numberOr(minItems, 0));
  return Array.from({ length }, () => build(items, state, depth + 1));
}

function buildObject(schema: Schema, state: Build, depth: number): Schema {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const required = listOf(schema.required).map(String);
  const names = required.slice(0, takeFrom(state, required.length));
  return Object.fromEntries(names.map((name) => [name, build(properties[name], state, depth + 1)]));
}

function buildString(schema: Schema): string {
  const text = 'text'.padEnd(lengthOr(schema.minLength, 0), '.');
  return text.slice(0, lengthOr(schema.maxLength, text.length));
}

function buildNumber({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: Schema): number {
  const lowest = numberOr(minimum, numberOr(exclusiveMinimum, -Infinity) + 1);
  const highest = numberOr(maximum, numberOr(exclusiveMaximum, Infinity) - 1);
  return Math.min(Math.max(0, lowest), highest);
}

function takeFrom(state: Build, wanted: number): number {
  const taken = Math.max(0, Math.min(wanted, state.valuesLeft));
  state.valuesLeft -= taken;
  return taken;
}

function typeOf(schema: Schema): unknown {
  if (schema.type === undefined && isSchema(schema.properties)) return 'object';
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  // Google's own schemas use upper case.
  return String(type).toLowerCase();
}

function followReference(reference: string, root: unknown): unknown {
  let target = root;
  for (const name of reference.split('/').slice(1)) target = isSchema(target) ? target[name] : null;
  return target;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}

function lengthOr(value: unknown, fallback: number): number {
  return Math.min(numberOr(value, fallback), lengthMax);
}
