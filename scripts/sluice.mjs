#!/usr/bin/env node
// npx sluice: what an operator does on the server, under the pinned Node.
import { join } from 'node:path';
import { ensureInstalled, pinnedNode, pinnedPath, root } from './install.mjs';
import { startProgram } from './run-program.mjs';

await ensureInstalled();
const main = join(root, 'server', 'src', 'cli', 'main.ts');
const env = { ...process.env, PATH: pinnedPath() };
process.exit(await startProgram(pinnedNode(), [main, ...process.argv.slice(2)], { cwd: root, env }).ended);
