import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { frameHeaderBytes, type JournalRecord, readFrame } from '#gateway/journal/frame.ts';
import { isSegmentStart, segmentHeader } from '#gateway/journal/segment-files.ts';

export interface ReadLimit {
  readonly settledRows: number;
  readonly bytes: number;
}

/**
 * Reason why reading stopped. `limit`: there may be more data; `tail`: no more data yet; `torn`: part of a frame is
 * missing; `damaged`: the bytes are not a valid frame; `end`: the segment is complete; `gone`: the file does not
 * exist.
 */
export type Stop = 'limit' | 'tail' | 'torn' | 'damaged' | 'end' | 'gone';

export interface ReadFrames {
  readonly records: readonly JournalRecord[];
  /** Offset of each record in the file. */
  readonly offsets: readonly number[];
  readonly nextOffset: number;
  readonly stop: Stop;
}

/** Offset 0 is the start of the file. Reads up to the limit, but at least one frame. */
export function readFrames(path: string, offset: number, limit: ReadLimit): ReadFrames {
  const fd = openUnlessGone(path);
  if (fd === null) return { records: [], offsets: [], nextOffset: offset, stop: 'gone' };
  try {
    const size = fstatSync(fd).size;
    if (offset === 0) return readFromStart(fd, size, limit);
    return readRest(fd, offset, size, limit);
  } finally {
    closeSync(fd);
  }
}

export function readRecordAt(path: string, offset: number): JournalRecord | null {
  const { records } = readFrames(path, offset, { settledRows: 1, bytes: frameHeaderBytes });
  return records[0] ?? null;
}

/** The writer removes a file if its only write failed. */
function openUnlessGone(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function readFromStart(fd: number, size: number, limit: ReadLimit): ReadFrames {
  const start = readBytes(fd, 0, Math.min(segmentHeader.length, size));
  if (!isSegmentStart(start)) return { records: [], offsets: [], nextOffset: 0, stop: 'damaged' };
  if (start.length < segmentHeader.length) return { records: [], offsets: [], nextOffset: 0, stop: 'torn' };
  return readRest(fd, segmentHeader.length, size, limit);
}

function readRest(fd: number, offset: number, size: number, limit: ReadLimit): ReadFrames {
  const leftBytes = Math.max(0, size - offset);
  const bytes = readBytes(fd, offset, Math.min(limit.bytes, leftBytes));
  const records: JournalRecord[] = [];
  const offsets: number[] = [];
  let settledRows = 0;
  let used = 0;
  const stopAt = (stop: Stop): ReadFrames => ({ records, offsets, nextOffset: offset + used, stop });
  while (used < bytes.length) {
    const frame = readFrame(bytes, used);
    if (frame.kind === 'damaged' || frame.kind === 'end') return stopAt(frame.kind);
    if (frame.kind === 'part') {
      if (used + frame.neededBytes > leftBytes) return stopAt('torn');
      if (records.length > 0) return stopAt('limit');
      return readRest(fd, offset, size, { ...limit, bytes: frame.neededBytes });
    }
    if (frame.record.kind === 'settled' && settledRows++ === limit.settledRows) return stopAt('limit');
    records.push(frame.record);
    offsets.push(offset + used);
    used += frame.bytes;
  }
  return stopAt(used < leftBytes ? 'limit' : 'tail');
}

/** Reads up to `length` bytes. Returns fewer bytes only at the end of the file. */
function readBytes(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(fd, bytes, filled, length - filled, offset + filled);
    if (read === 0) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
}
