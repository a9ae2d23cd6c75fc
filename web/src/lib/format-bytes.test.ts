import { expect, it } from 'vitest';
import { formatBytes } from './format-number.ts';

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KiB'],
  [44_040_192, '42 MiB'],
  [5 * 1024 ** 4, '5.0 TiB'],
  [5000 * 1024 ** 4, '5000 TiB'],
])('formatBytes(%i) returns %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
