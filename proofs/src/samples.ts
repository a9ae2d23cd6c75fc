import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ProofResult } from './proof.ts';

const root = join(import.meta.dirname, '../..');
const vitest = 'node_modules/vitest/vitest.mjs';
/** Tests that take a `sample`. */
const files = [
  'server/src/cli/every-command.test.ts',
  'server/src/console/webhooks/events.test.ts',
  'server/src/gateway/test/one-row.test.ts',
  'server/src/protocols/odd-requests.test.ts',
  'server/src/supervisor/changes-hold.test.ts',
];

/** Runs the tests that `npm test` reduces to a sample with all of their cases. */
export async function proveSamples(): Promise<ProofResult> {
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
