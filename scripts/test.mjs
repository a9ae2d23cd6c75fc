// `npm test`: installs what is missing, then static checks, the web build, and every test. Arguments go to vitest.
import { join } from 'node:path';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled, pinnedNode, programEnvironment, root } from './install.mjs';
import { makeMemoryFolder } from './memory-folder.mjs';
import { runStep } from './run-program.mjs';

await ensureInstalled({ isForDevelopment: true });
await ensureWebBuilt();

// One after the other: a browser and a full test load on two cores would only make each other late.
const vitest = 'node_modules/vitest/vitest.mjs';
// Of 26,000 tests one may be late on a busy machine: it is tried again and marked so. vitest by itself tries once.
const options = ['--passWithNoTests', '--retry=2', ...process.argv.slice(2)];
const steps = [
  ['scripts/verify.mjs'],
  [vitest, 'run', '--project', 'unit*', ...options],
  [vitest, 'run', '--project', 'journeys', ...options],
];
const folder = makeMemoryFolder();
process.on('exit', folder.remove);
const env = {
  ...programEnvironment(),
  ...(folder.path && { TMPDIR: folder.path, NODE_COMPILE_CACHE: join(folder.path, 'compile-cache') }),
};
for (const step of steps) await runStep(pinnedNode(), step, { cwd: root, env });
