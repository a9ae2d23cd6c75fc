import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '@sluice/contract';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../../..');
const lifecycle = readFileSync(join(root, 'docs/LIFECYCLE.md'), 'utf8');
const documented = [...lifecycle.matchAll(/^\| ([a-z-]+) \| `server\/src\/gateway\/pipeline\//gm)].map(
  ([, stage]) => stage ?? '',
);
const files = readdirSync(import.meta.dirname).filter(
  (file) => !file.endsWith('.test.ts') && file !== 'run.ts',
);

describe('docs/LIFECYCLE.md', () => {
  it('docs/LIFECYCLE.md names every stage file and no other', () => {
    expect(documented.map((stage) => `${stage}.ts`).sort()).toEqual(files.sort());
  });

  it('docs/LIFECYCLE.md lists the stages in execution order', () => {
    const run = readFileSync(join(import.meta.dirname, 'run.ts'), 'utf8');
    const functions = documented.map((stage) =>
      stage.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase()),
    );
    const calls = [...run.matchAll(new RegExp(`(?<!\\.)\\b(${functions.join('|')})\\(`, 'g'))].map(
      ([, name]) => documented[functions.indexOf(name ?? '')],
    );
    const stagesOf = (names: (string | undefined)[]) =>
      names.filter((stage) => stage !== 'receive' && stage !== 'authenticate' && stage !== 'settle');
    expect(stagesOf(calls)).toEqual(stagesOf(documented));
    expect(documented.slice(0, 2)).toEqual(['receive', 'authenticate']);
    expect(documented.at(-1)).toBe('settle');
  });
});

describe('docs/ERRORS.md', () => {
  it('docs/ERRORS.md lists every error code with its status and no other', () => {
    const text = readFileSync(join(root, 'docs/ERRORS.md'), 'utf8');
    const listed = [...text.matchAll(/^\| `([a-z_]+)` \| ([0-9-]+) \|/gm)].map(([, code, status]) => [
      code,
      status,
    ]);
    const known = Object.entries(errorCodes).map(([code, { status }]) => [
      code,
      code === 'provider_rejected' ? '400-499' : String(status),
    ]);
    expect(listed.toSorted()).toEqual(known.toSorted());
  });
});
