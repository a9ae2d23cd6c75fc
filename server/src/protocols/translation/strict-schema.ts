import { isSchema, type JsonSchema } from '#json/json-schema.ts';
import { readText } from '#json/json-value.ts';

/** Keywords that OpenAI enforces in strict mode. A schema with any other keyword is rejected. */
const enforced: ReadonlySet<string> = new Set([
  ...[
    'type',
    'properties',
    'required',
    'additionalProperties',
    'items',
    'enum',
    'const',
    'anyOf',
    '$ref',
    '$defs',
  ],
  ...['title', 'description', 'pattern', 'format', 'minItems', 'maxItems'],
  ...['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
]);

/** Keywords without an effect on validation. */
const annotations: ReadonlySet<string> = new Set([
  ...['$schema', '$id', '$comment', '$anchor', 'default', 'example', 'examples', 'deprecated', 'readOnly'],
  ...['writeOnly', 'contentMediaType', 'contentEncoding'],
]);

const formats: ReadonlySet<string> = new Set([
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
]);

const depthMax = 10;
const propertiesMax = 5_000;
const enumValuesMax = 1_000;

/** Thrown inside this file for a schema that strict mode cannot express. */
class OpenSchemaError extends Error {}

interface Count {
  properties: number;
  enumValues: number;
}

/**
 * Returns an equivalent schema that OpenAI accepts in strict mode: objects are closed, and optional properties are
 * required and may be null. Returns `null` if that is impossible, as for objects with arbitrary property names.
 */
export function closeStrictly(schema: JsonSchema): JsonSchema | null {
  try {
    if (schema.type !== 'object') return null;
    return close(schema, 0, { properties: 0, enumValues: 0 }, schema);
  } catch (error) {
    if (error instanceof OpenSchemaError) return null;
    throw error;
  }
}

export interface StrictSchema {
  readonly schema: JsonSchema;
  readonly strict?: boolean;
}

/** Adapts a schema that the caller wants enforced to OpenAI's strict mode. `warn` is called if that is not possible. */
export function fitStrictly(
  schema: JsonSchema,
  isStrict: boolean | undefined,
  warn: (name: string) => void,
): StrictSchema {
  if (!isStrict) return { schema, ...(isStrict === false && { strict: false }) };
  const closed = closeStrictly(schema);
  if (closed) return { schema: closed, strict: true };
  warn('strict');
  return { schema, strict: false };
}

function close(schema: JsonSchema, depth: number, count: Count, root: JsonSchema): JsonSchema {
  if (depth > depthMax) throw new OpenSchemaError();
  const inner = (value: unknown) => closeAny(value, depth + 1, count, root);
  const closed: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (annotations.has(keyword)) continue;
    if (keyword === 'definitions') closed.$defs = mapSchemas(value, inner);
    else if (!enforced.has(keyword) || (keyword === 'format' && !formats.has(readText(value))))
      throw new OpenSchemaError();
    else if (keyword === '$defs') closed.$defs = mapSchemas(value, inner);
    else if (keyword === 'items') closed.items = inner(value);
    else if (keyword === 'anyOf') closed.anyOf = listOf(value).map(inner);
    else if (keyword === '$ref') closed.$ref = readReference(value, root);
    else closed[keyword] = value;
  }
  if (Array.isArray(schema.enum)) count.enumValues += schema.enum.length;
  const closesObject = listOf(schema.type).includes('object') || schema.properties !== undefined;
  if (closesObject) Object.assign(closed, closeObject(schema, inner, count));
  if (count.properties > propertiesMax || count.enumValues > enumValuesMax) throw new OpenSchemaError();
  return closed;
}

function closeAny(value: unknown, depth: number, count: Count, root: JsonSchema): JsonSchema {
  // OpenAI has no schema that accepts any value.
  if (!isSchema(value) || Object.keys(value).every((keyword) => annotations.has(keyword) || isLabel(keyword)))
    throw new OpenSchemaError();
  return close(value, depth, count, root);
}

const isLabel = (keyword: string) => keyword === 'title' || keyword === 'description';

/**
 * Closes an object schema.
 * @throws OpenSchemaError if the schema allows or requires undeclared properties
 */
function closeObject(schema: JsonSchema, inner: (value: unknown) => JsonSchema, count: Count): object {
  const { properties, additionalProperties, required } = schema;
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  if (isOpen || (!isSchema(properties) && additionalProperties !== false)) throw new OpenSchemaError();
  const names = Object.keys(properties ?? {});
  const demanded = new Set(listOf(required));
  if (![...demanded].every((name) => names.includes(readText(name)))) throw new OpenSchemaError();
  count.properties += names.length;
  return {
    properties: Object.fromEntries(
      Object.entries(isSchema(properties) ? properties : {}).map(([name, value]) => {
        const closed = inner(value);
        return [name, demanded.has(name) ? closed : allowNull(closed)];
      }),
    ),
    required: names,
    additionalProperties: false,
  };
}

function allowNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf } = schema;
  if (Array.isArray(anyOf) && type === undefined)
    return anyOf.some((option) => listOf(isSchema(option) ? option.type : undefined).includes('null'))
      ? schema
      : { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (type === undefined || 'const' in schema) {
    const { description, ...rest } = schema;
    const options = [rest, { type: 'null' }];
    return { ...(description !== undefined && { description }), anyOf: options };
  }
  return {
    ...schema,
    type: listOf(type).includes('null') ? type : [...listOf(type), 'null'],
    ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }),
  };
}

function mapSchemas(value: unknown, inner: (schema: unknown) => JsonSchema): JsonSchema {
  if (!isSchema(value)) throw new OpenSchemaError();
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, inner(schema)]));
}

/**
 * Returns a reference within the schema.
 * @throws OpenSchemaError for a reference to a missing definition.
 */
function readReference(value: unknown, { $defs, definitions }: JsonSchema): string {
  const [, name = ''] = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(readText(value)) ?? [];
  const isKnown = [$defs, definitions].some((known) => isSchema(known) && Object.hasOwn(known, name));
  if (value === '#' || isKnown) return value === '#' ? '#' : `#/$defs/${name}`;
  throw new OpenSchemaError();
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
