// Runs a TypeScript file under the pinned Node: node scripts/run.mjs <file> [args]
import { spawn } from 'node:child_process';
import { ensureInstalled, pinnedNode, pinnedPath, root } from './install.mjs';

await ensureInstalled();
const child = spawn(pinnedNode(), process.argv.slice(2), {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: pinnedPath() },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : code));
