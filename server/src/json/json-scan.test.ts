import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finish } from '#platform/steps.ts';
import { completionLimits } from './body-limits.ts';
import { type JsonLimits, scanJson, scanObject } from './json-scan.ts';

describe('scanObject', () => {
  it('scanObject finds each field with the bytes of its value, for any value', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })),
        fc.constantFrom(undefined, 1, '\t'),
        (object, indent) => {
          const bytes = Buffer.from(JSON.stringify(object, null, indent));
          const span = scanObject(bytes);
          const read = span.fields.map((field) => [
            field.key,
            JSON.parse(bytes.toString('utf8', field.valueStart, field.valueEnd)),
          ]);
          expect(read).toEqual(Object.entries(JSON.parse(bytes.toString())));
        },
      ),
    );
  });

  it('scanObject ignores quotes, braces and backslashes inside long strings', () => {
    const unit = fc.constantFrom('"', '\\', '}', '{', ',', ':', 'x', 'x'.repeat(70));
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 400 }), (units) => {
        const bytes = Buffer.from(JSON.stringify({ text: units.join(''), after: 1 }));
        expect(scanObject(bytes).fields.map(({ key }) => key)).toEqual(['text', 'after']);
      }),
    );
  });
});

describe('scanJson', () => {
  const scan = (text: string, limits: Partial<JsonLimits> = {}) =>
    finish(scanJson(Buffer.from(text), { ...completionLimits, ...limits }));

  it('scanJson returns the counts of what JSON.parse would create', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1), (value, indent) => {
        const scanned = scan(JSON.stringify(value, null, indent));
        const counted = count(value);
        expect(scanned).toMatchObject({ ok: true, counts: { ...counted, values: expect.any(Number) } });
        // The scanner counts an empty list or object as if it had an item, and does not count the outermost value.
        if (scanned.ok) expect(scanned.counts.values).toBeGreaterThanOrEqual(counted.values);
        if (scanned.ok)
          expect(scanned.counts.values).toBeLessThanOrEqual(counted.values + counted.containers);
      }),
    );
  });

  const many = (unit: string, count: number) => Array(count).fill(unit).join(',');
  it.each<[name: string, limits: Partial<JsonLimits>, within: string, beyond: string]>([
    ['nesting', { depth: 3 }, '{"a":[[]]}', '{"a":[[[]]]}'],
    ['arrays and objects', { containers: 5 }, `[${many('{}', 4)}]`, `[${many('{}', 5)}]`],
    ['fields', { members: 4 }, `[${many('{"a":1}', 4)}]`, `[${many('{"a":1}', 5)}]`],
    ['fields of its own', { fields: 2 }, '{"a":{"x":1,"y":2,"z":3},"b":1}', '{"a":1,"b":1,"c":1}'],
    ['values', { values: 4 }, `[${many('0', 4)}]`, `[${many('0', 5)}]`],
    ['long numbers', { numberBytes: 5 }, '[12345,"123456"]', '[123456]'],
  ])('scanJson stops at the limit of %s', (_, limits, within, beyond) => {
    expect(scan(within, limits).ok).toBe(true);
    expect(scan(beyond, limits)).toEqual({ ok: false, excess: expect.stringMatching(/\d/) });
  });

  it('scanJson stops soon after a limit, so that a hostile body costs little', () => {
    let steps = 0;
    const scanning = scanJson(Buffer.from('['.repeat(10_000_000)), completionLimits);
    while (!scanning.next().done) steps++;
    expect(steps).toBe(1);
  });

  it('scanJson processes an accepted body in steps of equal work', () => {
    const bytes = Buffer.from(`{"a":"x"${' '.repeat(1_000_000)}${',"b":"y"'.repeat(500)}}`);
    const steps = [...scanJson(bytes, completionLimits)];
    expect(steps.length).toBeGreaterThan(1);
    expect(Math.max(...steps)).toBeLessThan(1_000);
  });

  it.each([
    '',
    ' ',
    '"',
    '"\\',
    '{',
    '{"',
    '{"a',
    '{"a"',
    '{"a":',
    '{"\\u',
    '{"\\u":1}',
    '}',
    ']',
    ',',
    ':',
    '1',
  ])('scanJson terminates on an incomplete object: %s', (text) => {
    expect(scan(text).ok).toBe(true);
  });
});

function count(value: unknown): { containers: number; members: number; values: number } {
  if (typeof value !== 'object' || value === null) return { containers: 0, members: 0, values: 0 };
  const parts = Object.values(value).map(count);
  const sum = (name: 'containers' | 'members' | 'values') =>
    parts.reduce((total, part) => total + part[name], 0);
  return {
    containers: sum('containers') + 1,
    members: sum('members') + (Array.isArray(value) ? 0 : parts.length),
    values: sum('values') + parts.length,
  };
}
