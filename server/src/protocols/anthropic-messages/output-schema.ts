type Schema = Readonly<Record<string, unknown>>;

/** Keywords that Anthropic refuses in a schema it is to enforce. */
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
 * A schema as Anthropic enforces it: objects are closed, `oneOf` becomes `anyOf`, and bounds that it would refuse are
 * told to the model in the description instead.
 */
export function closeSchema(schema: Schema): Schema {
  const closed: Record<string, unknown> = {};
  const told: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (unenforced.includes(keyword) || (keyword === 'minItems' && value !== 0 && value !== 1))
      told[keyword] = value;
    else closed[keyword === 'oneOf' ? 'anyOf' : keyword] = closeWithin(keyword, value);
  }
  if (schema.type === 'object' || isSchema(schema.properties)) closed.additionalProperties ??= false;
  if (Object.keys(told).length > 0) {
    const bounds = `Must satisfy ${JSON.stringify(told)}.`;
    closed.description = typeof schema.description === 'string' ? `${schema.description} ${bounds}` : bounds;
  }
  return closed;
}

function closeWithin(keyword: string, value: unknown): unknown {
  switch (keyword) {
    case 'properties':
    case '$defs':
    case 'definitions':
      return isSchema(value) ? closeEach(value) : value;
    case 'items':
      return isSchema(value) ? closeSchema(value) : value;
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return Array.isArray(value)
        ? value.map((option: unknown) => (isSchema(option) ? closeSchema(option) : option))
        : value;
    default:
      return value;
  }
}

function closeEach(schemas: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, isSchema(schema) ? closeSchema(schema) : schema]),
  );
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
