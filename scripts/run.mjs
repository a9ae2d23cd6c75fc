// Runs a TypeScript file under the pinned Node: node scripts/run.mjs <file> [args]
import { ensureInstalled, pinnedNode, pinnedPath, root } from './install.mjs';
import { startProgram } from './run-program.mjs';

await ensureInstalled({ isForDevelopment: true });
const env = { ...process.env, PATH: pinnedPath() };
process.exit(await startProgram(pinnedNode(), process.argv.slice(2), { cwd: root, env }).ended);
