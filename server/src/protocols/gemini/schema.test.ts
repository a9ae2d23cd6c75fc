import { describe, expect, it } from 'vitest';
import { fitSchema, isEmptyObject, readSchema } from './schema.ts';

describe('T2: readSchema', () => {
  it.each([
    ['uppercase types', { type: 'STRING' }, { type: 'string' }],
    [
      'numeric types',
      { type: 6, properties: { a: { type: 1 } } },
      { type: 'object', properties: { a: { type: 'string' } } },
    ],
    ['lowercase types', { type: 'integer' }, { type: 'integer' }],
    ['a list of types', { type: ['STRING', 'null'] }, { type: ['string', 'null'] }],
    ['an unspecified type', { type: 'TYPE_UNSPECIFIED', description: 'd' }, { description: 'd' }],
    ['nullable with a type', { type: 'NUMBER', nullable: true }, { type: ['number', 'null'] }],
    ['nullable false', { type: 'NUMBER', nullable: false }, { type: 'number' }],
    [
      'nullable with anyOf',
      { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }], nullable: true },
      { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    ],
    [
      'nullable with enum',
      { type: 'STRING', format: 'enum', enum: ['a'], nullable: true },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    ['a date format', { type: 'STRING', format: 'date-time' }, { type: 'string', format: 'date-time' }],
    [
      'counts as strings',
      { type: 'ARRAY', minItems: '1', maxItems: '3' },
      { type: 'array', minItems: 1, maxItems: 3 },
    ],
    [
      'bounds as numbers',
      { type: 'NUMBER', minimum: 1.5, maximum: 2 },
      { type: 'number', minimum: 1.5, maximum: 2 },
    ],
    [
      'keywords in snake case',
      { type: 'ARRAY', min_items: '1', any_of: [{ type: 'STRING' }] },
      { type: 'array', minItems: 1, anyOf: [{ type: 'string' }] },
    ],
    [
      "Google's own keywords",
      { type: 'OBJECT', properties: { a: { type: 'STRING', example: 'x' } }, propertyOrdering: ['a'] },
      { type: 'object', properties: { a: { type: 'string', examples: ['x'] } } },
    ],
    ['null', { type: 'STRING', description: null }, { type: 'string' }],
    [
      'properties named like keywords',
      {
        type: 'OBJECT',
        properties: { any_of: { type: 'STRING' }, nullable: { type: 'BOOLEAN' } },
        required: ['any_of'],
      },
      {
        type: 'object',
        properties: { any_of: { type: 'string' }, nullable: { type: 'boolean' } },
        required: ['any_of'],
      },
    ],
    ['items', { type: 'ARRAY', items: { type: 'OBJECT' } }, { type: 'array', items: { type: 'object' } }],
    [
      'a default',
      { type: 'OBJECT', default: { type: 'STRING' } },
      { type: 'object', default: { type: 'STRING' } },
    ],
  ])("readSchema converts Google's schema: %s", (_rule, schema, read) => {
    expect(readSchema(schema)).toEqual(read);
  });
});

describe('T2: fitSchema', () => {
  it('fitSchema removes $schema and replaces const with enum', () => {
    expect(
      fitSchema({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { kind: { const: 'square' }, const: { type: 'string' } },
        $defs: { side: { const: 3, description: 'd' } },
        additionalProperties: false,
      }),
    ).toEqual({
      type: 'object',
      properties: { kind: { enum: ['square'] }, const: { type: 'string' } },
      $defs: { side: { enum: [3], description: 'd' } },
      additionalProperties: false,
    });
  });

  it('fitSchema keeps keywords such as $ref, oneOf and patternProperties', () => {
    const schema = {
      type: ['object', 'null'],
      properties: {
        tree: { $ref: '#/$defs/tree' },
        size: { oneOf: [{ type: 'integer', exclusiveMinimum: 0 }] },
      },
      $defs: { tree: { type: 'object', patternProperties: { '^x': { type: 'string' } } } },
    };
    expect(fitSchema(schema)).toEqual(schema);
  });
});

describe('T1: isEmptyObject', () => {
  it.each([
    { type: 'object' },
    { type: 'object', properties: {} },
    { type: 'object', properties: {}, additionalProperties: false, required: [] },
    { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: {} },
  ])('isEmptyObject returns true for %j', (schema) => {
    expect(isEmptyObject(schema)).toBe(true);
  });

  it.each([
    {},
    { type: 'string' },
    { type: 'object', properties: { a: {} } },
    { type: 'object', additionalProperties: true },
    { type: 'object', additionalProperties: { type: 'string' } },
    { type: 'object', required: ['a'] },
    { type: 'object', $ref: '#/$defs/a' },
    { type: 'object', description: 'Anything at all' },
  ])('isEmptyObject returns false for %j', (schema) => {
    expect(isEmptyObject(schema)).toBe(false);
  });
});
