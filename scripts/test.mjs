// `npm test`: installs what is missing, then static checks, the web build, and every test. Arguments go to vitest.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled, pinnedNode, pinnedPath, root } from './install.mjs';

await ensureInstalled({ isForDevelopment: true });
await ensureWebBuilt();

// One after the other: a browser and a full test load on two cores would only make each other late.
const vitest = 'node_modules/vitest/vitest.mjs';
// Of 26,000 tests one may be late on a busy machine: it is tried again and marked so. vitest by itself tries once.
const options = ['--passWithNoTests', '--retry=2', ...process.argv.slice(2)];
const compileCache = join(root, 'node_modules', '.cache', 'sluice');
const steps = [
  ['scripts/verify.mjs'],
  [vitest, 'run', '--project', 'unit*', ...options],
  [vitest, 'run', '--project', 'journeys', ...options],
];
for (const step of steps) {
  const { status } = spawnSync(pinnedNode(), step, {
    cwd: root,
    stdio: 'inherit',
    // Test processes and the Sluices that they start compile the same modules over and over.
    env: { ...process.env, PATH: pinnedPath(), NODE_COMPILE_CACHE: compileCache },
  });
  if (status !== 0) process.exit(status ?? 1);
}
