import { expect, test } from 'vitest';
import { instanceOfSchema } from './schema-instance.ts';

test.each<[string, unknown, unknown]>([
  ['a constant', { const: 7 }, 7],
  ['the first of an enumeration', { enum: ['red', 'blue'] }, 'red'],
  ['a string', { type: 'string' }, 'text'],
  ['a long enough string', { type: 'string', minLength: 6 }, 'text..'],
  ['a short enough string', { type: 'string', maxLength: 2 }, 'te'],
  ['a number near zero', { type: 'number' }, 0],
  ['a number at its minimum', { type: 'integer', minimum: 3 }, 3],
  ['a number above its exclusive minimum', { type: 'integer', exclusiveMinimum: 3 }, 4],
  ['a number at its maximum', { type: 'integer', maximum: -3 }, -3],
  ['a boolean', { type: 'boolean' }, false],
  ['a type in capitals', { type: 'BOOLEAN' }, false],
  ['null', { type: 'null' }, null],
  ['the first of several types', { type: ['string', 'null'] }, 'text'],
  ['the first alternative', { anyOf: [{ type: 'boolean' }, { type: 'string' }] }, false],
  ['an empty array', { type: 'array', items: { type: 'string' } }, []],
  ['a long enough array', { type: 'array', items: { type: 'string' }, minItems: 2 }, ['text', 'text']],
])('instanceOfSchema returns the minimal instance of a schema for %s', (_, schema, instance) => {
  expect(instanceOfSchema(schema)).toEqual(instance);
});

test('instanceOfSchema includes required properties and follows references', () => {
  const schema = {
    type: 'object',
    properties: {
      city: { $ref: '#/$defs/name' },
      days: { type: 'integer', minimum: 1 },
      note: { type: 'string' },
    },
    required: ['city', 'days'],
    $defs: { name: { type: 'string' } },
  };
  expect(instanceOfSchema(schema)).toEqual({ city: 'text', days: 1 });
});

test('instanceOfSchema terminates for recursive schemas and huge minimums', () => {
  const recursive = { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] };
  expect(JSON.stringify(instanceOfSchema(recursive)).length).toBeLessThan(1_000);
  const wide = { type: 'array', minItems: 1e9, items: { $ref: '#' } };
  expect(JSON.stringify(instanceOfSchema(wide)).length).toBeLessThan(10_000);
});
