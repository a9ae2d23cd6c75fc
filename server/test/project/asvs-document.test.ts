import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/security/asvs.md');
const [head = '', ...chapters] = page.split(/^(?=## V?\d|## Level 3)/m);

interface Row {
  readonly id: string;
  readonly level: string;
  readonly answer: string;
}

const rows: Row[] = [
  ...chapters.join('').matchAll(/^\| (\d+\.\d+\.\d+) \| (\d) \| [^|]+ \| ([^|]+) \|$/gm),
].map(([, id = '', level = '', answer = '']) => ({ id, level, answer }));
const ofLevel = (level: string) => rows.filter((row) => row.level === level);

const kinds = ['shown', 'Written', 'Does not apply', 'Not shown', 'Not met'] as const;

/** Returns the kind of an entry. Entries default to the kind "shown", which must name a test. */
const kindOf = ({ answer }: Row) => kinds.find((kind) => answer.startsWith(`${kind}: `)) ?? 'shown';

const isTest = (path: string) => /\.test\.tsx?$/.test(path);
const citedIn = (text: string) =>
  [...text.matchAll(/`(\w[\w.-]*\/[\w./-]+\.\w+)`/g)].map(([, path = '']) => path);
const proofsIn = (text: string) => [...text.matchAll(/proof `(\w+)`/g)].map(([, id = '']) => id);

it('the ASVS document names only existing files and proofs', () => {
  const cited = citedIn(page);
  expect(cited.filter(isTest).length).toBeGreaterThan(200);
  expect(cited.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const proofs = readdirSync(join(root, 'proofs/src'));
  expect(proofsIn(page).filter((id) => !proofs.includes(`${id}.ts`))).toEqual([]);
  expect(citedIn('`server/test/nowhere.test.ts`')).toEqual(['server/test/nowhere.test.ts']);
});

it('the ASVS document has a row for each requirement of levels 1 and 2, once and in order', () => {
  // Release 5.0.0 of the ASVS has 70 requirements of level 1 and 183 of level 2.
  expect([ofLevel('1').length, ofLevel('2').length]).toEqual([70, 183]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  const ids = rows.filter(({ level }) => level !== '3').map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })));
});

it('the ASVS document has a test, a document or a reason in each row', () => {
  const bare = rows.filter((row) => {
    if (kindOf(row) === 'shown') return !citedIn(row.answer).some(isTest);
    return row.answer.replace(/^[^:]+: /, '').length < 5;
  });
  expect(bare).toEqual([]);
});

it('the ASVS document lists the requirements of level 1 that are not met or not shown at the top', () => {
  const listed = [...head.matchAll(/^\| (\d+\.\d+\.\d+) \|/gm)].map(([, id]) => id);
  const missing = ofLevel('1').filter((row) => ['Not met', 'Not shown'].includes(kindOf(row)));
  expect(listed).toEqual(missing.map(({ id }) => id));
});

it('the ASVS document has figures that match its rows', () => {
  for (const level of ['1', '2']) {
    const counts = kinds.map((kind) => ofLevel(level).filter((row) => kindOf(row) === kind).length);
    expect(head).toContain(`| ${[level, ofLevel(level).length, ...counts].join(' | ')} |`);
  }
});

it('the ASVS document is linked from the README and the operating guide', () => {
  for (const path of ['README.md', 'docs/OPERATING.md']) expect(read(path)).toContain('security/asvs.md');
});
