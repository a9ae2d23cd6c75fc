// npm start: installs a fresh clone on any Node from 20, then runs Sluice under the pinned Node.
import { join } from 'node:path';
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled, pinnedNode, programEnvironment, root } from './install.mjs';
import { startProgram } from './run-program.mjs';

const launcher = process.ppid;
const isLaunchedByNpm = process.env.npm_lifecycle_event === 'start';
const pollEveryMs = 500;

await ensureInstalled();
await ensureWebBuilt();
const main = join(root, 'server', 'src', 'product', 'main.ts');
// The supervisor only forwards connections. With the default size of the young generation, it would use 60 MB more
// memory.
const args = ['--max-semi-space-size=4', main, ...process.argv.slice(2)];
const { child, ended } = startProgram(pinnedNode(), args, {
  cwd: root,
  // Sluice stops when the channel closes, so that Sluice never outlives this process.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: programEnvironment(),
});
// Disconnects from Sluice when npm has exited. npm does not forward SIGHUP, and sends no signal when it is killed. If
// this file was run directly, there is no npm to watch, and the launcher may exit earlier.
const letGo = () => process.ppid !== launcher && child.connected && child.disconnect();
if (isLaunchedByNpm) setInterval(letGo, pollEveryMs).unref();
process.exit(await ended);
