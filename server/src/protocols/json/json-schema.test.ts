import { expect, it } from 'vitest';
import { type JsonSchema, mapSubschemas } from './json-schema.ts';

const mark = (schema: JsonSchema): JsonSchema => ({ ...schema, isSeen: true });
const inner = { type: 'string' };
const seen = { type: 'string', isSeen: true };

it.each(['properties', 'patternProperties', '$defs', 'definitions'])(
  'each schema under a name in %s is changed, whatever the name',
  (keyword) => {
    expect(mapSubschemas(keyword, { type: inner, items: inner }, mark)).toEqual({ type: seen, items: seen });
  },
);

it.each(['items', 'additionalProperties'])('the schema of %s is changed, a boolean is not', (keyword) => {
  expect(mapSubschemas(keyword, inner, mark)).toEqual(seen);
  expect(mapSubschemas(keyword, false, mark)).toBe(false);
});

it.each(['prefixItems', 'anyOf', 'oneOf', 'allOf'])('each schema in the list of %s is changed', (keyword) => {
  expect(mapSubschemas(keyword, [inner, true], mark)).toEqual([seen, true]);
});

it.each(['const', 'default', 'enum', 'description'])('what %s holds is no schema', (keyword) => {
  expect(mapSubschemas(keyword, inner, mark)).toBe(inner);
});
