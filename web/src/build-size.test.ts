import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'web', 'dist');
const limitKiB = 250;
const filesMax = 11;
const frame = 'src/pages/signed-in.tsx';

const manifestShape = z.record(
  z.string(),
  z.object({
    file: z.string(),
    isDynamicEntry: z.boolean().optional(),
    imports: z.array(z.string()).default([]),
    dynamicImports: z.array(z.string()).default([]),
  }),
);

let manifest: z.infer<typeof manifestShape>;

beforeAll(() => {
  const build = "import('./scripts/build-web.mjs').then(({ ensureWebBuilt }) => ensureWebBuilt())";
  // The test runner sets NODE_ENV to `test`, which would build React for development.
  const env = { ...process.env, NODE_ENV: 'production' };
  execFileSync(process.execPath, ['--eval', build], { cwd: root, env });
  manifest = manifestShape.parse(JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8')));
});

/** Returns the files that a module needs before it runs, including its own file. */
function filesOf(key: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`The build has no ${key}`);
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const part of chunk.imports) filesOf(part, found);
  return found;
}

function firstLoad(page: string): { KiB: number; files: number } {
  const isFramed = !page.startsWith('src/pages/public/');
  const keys = ['index.html', page, ...(isFramed ? [frame] : [])];
  const files = new Set(keys.flatMap((key) => [...filesOf(key)]));
  const sizes = [...files].map((file) => gzipSync(readFileSync(join(dist, file))).length);
  return { KiB: Math.ceil(sizes.reduce((total, size) => total + size, 0) / 1024), files: files.size };
}

describe('the JavaScript of a first load', () => {
  it(`a first load of any route is at most ${limitKiB} KiB compressed in ${filesMax} files`, () => {
    // Lazily loaded parts of a page do not count.
    const named = manifest['index.html']?.dynamicImports ?? [];
    const pages = named.filter((key) => key.startsWith('src/pages/') && key !== frame);
    const loads = Object.fromEntries(pages.map((page) => [page, firstLoad(page)]));
    console.table(loads);
    expect(pages).toContain('src/pages/admin/overview.tsx');
    expect(pages).toContain('src/pages/admin/users.tsx');
    const tooMuch = Object.entries(loads).filter(([, { KiB, files }]) => KiB > limitKiB || files > filesMax);
    expect(tooMuch).toEqual([]);
  });

  it('the build has one style sheet', () => {
    expect(readdirSync(join(dist, 'assets')).filter((file) => file.endsWith('.css'))).toHaveLength(1);
  });
});
