import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeSchema } from './answer-format.ts';

describe('P5: closeSchema', () => {
  it('closeSchema disallows additional properties at every depth', () => {
    const open = { type: 'object', properties: { a: { type: 'string' } } };
    const closed = { ...open, additionalProperties: false };
    expect(
      closeSchema({
        type: 'object',
        properties: {
          one: open,
          list: { type: 'array', items: open },
          either: { anyOf: [open, { type: 'null' }] },
        },
        $defs: { open },
        definitions: { open },
        allOf: [open],
      }),
    ).toEqual({
      type: 'object',
      properties: {
        one: closed,
        list: { type: 'array', items: closed },
        either: { anyOf: [closed, { type: 'null' }] },
      },
      $defs: { open: closed },
      definitions: { open: closed },
      allOf: [closed],
      additionalProperties: false,
    });
  });

  it('closeSchema keeps additionalProperties if the schema sets it', () => {
    expect(closeSchema({ type: 'object', additionalProperties: { type: 'string' } })).toEqual({
      type: 'object',
      additionalProperties: { type: 'string' },
    });
  });

  it('closeSchema disallows additional properties of a schema that has properties but no type', () => {
    expect(closeSchema({ properties: {} })).toEqual({ properties: {}, additionalProperties: false });
  });

  it('closeSchema moves unsupported constraints to the description', () => {
    expect(
      closeSchema({ type: 'integer', description: 'An age.', minimum: 0, maximum: 150, multipleOf: 1 }),
    ).toEqual({
      type: 'integer',
      description: 'An age. Must satisfy {"minimum":0,"maximum":150,"multipleOf":1}.',
    });
    expect(
      closeSchema({ type: 'array', minItems: 3, maxItems: 5, items: { type: 'string', maxLength: 9 } }),
    ).toEqual({
      type: 'array',
      items: { type: 'string', description: 'Must satisfy {"maxLength":9}.' },
      description: 'Must satisfy {"minItems":3,"maxItems":5}.',
    });
  });

  it('closeSchema keeps supported constraints', () => {
    const schema = {
      type: 'array',
      minItems: 1,
      items: { type: 'string', enum: ['a'], pattern: 'a', format: 'date' },
    };
    expect(closeSchema(schema)).toEqual(schema);
  });

  it('closeSchema replaces oneOf with anyOf', () => {
    expect(closeSchema({ oneOf: [{ type: 'string' }, { type: 'object' }] })).toEqual({
      anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: false }],
    });
  });

  it('closeSchema does not treat property names as keywords', () => {
    const schema = {
      type: 'object',
      properties: { minimum: { type: 'number' }, oneOf: { type: 'string' }, type: { type: 'string' } },
      additionalProperties: false,
    };
    expect(closeSchema(schema)).toEqual(schema);
  });

  it('closeSchema is idempotent for any schema', () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'items',
      'anyOf',
      '$defs',
      'minimum',
      'enum',
      'const',
    );
    const { schema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
      schema: fc.dictionary(keyword, fc.oneof({ maxDepth: 3 }, fc.jsonValue({ maxDepth: 1 }), tie('schema'))),
    }));
    fc.assert(
      fc.property(schema, (any) => {
        const closed = closeSchema(any);
        expect(closeSchema(closed)).toEqual(closed);
      }),
    );
  });
});
