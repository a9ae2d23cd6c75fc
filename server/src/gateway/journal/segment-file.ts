import { closeSync, fsyncSync, openSync, readdirSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { decodeFrames, type Frame } from '#gateway/journal/frame.ts';

/** What a segment file starts with: a name, then the version of the layout. */
const segmentHeader = Buffer.from('SLUICEJ\x01', 'latin1');
export const segmentHeaderBytes = segmentHeader.length;

// Parsing one window blocks the event loop for about a millisecond.
const defaultWindowBytes = 256 * 1024;
const segmentFileName = /^\d{12}\.journal$/;

export interface SegmentFile {
  sequence: number;
  path: string;
  bytes: number;
}

/**
 * How a read ended: `more` follows at `nextOffset`; `end`: all was read; `torn`: the file stops inside a frame, as a
 * killed write leaves it; `damaged`: what follows is not ours.
 */
export type SegmentEnding = 'more' | 'end' | 'torn' | 'damaged';

export interface SegmentWindow<Admitted extends object, Settled extends object> {
  frames: Frame<Admitted, Settled>[];
  nextOffset: number;
  ending: SegmentEnding;
}

export function segmentPath(dir: string, sequence: number): string {
  return join(dir, `${String(sequence).padStart(12, '0')}.journal`);
}

/** The folder's segments, oldest first. */
export function listSegments(dir: string): SegmentFile[] {
  const names = readdirSync(dir).filter((name) => segmentFileName.test(name));
  return names.sort().map((name) => {
    const path = join(dir, name);
    return { sequence: Number.parseInt(name, 10), path, bytes: statSync(path).size };
  });
}

/** Creates the file with its header and returns its descriptor; leaves nothing behind when it cannot. */
export function createSegmentFile(path: string, isSynced: boolean): number {
  const fd = openSync(path, 'wx', 0o600);
  try {
    writeFully(fd, segmentHeader, 0);
    if (isSynced) syncFolder(dirname(path));
    return fd;
  } catch (error) {
    closeSync(fd);
    unlinkSync(path);
    throw error;
  }
}

/** Without it a power loss may forget the file's name, however well its contents are synced. */
function syncFolder(dir: string): void {
  const fd = openSync(dir, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A write may stop short, as on a disk that fills up; only the next one tells why. */
export function writeFully(fd: number, bytes: Buffer, position: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, position + written);
  }
}

/** All frames of a file, in order; the generator's return value says how the file ended. */
export async function* readSegment<Admitted extends object, Settled extends object>(
  file: SegmentFile,
  windowBytes = defaultWindowBytes,
): AsyncGenerator<Frame<Admitted, Settled>, SegmentEnding> {
  let { nextOffset, ending } = await readHeader(file);
  while (ending === 'more') {
    const window = await readWindow<Admitted, Settled>(file, nextOffset, windowBytes);
    yield* window.frames;
    ({ nextOffset, ending } = window);
  }
  return ending;
}

/** The frames that lie whole within a window of the file: at least one, unless the file ends or is damaged here. */
export async function readWindow<Admitted extends object, Settled extends object>(
  file: SegmentFile,
  offset: number,
  windowBytes = defaultWindowBytes,
): Promise<SegmentWindow<Admitted, Settled>> {
  const wantedBytes = Math.min(windowBytes, file.bytes - offset);
  const bytes = await readBytes(file.path, offset, wantedBytes);
  const { frames, bytesUsed, neededBytes, isDamaged } = decodeFrames<Admitted, Settled>(bytes);
  const nextOffset = offset + bytesUsed;
  if (isDamaged) return { frames, nextOffset, ending: 'damaged' };
  if (bytes.length < wantedBytes || nextOffset + neededBytes > file.bytes)
    return { frames, nextOffset, ending: 'torn' };
  if (neededBytes > 0 && frames.length === 0) return readWindow(file, offset, neededBytes);
  return { frames, nextOffset, ending: nextOffset < file.bytes ? 'more' : 'end' };
}

async function readHeader({
  path,
  bytes,
}: SegmentFile): Promise<Omit<SegmentWindow<object, object>, 'frames'>> {
  const start = await readBytes(path, 0, Math.min(segmentHeader.length, bytes));
  const isOurs = start.equals(segmentHeader.subarray(0, start.length));
  if (!isOurs) return { nextOffset: 0, ending: 'damaged' };
  if (start.length < segmentHeader.length) return { nextOffset: 0, ending: 'torn' };
  return { nextOffset: segmentHeader.length, ending: bytes > segmentHeader.length ? 'more' : 'end' };
}

/** Fewer bytes than asked for only where the file ends. */
async function readBytes(path: string, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  const file = await open(path);
  try {
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await file.close();
  }
}
