import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ByteRange } from '#object-store/object-store.ts';

export interface IndexEntry extends ByteRange {
  readonly requestId: string;
  readonly tenantId: number;
}

export interface BuiltObject {
  readonly bytes: Buffer;
  readonly indexOffset: number;
}

/**
 * Joins parts into an object. The parts are followed by an index, which contains request ids but no texts. Offsets in
 * the index refer to the first file, so that rows need not change when a later file has fewer parts.
 */
export function buildObject(parts: readonly (IndexEntry & { readonly bytes: Uint8Array })[]): BuiltObject {
  const entries = parts.map(({ requestId, tenantId, offset, length }) => [
    requestId,
    tenantId,
    offset,
    length,
  ]);
  const joined = Buffer.concat(parts.map(({ bytes }) => bytes));
  const index = zstdCompressSync(JSON.stringify(entries));
  return { bytes: Buffer.concat([joined, index]), indexOffset: joined.length };
}

export function readIndex(index: Uint8Array): IndexEntry[] {
  const entries: [string, number, number, number][] = JSON.parse(zstdDecompressSync(index).toString());
  return entries.map(([requestId, tenantId, offset, length]) => ({ requestId, tenantId, offset, length }));
}

/** The ranges are sorted and not adjacent. */
export function parseRanges(text: string): ByteRange[] {
  return [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, start, end]) => ({
    offset: Number(start),
    length: Number(end) - Number(start),
  }));
}

/** Returns the offset in the current file for a part of the first file; `null` if the part was removed. */
export function findOffset(removed: readonly ByteRange[], part: ByteRange): number | null {
  let shift = 0;
  for (const { offset, length } of removed) {
    if (offset >= part.offset + part.length) break;
    if (offset + length > part.offset) return null;
    shift += length;
  }
  return part.offset - shift;
}
