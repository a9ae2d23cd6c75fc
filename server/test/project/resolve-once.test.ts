import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url);
const hook = new URL('scripts/resolve-once.mjs', root).href;
const list = `
  const own = ['#test/processes/free-port.ts', '#protocols/canonical/usage.ts', '#platform/version.ts'];
  const modules = ['drizzle-orm', 'drizzle-orm/pg-core', 'drizzle-orm/node-postgres', ...own];
  const loaded = await Promise.all(modules.map((name) => import(name)));
  const isOne = loaded[0].sql === (await import('../node_modules/drizzle-orm/index.js')).sql;
  console.log(JSON.stringify({ isOne, names: loaded.map((module) => Object.keys(module)) }));
`;

function runWith(options: readonly string[]): unknown {
  const printed = execFileSync(process.execPath, [...options, '--input-type=module', '--eval', list], {
    cwd: new URL('server/', root),
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return JSON.parse(printed);
}

test('resolve-once loads the same modules as Node, and drizzle-orm only once', () => {
  const resolvedOnce = runWith([`--import=${hook}`]);
  expect(resolvedOnce).toEqual(runWith([]));
  expect(resolvedOnce).toMatchObject({ isOne: true });
});

test('resolve-once resolves every import alias of the server to an existing file', () => {
  const files = execFileSync('git', ['ls-files', 'server/*.ts'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n');
  const texts = files.map((file) => readFileSync(new URL(file, root), 'utf8'));
  const specifiers = new Set(
    texts.flatMap((text) => text.match(/(?<=^(?:import|export|\}).* from ')#[^']+\.ts(?=';$)/gm) ?? []),
  );
  const printed = execFileSync(process.execPath, [`--import=${hook}`, '--input-type=module'], {
    cwd: new URL('server/', root),
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
    input: `console.log(JSON.stringify(${JSON.stringify([...specifiers])}.map((one) => import.meta.resolve(one))))`,
  });
  const urls: string[] = JSON.parse(printed);
  expect(specifiers.size).toBeGreaterThan(100);
  expect(urls.filter((url) => !existsSync(new URL(url)))).toEqual([]);
});

test("drizzle-orm's files are ES modules according to its package.json", () => {
  const text = readFileSync(new URL('node_modules/drizzle-orm/package.json', root), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ type: 'module' });
  // Skipping the file saves time only because the file is large.
  expect(text.length).toBeGreaterThan(50_000);
});
