import { chmodSync, cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseAccount } from './account.ts';
import { locatePackage, prepareBinaries } from './binaries.ts';

const isRoot = process.getuid?.() === 0;
const version = `test-${process.pid}`;
let folder: string;
let copyDir: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'binaries-'));
  copyDir = join(isRoot ? '/var/cache/sluice' : folder, `postgres-${version}`);
});
afterEach(() => {
  for (const path of [folder, copyDir]) rmSync(path, { recursive: true, force: true });
});

function unpackTo(dir: string): void {
  const isFile = (path: string) =>
    !/\.so(\.\d+)?$/.test(path) || !linkNames.has(path.split('/').at(-1) ?? '');
  const linkNames = new Set([
    'libicuuc.so.60',
    'libicuuc.so',
    'libicui18n.so.60',
    'libicudata.so.60',
    'libpq.so.5',
  ]);
  cpSync(join(locatePackage().dir, 'native'), join(dir, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: isFile,
  });
}

test('prepareBinaries links the libraries of accessible programs and uses the programs in place', async () => {
  chmodSync(folder, 0o755);
  unpackTo(folder);
  const account = chooseAccount(join(folder, 'postgres'));
  const binaries = await prepareBinaries({ dir: folder, version }, folder, account);
  expect(binaries).toEqual({ dir: join(folder, 'native', 'bin'), majorVersion: '18' });
});

test.skipIf(!isRoot)(
  'prepareBinaries copies the programs once if the account cannot access their folder',
  async () => {
    unpackTo(folder);
    chmodSync(join(folder, 'native', 'bin'), 0o700);
    const account = chooseAccount(join(folder, 'postgres'));
    const binaries = await prepareBinaries({ dir: folder, version }, folder, account);
    expect(binaries.dir).toBe(join(copyDir, 'native', 'bin'));
    const madeAtMs = statSync(copyDir).ctimeMs;
    expect(await prepareBinaries({ dir: folder, version }, folder, account)).toEqual(binaries);
    expect(statSync(copyDir).ctimeMs).toBe(madeAtMs);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  },
);

test('prepareBinaries reports programs that do not run, with the reason and the fix', async () => {
  unpackTo(folder);
  rmSync(join(folder, 'native', 'bin', 'postgres'));
  await expect(prepareBinaries({ dir: folder, version }, folder, null)).rejects.toThrow(
    /set DATABASE_URL: .*ENOENT/,
  );
});
