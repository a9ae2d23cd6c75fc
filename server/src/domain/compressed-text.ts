import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Shorter ones are no help. */
const knownBytesMin = 64;

const params = {
  [constants.ZSTD_c_compressionLevel]: 1,
  // What was compressed with another text at hand must not come back as something else.
  [constants.ZSTD_c_checksumFlag]: 1,
};

/** A text as a few bytes, by what its reader has too: `known` is what most of it repeats, such as the prompt of a body. */
export function compressText(text: string, known: string | null): Buffer {
  return zstdCompressSync(text, { params, ...dictionaryOf(known) });
}

/** @throws Error where `known` is not what the text was compressed with */
export function decompressText(compressed: Uint8Array, known: string | null): string {
  return zstdDecompressSync(compressed, dictionaryOf(known)).toString();
}

function dictionaryOf(known: string | null): { dictionary?: Buffer } {
  const dictionary = Buffer.from(known ?? '');
  return dictionary.length < knownBytesMin ? {} : { dictionary };
}
