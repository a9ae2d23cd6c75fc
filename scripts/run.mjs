// Runs a TypeScript file under the pinned Node: node scripts/run.mjs <file> [args]
import { ensureInstalled, pinnedNode, programEnvironment, root } from './install.mjs';
import { startProgram } from './run-program.mjs';

await ensureInstalled({ isForDevelopment: true });
const options = { cwd: root, env: programEnvironment() };
process.exit(await startProgram(pinnedNode(), process.argv.slice(2), options).ended);
