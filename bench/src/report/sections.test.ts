import { expect, test } from 'vitest';
import { replaceSection } from './document.ts';

test('replaceSection puts the table of peers first and orders the others by id', () => {
  const before = '# Old\n\n## bodies\n\nb\n\n## gateway\n\ng\n';
  const after = replaceSection(before, 'peers', '## peers\n\np', '# New');
  expect(after).toBe('# New\n\n## peers\n\np\n\n## bodies\n\nb\n\n## gateway\n\ng\n');
});
