import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { version } from '#platform/version.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
const headings = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);

it('the chart and the lock file have the version of the package', () => {
  expect(read('deploy/helm/sluice/Chart.yaml')).toContain(`version: ${version}\nappVersion: "${version}"\n`);
  const lock = JSON.parse(read('package-lock.json'));
  expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
});

it('the changelog has a section for this version and for the release that upgrade tests start from', () => {
  const former: { version: string } = JSON.parse(read('proofs/src/former-release.json'));
  expect(headings.filter((heading) => heading !== 'Not released yet')[0]).toBe(version);
  expect(headings).toContain(former.version);
  expect(former.version).not.toBe(version);
});
