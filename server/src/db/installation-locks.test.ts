import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installationLocks } from './installation-locks.ts';

const source = join(import.meta.dirname, '..');
const literal = /pg_(?:try_)?advisory_(?:xact_)?lock(?:_shared)?\((\d+)\)/g;
const literals = globSync('**/*.{ts,sql}', { cwd: source }).flatMap((file) =>
  [...readFileSync(join(source, file), 'utf8').matchAll(literal)].map(([, number]) => [file, Number(number)]),
);

it('each lock of the installation has a number of its own', () => {
  const numbers = Object.values(installationLocks);
  expect(new Set(numbers).size).toBe(numbers.length);
});

it('the trigger that protects the last super administrator is the only code with the number of a lock', () => {
  expect(literals).toEqual([
    ['db/migrations/0003-last-super-administrator.sql', installationLocks.superAdministrators],
  ]);
});
