import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NdjsonSplitter } from './ndjson.ts';

function split(text: string, cuts: readonly number[] = []): string[] {
  const splitter = new NdjsonSplitter();
  const bytes = Buffer.from(text);
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
    (left, right) => left - right,
  );
  const events = edges.flatMap((end, index) => splitter.feed(bytes.subarray(edges[index - 1] ?? 0, end)));
  return [...events, ...splitter.end()].map(({ data }) => data);
}

test.each([
  ['lines', '{"a":1}\n{"b":2}\n', ['{"a":1}', '{"b":2}']],
  ['a last line without its end', '{"a":1}\n{"b":2}', ['{"a":1}', '{"b":2}']],
  ['lines that end in CRLF', '{"a":1}\r\n{"b":2}\r\n', ['{"a":1}', '{"b":2}']],
  ['empty lines', '\n\n{"a":1}\n \n\n', ['{"a":1}']],
  ['nothing', '', []],
])('NdjsonSplitter splits %s', (_, text, lines) => {
  expect(split(text)).toEqual(lines);
});

test('NdjsonSplitter emits a line with its raw bytes as soon as its line feed arrives', () => {
  const splitter = new NdjsonSplitter();
  expect(splitter.feed(Buffer.from('{"a"'))).toEqual([]);
  expect(splitter.feed(Buffer.from(':1}\r\n{"b"'))).toEqual([
    { event: 'message', data: '{"a":1}', raw: Buffer.from('{"a":1}\r\n') },
  ]);
  expect(splitter.end()).toEqual([{ event: 'message', data: '{"b"', raw: Buffer.from('{"b"') }]);
  expect(splitter.end()).toEqual([]);
});

test('NdjsonSplitter returns the same lines for any chunking, even within a character', () => {
  const line = fc
    .dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))
    .map((value) => JSON.stringify(value));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 20 }), (lines, cuts) => {
      expect(split(lines.map((text) => `${text}\n`).join(''), cuts)).toEqual(lines);
    }),
  );
});

test('NdjsonSplitter keeps its own copy of the bytes it is fed', () => {
  const splitter = new NdjsonSplitter();
  const chunk = Buffer.from('{"a":');
  splitter.feed(chunk);
  chunk.fill('x');
  expect(splitter.feed(Buffer.from('1}\n'))[0]?.data).toBe('{"a":1}');
});

test('NdjsonSplitter accepts a line of 32 MiB and rejects a longer one', () => {
  const limit = 32 * 1024 * 1024;
  expect(split(`${'x'.repeat(limit - 1)}\n`)).toHaveLength(1);
  const splitter = new NdjsonSplitter();
  splitter.feed(Buffer.alloc(limit, 'x'));
  expect(() => splitter.feed(Buffer.from('x'))).toThrow(expect.objectContaining({ code: 'frame_too_large' }));
});

test('NdjsonSplitter decodes a line that arrives byte by byte', () => {
  const text = `{"a":"${'é'.repeat(100_000)}"}`;
  const splitter = new NdjsonSplitter();
  for (const byte of Buffer.from(text)) expect(splitter.feed(Buffer.of(byte))).toEqual([]);
  expect(splitter.feed(Buffer.from('\n'))[0]?.data).toBe(text);
});
