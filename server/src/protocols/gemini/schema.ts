import { isSchema, type JsonSchema, mapSubschemas } from '#json/json-schema.ts';
import { readText } from '#json/json-value.ts';

const typesByNumber = ['', 'string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

/** Google's own keywords, which no other protocol supports. */
const ownKeywords: ReadonlySet<string> = new Set(['nullable', 'propertyOrdering']);

/**
 * Converts a schema in Google's OpenAPI subset to JSON Schema. The subset has uppercase types, `nullable`, and counts
 * as strings.
 */
export function readSchema(schema: JsonSchema): JsonSchema {
  const keywords = Object.entries(schema).flatMap(([spelled, value]) => {
    const keyword = spelled.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (value == null || ownKeywords.has(keyword) || (keyword === 'format' && value === 'enum')) return [];
    const read = readKeyword(keyword, value);
    if (keyword === 'example') return [['examples', [value]] as const];
    return keyword === 'type' && !read ? [] : [[keyword, read] as const];
  });
  const read = orderProperties(
    Object.fromEntries(keywords),
    schema.propertyOrdering ?? schema.property_ordering,
  );
  return schema.nullable === true ? allowNull(read) : read;
}

/** Applies `propertyOrdering`, since models write properties in the order of their schema. */
function orderProperties(schema: JsonSchema, names: unknown): JsonSchema {
  const { properties } = schema;
  if (!Array.isArray(names) || !isSchema(properties)) return schema;
  const first = names.flatMap((name) => {
    const isKnown = typeof name === 'string' && Object.hasOwn(properties, name);
    return isKnown ? [[name, properties[name]] as const] : [];
  });
  return { ...schema, properties: { ...Object.fromEntries(first), ...properties } };
}

function readKeyword(keyword: string, value: unknown): unknown {
  if (keyword === 'type') return readType(value);
  if (/^(min|max)[A-Z]/.test(keyword) && typeof value === 'string') return Number(value);
  return mapSubschemas(keyword, value, readSchema);
}

function readType(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readType);
  const name = typeof value === 'number' ? (typesByNumber[value] ?? '') : readText(value).toLowerCase();
  return name === 'type_unspecified' ? '' : name;
}

function allowNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf, enum: values } = schema;
  return {
    ...schema,
    ...(typeof type === 'string' && { type: [type, 'null'] }),
    ...(Array.isArray(anyOf) && { anyOf: [...anyOf, { type: 'null' }] }),
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}

/** Converts JSON Schema to Google's subset, without `const` and `$schema`. */
export function fitSchema(schema: JsonSchema): JsonSchema {
  const keywords = Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === '$schema') return [];
    if (keyword === 'const') return [['enum', [value]] as const];
    return [[keyword, mapSubschemas(keyword, value, fitSchema)] as const];
  });
  return Object.fromEntries(keywords);
}

/** Returns whether the schema is an object without properties, which Google requires to be omitted. */
export function isEmptyObject({
  type,
  properties,
  additionalProperties,
  required,
  ...rest
}: JsonSchema): boolean {
  return (
    type === 'object' &&
    (properties === undefined || (isSchema(properties) && Object.keys(properties).length === 0)) &&
    (additionalProperties === undefined || additionalProperties === false) &&
    (!Array.isArray(required) || required.length === 0) &&
    Object.keys(rest).every((keyword) => keyword === '$schema')
  );
}
