import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSent, parseDockerfile, parseIgnoreFile, parsePairs } from './dockerfile.ts';

const deploy = join(import.meta.dirname, '../../../deploy');

const ignored = parseIgnoreFile(readFileSync(join(deploy, 'Dockerfile.dockerignore'), 'utf8'));
const sent = (path: string) => isSent(path, ignored);

describe('Dockerfile parser', () => {
  it('parseDockerfile reads stages and substitutes global arguments', () => {
    const text = 'ARG A=base:1\n# a word\nFROM $' + '{A} AS one\nRUN x \\\n  && y\nFROM one\nUSER 1:1\n';
    expect(parseDockerfile(text)).toEqual([
      { from: 'base:1', name: 'one', instructions: [{ word: 'RUN', argument: 'x && y' }] },
      { from: 'one', name: null, instructions: [{ word: 'USER', argument: '1:1' }] },
    ]);
  });

  it('parsePairs reads variables with and without quotes', () => {
    expect(parsePairs('A=1 B="two words" C=')).toEqual([
      ['A', '1'],
      ['B', 'two words'],
      ['C', ''],
    ]);
  });

  it('the Docker build context excludes tests, build output and unlisted files', () => {
    expect(
      ['package.json', 'web/package.json', 'server/src/product/main.ts', 'web/src/main.tsx'].every(sent),
    ).toBe(true);
    expect(
      ['data/secret', '.git/config', 'web/dist/index.html', 'server/src/db/migrate.test.ts'].some(sent),
    ).toBe(false);
  });

  it('the Dockerfile copies the base configuration that the console build reads', () => {
    const stages = parseDockerfile(readFileSync(join(deploy, 'Dockerfile'), 'utf8'));
    const copied = stages
      .find(({ name }) => name === 'console')
      ?.instructions.flatMap(({ word, argument }) => (word === 'COPY' ? argument.split(' ') : []));
    const webConfig = readFileSync(join(deploy, '../web/tsconfig.json'), 'utf8');
    const [, base = ''] = /"extends": "\.\.\/(.*)"/.exec(webConfig) ?? [];
    expect(base).toMatch(/json$/);
    expect(copied).toContain(base);
    expect(sent(base)).toBe(true);
  });
});
