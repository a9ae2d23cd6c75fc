// npm start: brings a fresh clone to life on any Node from 20, then runs Sluice under the pinned one.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled, pinnedNode, pinnedPath, root } from './install.mjs';

await ensureInstalled();
ensureWebBuilt();
const child = spawn(pinnedNode(), [join(root, 'server', 'src', 'main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  // Each worker reads the whole program: compiled once, it starts in two thirds of the time.
  env: {
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'sluice'),
    ...process.env,
    PATH: pinnedPath(),
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
