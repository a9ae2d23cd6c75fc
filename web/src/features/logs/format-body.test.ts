import { expect, it } from 'vitest';
import { formatBody } from './sections.tsx';

it('formatBody indents JSON and leaves truncated JSON unchanged', () => {
  expect(formatBody('{"model":"m","messages":[]}')).toBe('{\n  "model": "m",\n  "messages": []\n}');
  expect(formatBody('{"model":"m","mess')).toBe('{"model":"m","mess');
});
