import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleRuns } from '#test/load/sample.ts';
import { ownCases, readRecordedCases, recordedProviders } from '#test/requests/wire-cases.ts';
import { type FramedEvent, frameBytesMax, frameLinesMax, SseSplitter } from './sse.ts';

type ReadEvent = Pick<FramedEvent, 'event' | 'data'>;

function feedAt(bytes: Buffer, cuts: number[]): FramedEvent[] {
  const splitter = new SseSplitter();
  const edges = [...cuts, bytes.length].sort((left, right) => left - right);
  return edges.flatMap((edge, index) => splitter.feed(bytes.subarray(edges[index - 1] ?? 0, edge)));
}

function splitAt(bytes: Buffer, cuts: number[]): ReadEvent[] {
  return feedAt(bytes, cuts).map(({ event, data }) => ({ event, data }));
}

const splitEverywhere = (bytes: Buffer) => splitAt(bytes, [...bytes.keys()]);
const message = (data: string): ReadEvent => ({ event: 'message', data });

const streams: [name: string, text: string, events: ReadEvent[]][] = [
  ['a plain event', 'data: {"a":1}\n\n', [message('{"a":1}')]],
  [
    'a named event, and the name is not kept',
    'event: ping\ndata: 1\n\ndata: 2\n\n',
    [{ event: 'ping', data: '1' }, message('2')],
  ],
  ['no space, or more than one, after the colon', 'data:a\n\ndata:  b\n\n', [message('a'), message(' b')]],
  ['several data lines', 'data: a\ndata:\ndata: b\n\n', [message('a\n\nb')]],
  [
    'lines that end in CRLF',
    'event: x\r\ndata: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n',
    [{ event: 'x', data: 'a\nb' }, message('c')],
  ],
  ['lines that end in CR', 'data: a\rdata: b\r\rdata: c\r\r', [message('a\nb'), message('c')]],
  [
    'lines that end in all three',
    'data: a\ndata: b\rdata: c\r\n\ndata: d\n\r\ndata: e\r\r\n',
    [message('a\nb\nc'), message('d'), message('e')],
  ],
  [
    'comments and unknown fields',
    ': hello\n\n:\ndata: a\nid: 7\nretry: 10\nfoo: bar\ndatum: x\n: bye\n\n',
    [message('a')],
  ],
  [
    'a byte order mark, but only at the start',
    '\uFEFFdata: a\n\ndata: \uFEFFb\n\uFEFFdata: c\n\n',
    [message('a'), message('\uFEFFb')],
  ],
  ['characters of two, three and four bytes', 'data: é€😀\n\n', [message('é€😀')]],
  ['a data field without a colon', 'data\n\n', [message('')]],
  ['events without data', 'event: a\n\n\n\ndata: b\n\n', [message('b')]],
  ['an event that is not finished', 'data: a\n\ndata: b\n', [message('a')]],
];

test.each(streams)('SseSplitter reads %s the same whole and byte by byte', (_, text, events) => {
  const bytes = Buffer.from(text);
  expect(splitAt(bytes, [])).toEqual(events);
  expect(splitEverywhere(bytes)).toEqual(events);
});

test('SseSplitter attaches to each event its own bytes and omits comments between events', () => {
  const bytes = Buffer.from('data: a\n\n: still there\n\nevent: x\r\ndata: é\r\n\r\ndata: [DONE]\n\n');
  const frames = ['data: a\n\n', 'event: x\r\ndata: é\r\n\r\n', 'data: [DONE]\n\n'];
  const read = (cuts: number[]) => feedAt(bytes, cuts).map(({ raw }) => raw.toString().replace(/^\n/, ''));
  expect(read([])).toEqual(frames);
  for (const cut of bytes.keys())
    expect(read([cut]).map((frame) => frame.trim())).toEqual(frames.map((frame) => frame.trim()));
});

test('SseSplitter emits an event as soon as the last byte of the event arrives', () => {
  for (const end of ['\n\n', '\r\r', '\r\n\r', '\n\r']) {
    expect(new SseSplitter().feed(Buffer.from(`data: a${end}`))).toMatchObject([message('a')]);
  }
});

test('SseSplitter ignores empty chunks', () => {
  const splitter = new SseSplitter();
  const pieces = ['data: a\r', '', '\n\r', '', '\n', 'data: b\n\n'];
  expect(pieces.flatMap((piece) => splitter.feed(Buffer.from(piece)))).toMatchObject([
    message('a'),
    message('b'),
  ]);
});

