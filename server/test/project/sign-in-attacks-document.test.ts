import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/security/sign-in-attacks.md');

interface Named {
  readonly file: string;
  readonly title: string;
}

const named: Named[] = [...page.matchAll(/\| `([\w./-]+\.test\.ts)`: (.+) \|$/gm)].map(
  ([, file = '', title = '']) => ({ file, title }),
);

const quote = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Matches a test title in the source: a string in quotes. Table cases fill `%s` and `%j`. */
const titlePattern = /'((?:[^'\\\n]|\\.)+)'/g;

function hasTest({ file, title }: Named): boolean {
  const source = read(file).replaceAll("\\'", '\u2019');
  const wanted = title.replaceAll("'", '\u2019');
  return [...source.matchAll(titlePattern)].some(([, template = '']) => {
    if (template === wanted) return true;
    if (!/%[sj]/.test(template)) return false;
    const filled = new RegExp(`^${template.split(/%[sj]/).map(quote).join('(.+)')}$`).exec(wanted);
    return filled?.slice(1).every((text) => hasCase(source, textOf(text))) ?? false;
  });
}

const hasCase = (source: string, text: string) =>
  source.includes(`'${text}'`) || new RegExp(`^ +${quote(text)}: `, 'm').test(source);

const textOf = (shown: string) => shown.replaceAll(/^\[?"|"\]?$/g, '');

it('the page of attacks on sign-in names a test for each attack', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| attack '));
  expect(named).toHaveLength(rows.length);
  expect(named.length).toBeGreaterThan(50);
  expect(new Set(named.map(({ file, title }) => `${file} ${title}`)).size).toBe(named.length);
});

it('the page of attacks on sign-in names only existing tests', () => {
  expect(named.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
  expect(named.filter((one) => !hasTest(one))).toEqual([]);
});

it('the check of the page of attacks reports a renamed test and a case that a table does not have', () => {
  const file = 'server/src/console/sign-ins/lies.test.ts';
  expect(hasTest({ file, title: 'finishSignIn rejects a wrong nonce' })).toBe(true);
  expect(hasTest({ file, title: 'finishSignIn rejects a wrong moon' })).toBe(false);
  expect(hasTest({ file, title: 'finishSignIn refuses a wrong nonce' })).toBe(false);
});

it('the page of the ASVS links to the page of attacks on sign-in', () => {
  expect(read('docs/security/asvs.md')).toContain('(sign-in-attacks.md)');
});
