import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ProofResult } from './proof.ts';

const root = join(import.meta.dirname, '../..');
const vitest = 'node_modules/vitest/vitest.mjs';

/** Runs the tests that `npm test` reduces to a sample with all of their cases. */
export async function proveSamples(): Promise<ProofResult> {
  const files = findSampledTests();
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'unit*', ...files], {
    cwd: root,
    env: { ...process.env, SLUICE_FULL_TESTS: '1' },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return {
    title: 'the tests that `npm test` reduces to a sample pass with all of their cases',
    holds: code === 0,
    text: files.map((file) => `- \`${file}\``).join('\n'),
  };
}

function findSampledTests(): string[] {
  return readdirSync(join(root, 'server/src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => relative(root, join(root, 'server/src', file)))
    .filter((file) => /\/test\/sample\.ts';/.test(readFileSync(join(root, file), 'utf8')))
    .toSorted();
}
