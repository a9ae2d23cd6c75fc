import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const hook = new URL('scripts/resolve-once.mjs', root).href;
const list = `
  const modules = ['drizzle-orm', 'drizzle-orm/pg-core', 'drizzle-orm/node-postgres'];
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

test('modules that are resolved once are those that Node resolves, and each is there once', () => {
  const resolvedOnce = runWith([`--import=${hook}`]);
  expect(resolvedOnce).toEqual(runWith([]));
  expect(resolvedOnce).toMatchObject({ isOne: true });
});

test('the files of drizzle-orm are taken for ES modules because its package.json says so', () => {
  const text = readFileSync(new URL('node_modules/drizzle-orm/package.json', root), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ type: 'module' });
  // Once it is small, there is no reason to pass it by.
  expect(text.length).toBeGreaterThan(50_000);
});
