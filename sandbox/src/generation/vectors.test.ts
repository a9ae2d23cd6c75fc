import { expect, test } from 'vitest';
import { embedText, encodeFloats } from './vectors.ts';

test('embedText returns a vector of norm 1 and the requested length, the same only for the same text', () => {
  const vector = embedText('rivers', 64);
  expect(vector).toHaveLength(64);
  expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  expect(embedText('rivers', 64)).toEqual(vector);
  expect(embedText('gates', 64)).not.toEqual(vector);
});

test('encodeFloats encodes numbers without loss', () => {
  const vector = embedText('rivers', 8);
  const bytes = Buffer.from(encodeFloats(vector), 'base64');
  expect(vector.map((_, index) => bytes.readFloatLE(index * 4))).toEqual(vector);
});
