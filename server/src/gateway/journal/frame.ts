import { crc32 } from 'node:zlib';

/**
 * Record of a request's admission or settlement. The admission is written before the settlement. `data` must be
 * representable in JSON (no BigInt).
 */
export interface JournalRecord {
  readonly kind: 'admitted' | 'settled';
  readonly id: string;
  readonly data: object;
  readonly texts: JournalTexts;
}

/** Texts by name. Bytes are read back as strings, and `null` is not stored. */
type JournalTexts = Readonly<Record<string, string | Buffer | null>>;

/** Problem to report to the operator. The journal remains usable. `path` is the affected file or folder. */
export interface JournalProblem {
  kind:
    | 'write-failed'
    | 'write-recovered'
    | 'settlements-lost'
    | 'segment-torn'
    | 'segment-damaged'
    | 'remove-failed'
    | 'ship-failed';
  path: string;
  error?: unknown;
}

export type OnProblem = (problem: JournalProblem) => void;

/** Thrown when the journal is full. The gateway returns 503 until the database has accepted some of the records. */
export class JournalFullError extends Error {
  override readonly name = 'JournalFullError';
}

/** Length of a frame header in bytes: CRC-32 of everything after the CRC, payload length, and JSON length. */
export const frameHeaderBytes = 12;
export const maxPayloadBytes = 16 * 1024 * 1024;

export interface Frame {
  readonly meta: string;
  readonly texts: JournalTexts;
  readonly bytes: number;
}

export const endFrame: Frame = { meta: '', texts: {}, bytes: frameHeaderBytes };

interface Meta {
  readonly kind: JournalRecord['kind'];
  readonly id: string;
  readonly data: object;
  readonly texts: Readonly<Record<string, number>>;
}

/** Encodes a record as a frame. Throws if the record cannot be represented in JSON or is too large. */
export function toFrame({ kind, id, data, texts }: JournalRecord): Frame {
  const lengths: Record<string, number> = {};
  let bytes = 0;
  for (const name in texts) {
    const text = texts[name];
    if (text != null) bytes += lengths[name] = Buffer.byteLength(text);
  }
  const meta = JSON.stringify({ kind, id, texts: lengths, data } satisfies Meta);
  bytes += Buffer.byteLength(meta);
  if (bytes > maxPayloadBytes) throw new RangeError(`a record of ${bytes} bytes is too large`);
  return { meta, texts, bytes: frameHeaderBytes + bytes };
}

export function writeFrame(target: Buffer, offset: number, { meta, texts }: Frame): number {
  const metaStart = offset + frameHeaderBytes;
  const metaBytes = target.write(meta, metaStart);
  let end = metaStart + metaBytes;
  for (const name in texts) {
    const text = texts[name] ?? '';
    end += typeof text === 'string' ? target.write(text, end) : text.copy(target, end);
  }
  target.writeUInt32LE(end - metaStart, offset + 4);
  target.writeUInt32LE(metaBytes, offset + 8);
  target.writeUInt32LE(crc32(target.subarray(offset + 4, end)), offset);
  return end;
}

/**
 * Result of reading at an offset: a record, the end of the segment, a partial frame (`neededBytes` is its full size as
 * far as known), or bytes that are not a valid frame.
 */
export type ReadFrame =
  | { kind: 'record'; record: JournalRecord; bytes: number }
  | { kind: 'end' }
  | { kind: 'part'; neededBytes: number }
  | { kind: 'damaged' };

export function readFrame(bytes: Buffer, offset: number): ReadFrame {
  const leftBytes = bytes.length - offset;
  if (leftBytes < frameHeaderBytes) return { kind: 'part', neededBytes: frameHeaderBytes };
  const payloadBytes = bytes.readUInt32LE(offset + 4);
  if (payloadBytes > maxPayloadBytes) return { kind: 'damaged' };
  const frameBytes = frameHeaderBytes + payloadBytes;
  if (frameBytes > leftBytes) return { kind: 'part', neededBytes: frameBytes };
  const frame = bytes.subarray(offset, offset + frameBytes);
  if (crc32(frame.subarray(4)) !== frame.readUInt32LE(0)) return { kind: 'damaged' };
  if (payloadBytes === 0) return { kind: 'end' };
  const record = readRecord(frame);
  return record ? { kind: 'record', record, bytes: frameBytes } : { kind: 'damaged' };
}

function readRecord(frame: Buffer): JournalRecord | undefined {
  let offset = frameHeaderBytes + frame.readUInt32LE(8);
  try {
    // Safe because the checksum and the file header show that this journal wrote these bytes.
    const { kind, id, data, texts } = JSON.parse(frame.toString('utf8', frameHeaderBytes, offset)) as Meta;
    const read = Object.entries(texts).map(([name, bytes]) => {
      const start = offset;
      offset += bytes;
      return [name, frame.toString('utf8', start, offset)];
    });
    return { kind, id, data, texts: Object.fromEntries(read) };
  } catch {
    return undefined;
  }
}
