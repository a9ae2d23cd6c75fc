import { expect, test } from 'vitest';
import { embedText, encodeFloats } from './vectors.ts';

test('a vector has the asked length, a norm of one, and is the same for the same text only', () => {
  const vector = embedText('rivers', 64);
  expect(vector).toHaveLength(64);
  expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  expect(embedText('rivers', 64)).toEqual(vector);
  expect(embedText('gates', 64)).not.toEqual(vector);
});

test('encoded numbers are the very same ones', () => {
  const vector = embedText('rivers', 8);
  const bytes = Buffer.from(encodeFloats(vector), 'base64');
  expect(vector.map((_, index) => bytes.readFloatLE(index * 4))).toEqual(vector);
});
