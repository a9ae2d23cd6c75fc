import { expect, it } from 'vitest';
import { containsPattern } from './like-pattern.ts';

it('containsPattern escapes wildcards and escape characters in the text', () => {
  expect(containsPattern('plain')).toBe('%plain%');
  expect(containsPattern('100%_\\')).toBe('%100\\%\\_\\\\%');
});
