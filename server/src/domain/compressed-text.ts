import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Minimum dictionary size in bytes. A shorter text does not improve compression. */
const knownBytesMin = 64;

const params = {
  [constants.ZSTD_c_compressionLevel]: 1,
  // Include a checksum, so that decompression with a different known text fails instead of returning a wrong text.
  [constants.ZSTD_c_checksumFlag]: 1,
};

/**
 * Compresses a text that mostly repeats a text known to the reader, for example a request body and its prompt. If the
 * remainder without `known` is short, it is stored uncompressed, because creating a zstd context is the most
 * expensive step. Otherwise the text is stored as a zstd frame with `known` as its dictionary.
 */
export function compressText(text: string, known: string | null): Buffer {
  return cutKnown(text, known) ?? zstdCompressSync(text, { params, ...dictionaryOf(known) });
}

/**
 * Decompresses a text.
 * @throws Error if `known` differs from the text used for compression
 */
export function decompressText(compressed: Uint8Array, known: string | null): string {
  if (compressed[0] === cutMark) return restoreKnown(Buffer.from(compressed), known);
  return zstdDecompressSync(compressed, dictionaryOf(known)).toString();
}

function dictionaryOf(known: string | null): { dictionary?: Buffer } {
  const dictionary = Buffer.from(known ?? '');
  return dictionary.length < knownBytesMin ? {} : { dictionary };
}

/** First byte of a text stored without its known part. A zstd frame starts with 0x28. */
const cutMark = 1;
/** Header size: the mark, the CRC-32 of the whole text, and the position of the known text in UTF-16 units. */
const headerBytes = 9;
const nowhere = 2 ** 32 - 1;
const restBytesMax = 512;

/** Returns `null` if the remainder is longer than `restBytesMax` bytes. */
function cutKnown(text: string, known: string | null): Buffer | null {
  const escaped = escapeForJson(known);
  const restLength = text.length - escaped.length;
  // The search takes linear time, because there are only a few possible positions for the known text.
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

function escapeForJson(text: string | null): string {
  return JSON.stringify(text ?? '').slice(1, -1);
}
