import { expect, it } from 'vitest';
import { formatSection, replaceSection } from './document.ts';

it('replaceSection replaces the section of a run and keeps the others', () => {
  const first = replaceSection('', 'kill', '## kill: a\n\nold\n');
  const second = replaceSection(first, 'abort', '## abort: b\n\nother\n\n### below\n');
  const third = replaceSection(second, 'kill', '## kill: a\n\nnew\n');
  expect(third.slice(third.indexOf('## '))).toBe('## abort: b\n\nother\n\n### below\n\n## kill: a\n\nnew\n');
  expect(third.startsWith('# Proofs\n')).toBe(true);
  expect(replaceSection(third, 'kill', '## kill: a\n\nnew\n')).toBe(third);
});

it('formatSection includes whether the claim held, and when', () => {
  const result = { title: 'no request is lost', holds: false, text: 'lost 1' };
  expect(formatSection('kill', result, new Date('2026-11-20T23:00:00Z'))).toMatch(
    /^## kill: no request is lost\n\n\*\*Does not hold\*\*, 2026-11-20, on \d+ cores, .*\n\nlost 1\n$/,
  );
});
