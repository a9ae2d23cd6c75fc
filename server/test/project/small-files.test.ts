import { expect, it } from 'vitest';
import { findSmallFiles } from '../../../scripts/small-files.ts';

const found = (files: Record<string, string>) => findSmallFiles(new Map(Object.entries(files)));
const small = 'export const a = 1;\n';

it.each([
  ["import { a } from './a.ts';\n"],
  ["import { a } from '#room/a.ts';\n"],
  ["export { a } from './a.ts';\n"],
])('findSmallFiles reports a small file that only its neighbor reads, by %s', (text) => {
  const files = {
    'server/src/room/a.ts': small,
    'server/src/room/b.ts': text,
    'server/src/room/a.test.ts': "import { a } from './a.ts';\n",
  };
  expect(found(files)).toEqual([{ file: 'server/src/room/a.ts', reader: 'server/src/room/b.ts' }]);
});

const reads = "import { a } from './a.ts';\n";
it.each([
  ['of 25 lines', { 'server/src/room/a.ts': '\n'.repeat(25), 'server/src/room/b.ts': reads }],
  [
    'with two readers',
    { 'server/src/room/a.ts': small, 'server/src/room/b.ts': reads, 'server/src/room/c.ts': reads },
  ],
  [
    'with a reader in another folder',
    { 'server/src/room/a.ts': small, 'server/src/b.ts': "import { a } from './room/a.ts';\n" },
  ],
  ['in a table of routes', { 'server/src/room/a.ts': small, 'server/src/room/routes.ts': reads }],
  [
    'loaded by its path',
    { 'server/src/room/a.ts': small, 'server/src/room/b.ts': "new URL('./a.ts', import.meta.url);\n" },
  ],
  [
    'loaded when needed',
    { 'server/src/room/a.ts': small, 'server/src/room/b.ts': "await import('./a.ts');\n" },
  ],
  ['without a reader', { 'server/src/room/a.ts': small }],
])('findSmallFiles accepts a file %s', (_, files) => {
  expect(found(files)).toEqual([]);
});
