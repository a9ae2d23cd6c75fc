// `npm test`: installs missing dependencies, then runs static checks, the web build and all tests. Arguments are
// passed to run-tests.mjs.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled, pinnedNode, programEnvironment, root } from './install.mjs';
import { runStep } from './run-program.mjs';

const memoryDisk = '/dev/shm';
const gibibyte = 1024 ** 3;
const wanted = { diskBytes: 6 * gibibyte, memoryBytes: 10 * gibibyte };

/**
 * Creates a folder in memory for test data. Tests create and drop hundreds of databases, which would take a third of
 * the CPU time on disk. `path` is undefined if there is not enough memory.
 */
function makeMemoryFolder() {
  if (!hasRoom()) return { path: undefined, remove: () => {} };
  const path = mkdtempSync(join(memoryDisk, 'sluice-'));
  // If tests run as root, PostgreSQL runs as another user and needs access to its folders in this folder.
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(memoryDisk);
    return bavail * bsize >= wanted.diskBytes && freemem() >= wanted.memoryBytes;
  } catch {
    return false;
  }
}

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
