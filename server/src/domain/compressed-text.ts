import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Shorter texts do not improve compression. */
const knownBytesMin = 64;

const params = {
  [constants.ZSTD_c_compressionLevel]: 1,
  // Decompressing with a different known text must fail instead of returning other text.
  [constants.ZSTD_c_checksumFlag]: 1,
};

/**
 * Compresses a text with a dictionary that its reader has too: `known` is a text that it mostly repeats, such as the
 * prompt of a body.
 */
export function compressText(text: string, known: string | null): Buffer {
  return zstdCompressSync(text, { params, ...dictionaryOf(known) });
}

/** Decompresses a text. @throws Error if `known` differs from the text it was compressed with. */
export function decompressText(compressed: Uint8Array, known: string | null): string {
  return zstdDecompressSync(compressed, dictionaryOf(known)).toString();
}

function dictionaryOf(known: string | null): { dictionary?: Buffer } {
  const dictionary = Buffer.from(known ?? '');
  return dictionary.length < knownBytesMin ? {} : { dictionary };
}
