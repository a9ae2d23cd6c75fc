import { isSchema, type JsonSchema, mapSubschemas } from '../json/json-schema.ts';

/** Keywords that Anthropic rejects in a schema that it enforces. */
const unenforced = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];

/**
 * Returns a schema that Anthropic can enforce: objects are closed, `oneOf` becomes `anyOf`, and unsupported constraints
 * move to the description.
 */
export function closeSchema(schema: JsonSchema): JsonSchema {
  const keywords = Object.entries(schema);
  const told = Object.fromEntries(keywords.filter(isUnenforced));
  const closed: Record<string, unknown> = Object.fromEntries(
    keywords
      .filter((entry) => !isUnenforced(entry))
      .map(([keyword, value]) => [
        keyword === 'oneOf' ? 'anyOf' : keyword,
        mapSubschemas(keyword, value, closeSchema),
      ]),
  );
  if (schema.type === 'object' || isSchema(schema.properties)) closed.additionalProperties ??= false;
  if (Object.keys(told).length > 0) {
    const bounds = `Must satisfy ${JSON.stringify(told)}.`;
    closed.description = typeof schema.description === 'string' ? `${schema.description} ${bounds}` : bounds;
  }
  return closed;
}

/** Whether every object of a schema may be closed: Anthropic rejects schemas that allow undeclared properties. */
export function canClose(schema: JsonSchema): boolean {
  const { additionalProperties } = schema;
  let isClosed = additionalProperties === undefined || additionalProperties === false;
  const check = (inner: JsonSchema) => {
    isClosed &&= canClose(inner);
    return inner;
  };
  for (const [keyword, value] of Object.entries(schema)) mapSubschemas(keyword, value, check);
  return isClosed;
}

function isUnenforced([keyword, value]: [string, unknown]): boolean {
  return unenforced.includes(keyword) || (keyword === 'minItems' && value !== 0 && value !== 1);
}
