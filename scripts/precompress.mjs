import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const codings = [
  [
    '.br',
    (bytes) =>
      brotliCompressSync(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      }),
  ],
  ['.gz', (bytes) => gzipSync(bytes, { level: 9 })],
];

/** Writes `.br` and `.gz` files next to each file of a folder that shrinks by 10% or more, which fonts do not. */
export function precompress(folder) {
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    for (const [suffix, compress] of codings) {
      const compressed = compress(bytes);
      if (compressed.length < bytes.length * 0.9) writeFileSync(join(folder, name + suffix), compressed);
    }
  }
}
