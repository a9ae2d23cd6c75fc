import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editObject, findDuplicateKey, nestingMax, scanObject } from './json-object.ts';

const scan = (text: string) => {
  const span = scanObject(Buffer.from(text));
  if (span === null) throw new Error('nested too deeply');
  return span;
};

describe('scanObject', () => {
  it('finds each field with the bytes of its value, whatever the value is', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })),
        fc.constantFrom(undefined, 1, '\t'),
        (object, indent) => {
          const bytes = Buffer.from(JSON.stringify(object, null, indent));
          const span = scanObject(bytes);
          const read = span?.fields.map((field) => [
            field.key,
            JSON.parse(bytes.toString('utf8', field.valueStart, field.valueEnd)),
          ]);
          expect(read).toEqual(Object.entries(JSON.parse(bytes.toString())));
        },
      ),
    );
  });

  it('is not fooled by quotes, braces and backslashes inside long strings', () => {
    const text = `${'x'.repeat(50)}\\"},{"a":1`;
    const bytes = Buffer.from(JSON.stringify({ text, after: 1 }));
    expect(scanObject(bytes)?.fields.map(({ key }) => key)).toEqual(['text', 'after']);
  });

  it('refuses what nests deeper than the limit', () => {
    const nested = (depth: number) => Buffer.from(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    expect(scanObject(nested(nestingMax - 1))).not.toBeNull();
    expect(scanObject(nested(nestingMax))).toBeNull();
    expect(scanObject(nested(10_000))).toBeNull();
  });
});

describe('findDuplicateKey', () => {
  it('sees through escapes', () => {
    expect(findDuplicateKey(scan('{"model":"a","mode\\u006c":"b"}'))).toBe('model');
    expect(findDuplicateKey(scan('{"model":{"model":1},"n":1}'))).toBeNull();
  });
});

describe('editObject', () => {
  it('equals editing the parsed object, for any object and any edits', () => {
    const key = fc.constantFrom('model', 'stream', 'task_id', 'metadata', 'a"b', '');
    const edit = fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.dictionary(key, fc.jsonValue({ maxDepth: 2 })),
        fc.dictionary(key, edit),
        fc.boolean(),
        (object, edits, isSpaced) => {
          const bytes = Buffer.from(JSON.stringify(object, null, isSpaced ? 2 : 0));
          const encoded = new Map(
            Object.entries(edits).map(([name, value]) => [
              name,
              value === undefined ? null : JSON.stringify(value),
            ]),
          );
          const expected: Record<string, unknown> = JSON.parse(bytes.toString());
          for (const [name, value] of Object.entries(edits)) {
            if (value === undefined) delete expected[name];
            else expected[name] = JSON.parse(JSON.stringify(value));
          }
          expect(JSON.parse(editObject(bytes, scan(bytes.toString()), encoded).toString())).toEqual(expected);
        },
      ),
    );
  });

  it('keeps the bytes of untouched fields, so that 1.0 and 1e3 stay what they are', () => {
    const bytes = Buffer.from('{ "temperature" : 1.0, "task_id":7, "seed":1e3 }');
    const edited = editObject(bytes, scan(bytes.toString()), new Map([['task_id', null]]));
    expect(edited.toString()).toBe('{"temperature" : 1.0,"seed":1e3}');
  });

  it('gives the original bytes when nothing is to be done', () => {
    const bytes = Buffer.from('{ "a": 1 }');
    expect(editObject(bytes, scan(bytes.toString()), new Map([['b', null]])).toString()).toBe('{ "a": 1 }');
  });
});
