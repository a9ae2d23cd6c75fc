import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'web', 'dist');
const limitKiB = 250;
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
  // Under the tests' own NODE_ENV, React would be built for development.
  const env = { ...process.env, NODE_ENV: 'production' };
  execFileSync(process.execPath, ['--eval', build], { cwd: root, env });
  manifest = manifestShape.parse(JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8')));
}, 120_000);

/** The files that a module needs before it runs, itself among them. */
function filesOf(key: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`The build has no ${key}`);
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const part of chunk.imports) filesOf(part, found);
  return found;
}

function firstLoadKiB(keys: readonly string[]): number {
  const files = new Set(keys.flatMap((key) => [...filesOf(key)]));
  const sizes = [...files].map((file) => gzipSync(readFileSync(join(dist, file))).length);
  return sizes.reduce((total, size) => total + size, 0) / 1024;
}

describe('the JavaScript of a first load', () => {
  it(`is at most ${limitKiB} KiB on every route, compressed`, () => {
    // What the route table names; what a page fetches later by itself is no part of its first load.
    const named = manifest['index.html']?.dynamicImports ?? [];
    const pages = named.filter((key) => key.startsWith('src/pages/') && key !== frame);
    const sizes = Object.fromEntries(
      pages.map((page) => {
        const isFramed = !page.startsWith('src/pages/public/');
        return [page, Math.ceil(firstLoadKiB(['index.html', page, ...(isFramed ? [frame] : [])]))];
      }),
    );
    console.table(sizes);
    expect(pages).toContain('src/pages/admin/overview.tsx');
    expect(pages).toContain('src/pages/admin/users.tsx');
    expect(Object.entries(sizes).filter(([, size]) => size > limitKiB)).toEqual([]);
  });
});
