import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editObject, findDuplicateKey } from './json-object.ts';
import { scanObject } from './json-scan.ts';

const scan = (text: string) => scanObject(Buffer.from(text));

describe('findDuplicateKey', () => {
  it('findDuplicateKey recognizes escaped keys', () => {
    expect(findDuplicateKey(scan('{"model":"a","mode\\u006c":"b"}'))).toBe('model');
    expect(findDuplicateKey(scan('{"model":{"model":1},"n":1}'))).toBeNull();
  });
});

describe('editObject', () => {
  it('editObject equals editing the parsed object, for any object and any edits', () => {
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

  it('editObject keeps the bytes of other fields, such as 1.0 and 1e3', () => {
    const bytes = Buffer.from('{ "temperature" : 1.0, "task_id":7, "seed":1e3 }');
    const edited = editObject(bytes, scan(bytes.toString()), new Map([['task_id', null]]));
    expect(edited.toString()).toBe('{"temperature" : 1.0,"seed":1e3}');
  });

  it('editObject returns the original bytes if there are no edits', () => {
    const bytes = Buffer.from('{ "a": 1 }');
    expect(editObject(bytes, scan(bytes.toString()), new Map([['b', null]])).toString()).toBe('{ "a": 1 }');
  });
});
