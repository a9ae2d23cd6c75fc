import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const labels = [
  ...new Set([...read('docs/ADMINISTRATION.md').matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = '']) => label)),
];
const console = globSync('web/src/**/*.{ts,tsx}', { cwd: root, exclude: (path) => path.includes('.test.') })
  .map(read)
  .join('\n');

function isShown(label: string): boolean {
  const words = RegExp.escape(label);
  return new RegExp(`['"\`]${words}['"\`]|(>|^)\\s*${words}\\s*(<|\\{|$)`, 'm').test(console);
}

it('every bold name in the administrators’ document occurs in the console', () => {
  expect(labels.length).toBeGreaterThan(50);
  expect(labels.filter((label) => !isShown(label))).toEqual([]);
  expect(isShown('Frobnicate User')).toBe(false);
});

it('README and CONTRIBUTING name the operating, administration, API and architecture documents', () => {
  for (const path of ['docs/OPERATING.md', 'docs/ADMINISTRATION.md', 'docs/API.md', 'docs/ARCHITECTURE.md'])
    for (const page of ['README.md', 'CONTRIBUTING.md'])
      expect(read(page), `${path} in ${page}`).toContain(path);
});
