import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeFrame, frameHeaderBytes } from '#gateway/journal/frame.ts';
import { temporaryFolder } from '#gateway/journal/journal-fixture.ts';
import { readSegment } from '#gateway/journal/segment-file.ts';

const segmentHeader = Buffer.from('SLUICEJ\x01', 'latin1');

interface Body {
  text: string;
}

const someRecords = fc.array(
  fc.record({
    kind: fc.constant('admitted' as const),
    id: fc.uuid({ version: 7 }),
    data: fc.record({ text: fc.string({ unit: 'binary', maxLength: 60 }) }),
  }),
  { minLength: 1, maxLength: 8 },
);

/** The bytes of a segment with these records, and the offset behind each of them. */
function encodeSegment(records: { data: Body }[]): { bytes: Buffer; ends: number[] } {
  const frames = records.map((record) => encodeOne(JSON.stringify(record)));
  let end = segmentHeader.length;
  const ends = frames.map((frame) => (end += frame.length));
  return { bytes: Buffer.concat([segmentHeader, ...frames]), ends };
}

function encodeOne(payload: string): Buffer {
  const frame = Buffer.alloc(frameHeaderBytes + Buffer.byteLength(payload));
  encodeFrame(frame, 0, payload);
  return frame;
}

async function readBack(path: string, bytes: Buffer, windowBytes?: number) {
  writeFileSync(path, bytes);
  const reading = readSegment<Body, Body>({ sequence: 1, path, bytes: bytes.length }, windowBytes);
  const records = [];
  for (;;) {
    const step = await reading.next();
    if (step.done) return { records, ending: step.value };
    records.push(step.value.record);
  }
}

test('a segment is read back as it was written, whatever the size of the window', async () => {
  const path = join(temporaryFolder(), 'segment');
  await fc.assert(
    fc.asyncProperty(someRecords, fc.integer({ min: 1, max: 400 }), async (records, windowBytes) => {
      const read = await readBack(path, encodeSegment(records).bytes, windowBytes);
      expect(read).toEqual({ records, ending: 'end' });
    }),
  );
});

test('a segment cut at any byte yields every record that lies before the cut', async () => {
  const path = join(temporaryFolder(), 'segment');
  await fc.assert(
    fc.asyncProperty(
      someRecords,
      fc.nat(),
      fc.integer({ min: 1, max: 400 }),
      async (records, place, windowBytes) => {
        const { bytes, ends } = encodeSegment(records);
        const cut = place % bytes.length;
        const isBetweenFrames = cut === segmentHeader.length || ends.includes(cut);
        expect(await readBack(path, bytes.subarray(0, cut), windowBytes)).toEqual({
          records: records.filter((_, index) => ends[index]! <= cut),
          ending: isBetweenFrames ? 'end' : 'torn',
        });
      },
    ),
    { numRuns: 300 },
  );
});

test('a changed byte anywhere yields the records before it and never a wrong one', async () => {
  const path = join(temporaryFolder(), 'segment');
  await fc.assert(
    fc.asyncProperty(
      someRecords,
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (records, place, difference) => {
        const { bytes, ends } = encodeSegment(records);
        const changedAt = place % bytes.length;
        bytes[changedAt]! ^= difference;
        const read = await readBack(path, bytes);
        const isHeaderHit = changedAt < segmentHeader.length;
        expect(read.records).toEqual(
          isHeaderHit ? [] : records.filter((_, index) => ends[index]! <= changedAt),
        );
        expect(['torn', 'damaged']).toContain(read.ending);
      },
    ),
    { numRuns: 500 },
  );
});

test.each([
  ['zeros, as a power loss leaves them', Buffer.alloc(64)],
  ['noise', Buffer.alloc(64, 0xa5)],
  ['a frame with a good checksum that is not JSON', encodeOne('not JSON')],
])('what stands before %s is kept', async (_, tail) => {
  const path = join(temporaryFolder(), 'segment');
  const record = { kind: 'admitted', id: 'first', data: { text: 'kept' } };
  const read = await readBack(path, Buffer.concat([encodeSegment([record]).bytes, tail]));
  expect(read).toEqual({ records: [record], ending: 'damaged' });
});
