import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCsv } from './csv.ts';

/** Reads RFC 4180 text strictly: a lone quote, a bare line feed or a missing last line end is a fault. */
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

describe('a CSV file', () => {
  it('reads back as what was written, apart from apostrophes before formulas', () => {
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

  it('never lets a field start a formula, whatever invisible characters stand before it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const [[field = ''] = []] = parseCsv(toCsv([text], []));
        const visible = field.replace(/^[\s\p{Cc}\p{Cf}]+/u, '');
        expect(marks).not.toContain(field[0] ?? '');
        expect(marks).not.toContain(visible[0] ?? '');
      }),
    );
  });

  it.each(marks)('puts an apostrophe before %j', (mark) => {
    expect(parseCsv(toCsv([`${mark}1+1`], []))).toEqual([[`'${mark}1+1`]]);
  });

  it('keeps numbers numbers and leaves what is absent empty', () => {
    expect(toCsv(['delta', 'task', 'is new'], [[-0.25, null, true]])).toBe(
      'delta,task,is new\r\n-0.25,,true\r\n',
    );
  });
});
