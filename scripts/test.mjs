// `npm test`: installs what is missing, then runs static checks, the web build, and all tests. Arguments are passed to
// vitest.
import { join } from 'node:path';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled, pinnedNode, programEnvironment, root } from './install.mjs';
import { makeMemoryFolder } from './memory-folder.mjs';
import { runStep } from './run-program.mjs';

await ensureInstalled({ isForDevelopment: true });
await ensureWebBuilt();

// In sequence: on two cores, a browser and the full test load would slow each other down.
const vitest = 'node_modules/vitest/vitest.mjs';
// Any of 26,000 tests may time out on a busy machine, so failed tests are retried and reported as such. When vitest is
// run directly there are no retries.
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
