// `npm test`: installs what is missing, then runs static checks, the web build, and all tests. Arguments are those of
// run-tests.mjs.
import { join } from 'node:path';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled, pinnedNode, programEnvironment, root } from './install.mjs';
import { makeMemoryFolder } from './memory-folder.mjs';
import { runStep } from './run-program.mjs';

await ensureInstalled({ isForDevelopment: true });
await ensureWebBuilt();

const folder = makeMemoryFolder();
process.on('exit', folder.remove);
const env = {
  ...programEnvironment(),
  ...(folder.path && { TMPDIR: folder.path, NODE_COMPILE_CACHE: join(folder.path, 'compile-cache') }),
};
for (const step of [['scripts/verify.mjs'], ['scripts/run-tests.mjs', ...process.argv.slice(2)]])
  await runStep(pinnedNode(), step, { cwd: root, env });
