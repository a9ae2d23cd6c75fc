import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  endFrame,
  type Frame,
  frameHeaderBytes,
  type JournalRecord,
  toFrame,
  writeFrame,
} from '#gateway/journal/frame.ts';
import { isSegmentStart, segmentHeader } from '#gateway/journal/segment-files.ts';
import { temporaryFolder } from '#test/load/journal-fixture.ts';
import { readFrames } from './read-frames.ts';

const wellFormed = fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.toWellFormed());
const someRecords = fc.array(
  fc.record({
    kind: fc.constantFrom('admitted' as const, 'settled' as const),
    id: fc.uuid({ version: 7 }),
    data: fc.record({ text: wellFormed }),
    texts: fc.record(
      { prompt: wellFormed, answer: wellFormed },
      { requiredKeys: ['prompt'], noNullPrototype: true },
    ),
  }),
  { minLength: 1, maxLength: 8 },
);
const someBytes = fc.integer({ min: 1, max: 400 });

function encode(frame: Frame): Buffer {
  const bytes = Buffer.alloc(frame.bytes);
  expect(writeFrame(bytes, 0, frame)).toBe(frame.bytes);
  return bytes;
}

function encodeSegment(records: readonly JournalRecord[]): { bytes: Buffer; ends: number[] } {
  const frames = records.map((record) => encode(toFrame(record)));
  let end = segmentHeader.length;
  const ends = frames.map((frame) => (end += frame.length));
  return { bytes: Buffer.concat([segmentHeader, ...frames]), ends };
}

function readBack(path: string, bytes: Buffer, limitBytes = 4096, settledRows = 3) {
  writeFileSync(path, bytes);
  const records: JournalRecord[] = [];
  for (let offset = 0; ; ) {
    const read = readFrames(path, offset, { bytes: limitBytes, settledRows });
    records.push(...read.records);
    offset = read.nextOffset;
    expect(read.records.filter(({ kind }) => kind === 'settled').length).toBeLessThanOrEqual(settledRows);
    if (read.stop !== 'limit') return { records, stop: read.stop };
  }
}

test('readFrames returns the records as written for any read limit', () => {
  const path = join(temporaryFolder(), 'segment');
  fc.assert(
    fc.property(someRecords, someBytes, fc.integer({ min: 1, max: 4 }), (records, limitBytes, rows) => {
      const { bytes } = encodeSegment(records);
      expect(readBack(path, bytes, limitBytes, rows)).toEqual({ records, stop: 'tail' });
      const sealed = Buffer.concat([bytes, encode(endFrame)]);
      expect(readBack(path, sealed, limitBytes, rows)).toEqual({ records, stop: 'end' });
    }),
  );
});

test('readFrames returns every record before the point at which a segment is cut', () => {
  const path = join(temporaryFolder(), 'segment');
  fc.assert(
    fc.property(someRecords, fc.nat(), someBytes, (records, place, limitBytes) => {
      const { bytes, ends } = encodeSegment(records);
      const cut = place % bytes.length;
      const isBetweenFrames = cut === segmentHeader.length || ends.includes(cut);
      expect(readBack(path, bytes.subarray(0, cut), limitBytes)).toEqual({
        records: records.filter((_, index) => (ends[index] ?? 0) <= cut),
        stop: isBetweenFrames ? 'tail' : 'torn',
      });
    }),
    { numRuns: 300 },
  );
});

test('readFrames returns the records before a changed byte and never an incorrect record', () => {
  const path = join(temporaryFolder(), 'segment');
  fc.assert(
    fc.property(someRecords, fc.nat(), fc.integer({ min: 1, max: 255 }), (records, place, difference) => {
      const { bytes, ends } = encodeSegment(records);
      const changedAt = place % bytes.length;
      bytes[changedAt] = (bytes[changedAt] ?? 0) ^ difference;
      // The header of the previous version is valid too, because its files have the same frames.
      fc.pre(changedAt >= segmentHeader.length || !isSegmentStart(bytes.subarray(0, segmentHeader.length)));
      const read = readBack(path, bytes);
      const isHeaderHit = changedAt < segmentHeader.length;
      expect(read.records).toEqual(
        isHeaderHit ? [] : records.filter((_, index) => (ends[index] ?? 0) <= changedAt),
      );
      expect(['torn', 'damaged']).toContain(read.stop);
    }),
    { numRuns: 500 },
  );
});

function frameOf(payload: string): Buffer {
  const frame = Buffer.alloc(frameHeaderBytes + Buffer.byteLength(payload));
  frame.write(payload, frameHeaderBytes);
  frame.writeUInt32LE(Buffer.byteLength(payload), 4);
  frame.writeUInt32LE(Buffer.byteLength(payload), 8);
  frame.writeUInt32LE(crc32(frame.subarray(4)), 0);
  return frame;
}

test.each([
  ['zeros, as a power loss leaves them', Buffer.alloc(64)],
  ['noise', Buffer.alloc(64, 0xa5)],
  ['a frame with a good checksum that is not JSON', frameOf('not JSON')],
])('readFrames returns the records before %s', (_, tail) => {
  const path = join(temporaryFolder(), 'segment');
  const record: JournalRecord = { kind: 'admitted', id: 'first', data: { text: 'kept' }, texts: {} };
  const read = readBack(path, Buffer.concat([encodeSegment([record]).bytes, tail]));
  expect(read).toEqual({ records: [record], stop: 'damaged' });
});

test('readFrames reports a missing file as gone', () => {
  expect(readFrames(join(temporaryFolder(), 'none'), 0, { bytes: 10, settledRows: 1 }).stop).toBe('gone');
});

test('readFrames reads segments of the previous version, whose header differs', () => {
  const path = join(temporaryFolder(), 'segment');
  const record: JournalRecord = { kind: 'settled', id: 'first', data: { status: 'success' }, texts: {} };
  const { bytes } = encodeSegment([record]);
  const former = Buffer.concat([Buffer.from('SLUICEJ\x02', 'latin1'), bytes.subarray(segmentHeader.length)]);
  expect(former.equals(bytes)).toBe(false);
  expect(readBack(path, former)).toEqual({ records: [record], stop: 'tail' });
});
