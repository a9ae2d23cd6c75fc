import { crc32 } from 'node:zlib';
import type { AdmittedRecord, SettledRecord } from '#gateway/journal/record.ts';

export const frameHeaderBytes = 8;
export const maxPayloadBytes = 16 * 1024 * 1024;

/** A settled record also keeps when it was appended and which segment holds its admitted record, if it has one. */
export type StoredSettled<Settled extends object> = SettledRecord<Settled> & {
  atMs: number;
  admittedIn?: number;
};

export type StoredRecord<Admitted extends object, Settled extends object> =
  | AdmittedRecord<Admitted>
  | StoredSettled<Settled>;

export interface Frame<Admitted extends object, Settled extends object> {
  record: StoredRecord<Admitted, Settled>;
  bytes: number;
}

/**
 * The frames up to `bytesUsed`. What follows is nothing, a frame of which only a part is here (`neededBytes` > 0 is its
 * whole size, as far as known), or no frame of ours.
 */
export interface DecodedFrames<Admitted extends object, Settled extends object> {
  frames: Frame<Admitted, Settled>[];
  bytesUsed: number;
  neededBytes: number;
  isDamaged: boolean;
}

/** Writes checksum, length and payload at `offset`, and returns the frame's end. The checksum covers the length too. */
export function encodeFrame(target: Buffer, offset: number, payload: string): number {
  const payloadStart = offset + frameHeaderBytes;
  const end = payloadStart + target.write(payload, payloadStart);
  target.writeUInt32LE(end - payloadStart, offset + 4);
  target.writeUInt32LE(crc32(target.subarray(offset + 4, end)), offset);
  return end;
}

export function decodeFrames<Admitted extends object, Settled extends object>(
  bytes: Buffer,
): DecodedFrames<Admitted, Settled> {
  const decoded: DecodedFrames<Admitted, Settled> = {
    frames: [],
    bytesUsed: 0,
    neededBytes: 0,
    isDamaged: false,
  };
  while (decoded.bytesUsed < bytes.length) {
    const rest = bytes.subarray(decoded.bytesUsed);
    const frameBytes = frameHeaderBytes + (rest.length < frameHeaderBytes ? 0 : rest.readUInt32LE(4));
    const isPossible = frameBytes <= frameHeaderBytes + maxPayloadBytes;
    if (isPossible && frameBytes > rest.length) return { ...decoded, neededBytes: frameBytes };
    const record = isPossible ? decodeFrame<Admitted, Settled>(rest.subarray(0, frameBytes)) : undefined;
    if (!record) return { ...decoded, isDamaged: true };
    decoded.frames.push({ record, bytes: frameBytes });
    decoded.bytesUsed += frameBytes;
  }
  return decoded;
}

function decodeFrame<Admitted extends object, Settled extends object>(
  frame: Buffer,
): StoredRecord<Admitted, Settled> | undefined {
  if (crc32(frame.subarray(4)) !== frame.readUInt32LE(0)) return undefined;
  try {
    // Safe because the checksum and the file's header say that our own writer wrote these bytes.
    return JSON.parse(frame.toString('utf8', frameHeaderBytes)) as StoredRecord<Admitted, Settled>;
  } catch {
    return undefined;
  }
}
