import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Minimum size of a dictionary, in bytes; shorter texts do not improve compression. */
const knownBytesMin = 64;

const params = {
  [constants.ZSTD_c_compressionLevel]: 1,
  // Decompressing with a different known text must fail instead of returning other text.
  [constants.ZSTD_c_checksumFlag]: 1,
};

/**
 * Compresses a text that mostly repeats another text that the reader also has, such as a body and its prompt. If
 * little is left without `known`, the rest is stored uncompressed, since creating a zstd context is the most
 * expensive step; other texts become zstd frames with `known` as the dictionary.
 */
export function compressText(text: string, known: string | null): Buffer {
  return cutKnown(text, known) ?? zstdCompressSync(text, { params, ...dictionaryOf(known) });
}

/** Decompresses a text. @throws Error if `known` differs from the text it was compressed with */
export function decompressText(compressed: Uint8Array, known: string | null): string {
  if (compressed[0] === cutMark) return restoreKnown(Buffer.from(compressed), known);
  return zstdDecompressSync(compressed, dictionaryOf(known)).toString();
}

function dictionaryOf(known: string | null): { dictionary?: Buffer } {
  const dictionary = Buffer.from(known ?? '');
  return dictionary.length < knownBytesMin ? {} : { dictionary };
}

/** First byte of a text without its known part; a zstd frame starts with 0x28. */
const cutMark = 1;
/** The mark, the CRC-32 of the whole text, and the index of the known text in UTF-16 units. */
const headerBytes = 9;
const nowhere = 2 ** 32 - 1;
const restBytesMax = 512;

/** Returns the text without the known text in it; `null` if more than `restBytesMax` bytes are left. */
function cutKnown(text: string, known: string | null): Buffer | null {
  const escaped = escapeForJson(known);
  const restLength = text.length - escaped.length;
  // The search is linear, since the known text can start at only a few positions.
  const at = escaped !== '' && restLength >= 0 && restLength <= restBytesMax ? text.indexOf(escaped) : -1;
  const rest = at === -1 ? text : text.slice(0, at) + text.slice(at + escaped.length);
  const restBytes = Buffer.byteLength(rest);
  if (restBytes > restBytesMax) return null;
  const cut = Buffer.allocUnsafe(headerBytes + restBytes);
  cut[0] = cutMark;
  cut.writeUInt32LE(crc32(text), 1);
  cut.writeUInt32LE(at === -1 ? nowhere : at, 5);
  cut.write(rest, headerBytes);
  return cut;
}

function restoreKnown(cut: Buffer, known: string | null): string {
  const at = cut.readUInt32LE(5);
  const rest = cut.toString('utf8', headerBytes);
  const text = at === nowhere ? rest : rest.slice(0, at) + escapeForJson(known) + rest.slice(at);
  if (crc32(text) !== cut.readUInt32LE(1)) throw new Error('the text was compressed with another known text');
  return text;
}

/** Returns a text as it appears between the quotes of a JSON string. */
function escapeForJson(text: string | null): string {
  return JSON.stringify(text ?? '').slice(1, -1);
}
