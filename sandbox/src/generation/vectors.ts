import { seedOf } from './sentences.ts';

/** Returns a vector of norm 1. The same text results in the same vector. Its numbers are exact in 32 bits. */
export function embedText(text: string, dimensions: number): number[] {
  let state = seedOf('vector', text);
  const values = Array.from({ length: dimensions }, () => {
    state = (Math.imul(state, 0x915f77f5) + 0x6d2b79f5) >>> 0;
    return (state >>> 8) / 2 ** 24 - 0.5;
  });
  const length = Math.hypot(...values);
  return values.map((value) => Math.fround(value / length));
}

/** Encodes numbers as base64 of little-endian 32-bit floats, the format of the providers. */
export function encodeFloats(values: readonly number[]): string {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}
