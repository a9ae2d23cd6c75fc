import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactly } from '#json/exact-json.ts';
import { sampleRuns } from '#test/load/sample.ts';
import { createPartialArguments } from './partial-arguments.ts';

const collect = (whole: unknown, ...pieces: unknown[]) => {
  const collected = createPartialArguments(whole);
  for (const piece of pieces) collected.add(piece);
  return JSON.parse(collected.toJson());
};
const text = (jsonPath: string, stringValue: string) => ({ jsonPath, stringValue });

describe('T11: partial arguments', () => {
  it.each([
    ['no pieces', [], {}],
    [
      'several pieces of a string',
      [text('$.town', 'Bos'), text('$.town', 'ton'), text('$.town', '')],
      { town: 'Boston' },
    ],
    [
      'interleaved pieces of two strings',
      [text('$.a', 'x'), text('$.b', 'y'), text('$.a', 'z')],
      { a: 'xz', b: 'y' },
    ],
    ['a number', [{ jsonPath: '$.count', numberValue: 3 }], { count: 3 }],
    ['a boolean', [{ jsonPath: '$.isOpen', boolValue: false }], { isOpen: false }],
    ['null', [{ jsonPath: '$.end', nullValue: 'NULL_VALUE' }], { end: null }],
    ['a nested field', [text('$.place.town', 'Rome')], { place: { town: 'Rome' } }],
    [
      'list entries',
      [text('$.days[0]', 'Mon'), text('$.days[1]', 'Tue'), text('$.days[0]', 'day')],
      { days: ['Monday', 'Tue'] },
    ],
    [
      'fields of list entries',
      [text('$.stops[0].town', 'Oslo'), { jsonPath: '$.stops[1].nights', numberValue: 2 }],
      { stops: [{ town: 'Oslo' }, { nights: 2 }] },
    ],
    [
      'nested lists',
      [
        { jsonPath: '$.grid[0][0]', numberValue: 1 },
        { jsonPath: '$.grid[0][1]', numberValue: 2 },
      ],
      { grid: [[1, 2]] },
    ],
    [
      'quoted names',
      [text("$['a b']", 'x'), text('$["c.d"].e', 'y'), text("$['it\\'s']", 'z')],
      { 'a b': 'x', 'c.d': { e: 'y' }, "it's": 'z' },
    ],
    ['a value that replaces another', [text('$.a', 'x'), { jsonPath: '$.a', numberValue: 1 }], { a: 1 }],
    ['a field that replaces a string', [text('$.a', 'x'), text('$.a.b', 'y')], { a: { b: 'y' } }],
  ])('partial arguments with %s are collected', (_kind, pieces, value) => {
    expect(collect({}, ...pieces)).toEqual(value);
  });

  it('createPartialArguments starts with the arguments that the call began with', () => {
    expect(
      collect(
        { town: 'Bos', days: ['Mon'], deep: { x: [{}] } },
        text('$.town', 'ton'),
        text('$.days[1]', 'Tue'),
      ),
    ).toEqual({
      town: 'Boston',
      days: ['Mon', 'Tue'],
      deep: { x: [{}] },
    });
  });

  it.each([
    ['no path', { stringValue: 'x' }],
    ['a path without $', text('town', 'x')],
    ['the root as its path', text('$', 'x')],
    ['an invalid path', text('$.a..b', 'x')],
    ['a wildcard', text('$[*]', 'x')],
    ['an unterminated quote', text("$['a", 'x')],
    ['no value', { jsonPath: '$.a' }],
    ['a value of the wrong type', { jsonPath: '$.a', stringValue: {} }],
    ['null as its value', null],
    ['a string as its value', 'x'],
  ])('partial arguments ignore a piece with %s', (_kind, piece) => {
    expect(collect({}, piece)).toEqual({});
  });

  it('toJson keeps the digits of long numbers in pieces and in the initial arguments', () => {
    const json = createPartialArguments(
      parseExactly('{"first":12345678901234567890,"list":[0.12345678901234567891]}'),
    );
    json.add(parseExactly('{"jsonPath":"$.second","numberValue":98765432109876543210}'));
    expect(json.toJson()).toBe(
      '{"first":12345678901234567890,"list":[0.12345678901234567891],"second":98765432109876543210}',
    );
  });

  it('partial arguments ignore an index beyond the end of a list', () => {
    expect(collect({}, text('$.days[999999]', 'x'), text('$.days[0]', 'Mon'))).toEqual({ days: ['Mon'] });
    expect(collect({}, text('$.days[1][0]', 'x'))).toEqual({ days: [] });
  });

  it('partial arguments treat names such as __proto__ as ordinary names', () => {
    const json = createPartialArguments({});
    json.add(text('$.__proto__.isAdmin', 'yes'));
    json.add(text('$.constructor', 'x'));
    expect(json.toJson()).toBe('{"__proto__":{"isAdmin":"yes"},"constructor":"x"}');
    expect({}).not.toHaveProperty('isAdmin');
  });

  it('createPartialArguments restores any value that was split into pieces', () => {
    const name = fc.stringMatching(/^[a-z]{1,5}$/);
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie('value'), { minLength: 1, maxLength: 3 }),
        fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 3 }), (whole) => {
        expect(collect({}, ...cut('$', whole))).toEqual(whole);
      }),
      { numRuns: sampleRuns(300) },
    );
  });
});

function cut(path: string, value: unknown): object[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => cut(`${path}[${index}]`, entry));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => cut(`${path}.${name}`, inner));
  if (typeof value === 'string')
    return [
      { jsonPath: path, stringValue: value.slice(0, 2), willContinue: true },
      { jsonPath: path, stringValue: value.slice(2) },
    ];
  if (typeof value === 'number') return [{ jsonPath: path, numberValue: value }];
  return [
    typeof value === 'boolean' ? { jsonPath: path, boolValue: value } : { jsonPath: path, nullValue: null },
  ];
}
