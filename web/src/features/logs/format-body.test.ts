import { expect, it } from 'vitest';
import { formatBody } from './format-body.ts';

it('has a line for each value, and leaves what is cut as it is', () => {
  expect(formatBody('{"model":"m","messages":[]}')).toBe('{\n  "model": "m",\n  "messages": []\n}');
  expect(formatBody('{"model":"m","mess')).toBe('{"model":"m","mess');
});
