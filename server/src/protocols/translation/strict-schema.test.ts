import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '#json/json-schema.ts';
import { closeStrictly } from './strict-schema.ts';

const object = (properties: object, rest: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...rest,
});
const closed = (properties: object, rest: object = {}) =>
  object(properties, { required: Object.keys(properties), additionalProperties: false, ...rest });
const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };

const expressible: readonly (readonly [kind: string, schema: JsonSchema, strict: JsonSchema])[] = [
  ['an object without properties', object({}), closed({})],
  ['a required property', object({ a: text }, { required: ['a'] }), closed({ a: text })],
  [
    'an optional property',
    object({ a: text, b: text }, { required: ['a'] }),
    closed({ a: text, b: textOrNull }),
  ],
  ['an optional property that may be null', object({ a: textOrNull }), closed({ a: textOrNull })],
  [
    'an optional enumeration',
    object({ a: { type: 'string', enum: ['x'] } }),
    closed({ a: { type: ['string', 'null'], enum: ['x', null] } }),
  ],
  [
    'an optional constant',
    object({ a: { const: 'x', description: 'd' } }),
    closed({ a: { description: 'd', anyOf: [{ const: 'x' }, { type: 'null' }] } }),
  ],
  [
    'an optional union',
    object({ a: { anyOf: [text, { type: 'number' }] } }),
    closed({ a: { anyOf: [text, { type: 'number' }, { type: 'null' }] } }),
  ],
  [
    'an optional nested object',
    object({ a: object({ b: text }) }),
    closed({ a: { ...closed({ b: textOrNull }), type: ['object', 'null'] } }),
  ],
  [
    'objects in a list',
    object({ a: { type: 'array', items: object({ b: text }) } }, { required: ['a'] }),
    closed({ a: { type: 'array', items: closed({ b: textOrNull }) } }),
  ],
  [
    'definitions',
    object({ a: { $ref: '#/definitions/x' } }, { definitions: { x: object({ b: text }) } }),
    closed(
      { a: { anyOf: [{ $ref: '#/$defs/x' }, { type: 'null' }] } },
      { $defs: { x: closed({ b: textOrNull }) } },
    ),
  ],
  [
    'annotations',
    object({ a: { ...text, default: 'x', examples: ['y'] } }, { $schema: 's', required: ['a'] }),
    closed({ a: text }),
  ],
];

const inexpressible: readonly (readonly [kind: string, schema: JsonSchema])[] = [
  ['any additional properties', object({}, { additionalProperties: true })],
  ['a map', object({ a: { type: 'object', additionalProperties: text } })],
  ['an object of any form', object({ a: { type: 'object' } })],
  ['any value', object({ a: {} })],
  ['a value that only has a description', object({ a: { description: 'd' } })],
  ['a list of anything', object({ a: { type: 'array', items: {} } })],
  ['a required property that is not declared', object({}, { required: ['a'] })],
  ['a reference to another document', object({ a: { $ref: 'https://example.com/a.json' } })],
  ['a root that is no object', { type: 'array', items: text }],
  ['a root without a type', { anyOf: [object({}), object({ a: text })] }],
  ['an unsupported format', object({ a: { ...text, format: 'uri' } })],
  ['too many enumerated values', object({ a: { enum: Array.from({ length: 1_001 }, (_, index) => index) } })],
  ['too deep nesting', nest(12)],
  ...[
    ...[
      'allOf',
      'oneOf',
      'not',
      'if',
      'then',
      'else',
      'dependentRequired',
      'dependentSchemas',
      'prefixItems',
    ],
    ...['patternProperties', 'propertyNames', 'unevaluatedProperties', 'minProperties', 'maxProperties'],
    ...['minLength', 'maxLength', 'uniqueItems', 'contains', 'minContains', 'x-vendor', 'nullable'],
  ].map((keyword) => [`the keyword ${keyword}`, object({ a: { ...text, [keyword]: 1 } })] as const),
];

function nest(depth: number): JsonSchema {
  return depth === 0 ? object({ a: text }) : object({ a: nest(depth - 1) });
}

/** Asserts the rules that OpenAI documents for every object of a strict schema. */
function expectClosed(schema: unknown): void {
  JSON.stringify(schema, (_, value) => {
    if (value?.properties !== undefined && !('type' in value.properties)) {
      expect(value.additionalProperties).toBe(false);
      expect(value.required).toEqual(Object.keys(value.properties));
    }
    return value;
  });
}

describe('closeStrictly', () => {
  it.each(expressible)('closeStrictly closes a schema with %s', (_kind, schema, strict) => {
    expect(closeStrictly(schema)).toEqual(strict);
    expectClosed(closeStrictly(schema));
    expect(closeStrictly(strict)).toEqual(strict);
  });

  it.each(inexpressible)('closeStrictly returns null for a schema with %s', (_kind, schema) => {
    expect(closeStrictly(schema)).toBeNull();
  });
});