test('SseSplitter accepts a frame of 32 MiB and rejects a longer one, in one line or many', () => {
  expect(frameBytesMax).toBe(32 * 1024 * 1024);
  const longest = Buffer.from(`data: ${'x'.repeat(frameBytesMax - 6)}\n\n`);
  expect(splitAt(longest, [])[0]?.data).toHaveLength(frameBytesMax - 6);
  const tooLarge = expect.objectContaining({ code: 'frame_too_large' });
  const oneLine = Buffer.from(`data: ${'x'.repeat(frameBytesMax)}`);
  expect(() => splitAt(oneLine, [])).toThrow(tooLarge);
  expect(() => splitAt(oneLine, [5, frameBytesMax])).toThrow(tooLarge);
  const manyLines = Buffer.from('data: 0123456789\n'.repeat(frameBytesMax / 16 + 1));
  expect(() => splitAt(manyLines, [])).toThrow(tooLarge);
});

test('SseSplitter rejects an event with more than frameLinesMax lines, which take more memory than their bytes', () => {
  const tooLarge = expect.objectContaining({ code: 'frame_too_large' });
  const lines = 'data:x\n'.repeat(frameLinesMax);
  expect(splitAt(Buffer.from(`${lines}\n`), [])).toHaveLength(1);
  expect(() => splitAt(Buffer.from(`${lines}data:x\n\n`), [])).toThrow(tooLarge);
});

test('SseSplitter stores an unfinished event once, even if it arrives byte by byte, and releases it at the end', () => {
  const splitter = new SseSplitter();
  splitter.feed(Buffer.from('data: '));
  const byte = Buffer.from('x');
  for (let fed = 0; fed < 1_000_000; fed++) splitter.feed(byte);
  expect(splitter.heldBytes).toBeGreaterThanOrEqual(1_000_000);
  expect(splitter.heldBytes).toBeLessThanOrEqual(2 * 1_000_006);
  const [event] = splitter.feed(Buffer.from('\n\n'));
  expect(event?.data).toHaveLength(1_000_000);
  expect(event?.raw.buffer.byteLength).toBeLessThan(1_010_000);
  expect(splitter.heldBytes).toBeLessThanOrEqual(64 * 1024);
});

test('SseSplitter accepts 200,000 comment lines without an event', () => {
  const splitter = new SseSplitter();
  const comments = Buffer.from(': keep-alive\n'.repeat(10_000));
  for (let round = 0; round < 20; round += 1) expect(splitter.feed(comments)).toEqual([]);
  expect(splitter.feed(Buffer.from('data: a\n\n'))).toMatchObject([message('a')]);
});

test('SseSplitter takes less than 10 s for a line of 1,000,000 characters that arrives byte by byte', () => {
  const bytes = Buffer.from(`data: ${'x'.repeat(1_000_000)}\n\n`);
  const startMs = performance.now();
  expect(splitEverywhere(bytes)).toHaveLength(1);
  // Rescanning every byte for every chunk would take minutes.
  expect(performance.now() - startMs).toBeLessThan(10_000);
});

function readFrame(frame: string): ReadEvent[] {
  const valuesOf = (field: string) =>
    frame
      .split('\n')
      .flatMap((line) =>
        line.startsWith(`${field}:`) ? [line.slice(field.length + 1).replace(/^ /, '')] : [],
      );
  const data = valuesOf('data');
  return data.length === 0 ? [] : [{ event: valuesOf('event').at(-1) ?? 'message', data: data.join('\n') }];
}

test("SseSplitter returns the same events of all providers' streams for any chunking", () => {
  const cases = [...[...ownCases.values()].flat(), ...recordedProviders.flatMap(readRecordedCases)];
  const recordings = cases.flatMap(({ response }) => (response.sse ? [response.sse] : []));
  expect(recordings.length).toBeGreaterThan(80);
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 60 });
  fc.assert(
    fc.property(
      fc.constantFrom(...recordings),
      fc.constantFrom('\n', '\r\n', '\r'),
      cuts,
      (frames, eol, places) => {
        const text = frames.map((frame) => `${frame}\n\n`).join('');
        const bytes = Buffer.from(text.replaceAll('\n', eol));
        const events = frames.flatMap(readFrame);
        expect(
          splitAt(
            bytes,
            places.map((place) => Math.floor(place * bytes.length)),
          ),
        ).toEqual(events);
      },
    ),
    { numRuns: sampleRuns(1000) },
  );
  for (const frames of recordings) {
    const bytes = Buffer.from(frames.map((frame) => `${frame}\r\n\r\n`).join(''));
    expect(splitEverywhere(bytes)).toEqual(frames.flatMap(readFrame));
  }
});
