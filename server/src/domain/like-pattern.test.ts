import { expect, it } from 'vitest';
import { containsPattern } from './like-pattern.ts';

it('lets no character of the text act as a wildcard or an escape', () => {
  expect(containsPattern('plain')).toBe('%plain%');
  expect(containsPattern('100%_\\')).toBe('%100\\%\\_\\\\%');
});
