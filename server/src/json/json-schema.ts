export type JsonSchema = Readonly<Record<string, unknown>>;

/** Returns the value of a schema keyword after mapping each schema inside it; property names are not keywords. */
export function mapSubschemas(
  keyword: string,
  value: unknown,
  change: (schema: JsonSchema) => JsonSchema,
): unknown {
  switch (keyword) {
    case 'properties':
    case 'patternProperties':
    case '$defs':
    case 'definitions':
      return isSchema(value) ? mapEach(value, change) : value;
    case 'items':
    case 'additionalProperties':
      return isSchema(value) ? change(value) : value;
    case 'prefixItems':
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return Array.isArray(value)
        ? value.map((option: unknown) => (isSchema(option) ? change(option) : option))
        : value;
    default:
      return value;
  }
}

function mapEach(schemas: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, isSchema(schema) ? change(schema) : schema]),
  );
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
