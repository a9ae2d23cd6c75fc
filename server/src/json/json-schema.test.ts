import { expect, it } from 'vitest';
import { type JsonSchema, mapSubschemas } from './json-schema.ts';

const mark = (schema: JsonSchema): JsonSchema => ({ ...schema, isSeen: true });
const inner = { type: 'string' };
const seen = { type: 'string', isSeen: true };

it.each(['properties', 'patternProperties', '$defs', 'definitions'])(
  'mapSubschemas maps each schema under a name in %s, regardless of the name',
  (keyword) => {
    expect(mapSubschemas(keyword, { type: inner, items: inner }, mark)).toEqual({ type: seen, items: seen });
  },
);

it.each(['items', 'additionalProperties'])(
  'mapSubschemas maps the schema of %s, but not a boolean',
  (keyword) => {
    expect(mapSubschemas(keyword, inner, mark)).toEqual(seen);
    expect(mapSubschemas(keyword, false, mark)).toBe(false);
  },
);

it.each(['prefixItems', 'anyOf', 'oneOf', 'allOf'])(
  'mapSubschemas maps each schema in the list of %s',
  (keyword) => {
    expect(mapSubschemas(keyword, [inner, true], mark)).toEqual([seen, true]);
  },
);

it.each(['const', 'default', 'enum', 'description'])(
  'mapSubschemas does not treat the value of %s as a schema',
  (keyword) => {
    expect(mapSubschemas(keyword, inner, mark)).toBe(inner);
  },
);
