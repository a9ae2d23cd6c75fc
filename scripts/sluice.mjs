#!/usr/bin/env node
// npx sluice: runs operator commands of the server under the pinned Node.
import { join } from 'node:path';
import { ensureInstalled, pinnedNode, programEnvironment, root } from './install.mjs';
import { startProgram } from './run-program.mjs';

await ensureInstalled();
const main = join(root, 'server', 'src', 'cli', 'main.ts');
const options = { cwd: root, env: programEnvironment() };
process.exit(await startProgram(pinnedNode(), [main, ...process.argv.slice(2)], options).ended);
