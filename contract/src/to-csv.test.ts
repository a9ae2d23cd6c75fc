import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCsv } from './to-csv.ts';

/** Parses RFC 4180 text strictly. Throws on a lone quote, a bare line feed or a missing final line break. */
function parseCsv(text: string): string[][] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  const rows: string[][] = [];
  let row: string[] = [];
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const match = field.exec(text);
    if (!match) throw new Error(`Not CSV at ${at}: ${text.slice(at, at + 20)}`);
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

const marks = ['=', '+', '-', '@', '\t', '\r', '\n', '\0', '＝', '＋', '－', '＠'];
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...marks, '"', ',', "'", ' ', 'a', '1', '\u{feff}', '\u{200b}') }),
);
const table = fc
  .integer({ min: 1, max: 5 })
  .chain((width) =>
    fc.array(fc.array(anyText, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
  );

describe('toCsv', () => {
  it('toCsv round-trips values, except for apostrophes before formulas', () => {
    fc.assert(
      fc.property(table, ([header = [], ...rows]) => {
        const read = parseCsv(toCsv(header, rows));
        expect(read).toHaveLength(rows.length + 1);
        [header, ...rows].forEach((row, line) => {
          row.forEach((text, place) => {
            expect([text, `'${text}`]).toContain(read[line]?.[place]);
          });
        });
      }),
    );
  });

  it('toCsv never lets a field start a formula, even after invisible characters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const [[field = ''] = []] = parseCsv(toCsv([text], []));
        const visible = field.replace(/^[\s\p{Cc}\p{Cf}]+/u, '');
        expect(marks).not.toContain(field[0] ?? '');
        expect(marks).not.toContain(visible[0] ?? '');
      }),
    );
  });

  it.each(marks)('toCsv prepends an apostrophe to %j', (mark) => {
    expect(parseCsv(toCsv([`${mark}1+1`], []))).toEqual([[`'${mark}1+1`]]);
  });

  it('toCsv keeps numbers as numbers and missing values empty', () => {
    expect(toCsv(['delta', 'task', 'is new'], [[-0.25, null, true]])).toBe(
      'delta,task,is new\r\n-0.25,,true\r\n',
    );
  });

  it.each([
    [-1.51e-7, '-0.000000151'],
    [1e-9, '0.000000001'],
    [0.1, '0.1'],
    [2e21, '2000000000000000000000'],
  ])('toCsv formats %d without an exponent as %s', (value, text) => {
    expect(toCsv([], [[value]])).toBe(`\r\n${text}\r\n`);
  });
});
