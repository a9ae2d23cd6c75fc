// Runs the browser journeys and the unit tests, and prints one summary. Arguments are passed to vitest; `--strict` also
// fails if a journey passed only when it was retried.
import { relative } from 'node:path';
import { parseCLI, startVitest } from 'vitest/node';
import { root } from './install.mjs';
import { formatSummary, summarizeFile } from './test-summary.ts';

const isStrict = process.argv.includes('--strict');
const args = process.argv.slice(2).filter((arg) => arg !== '--strict');
const { filter, options } = parseCLI(['vitest', 'run', ...args]);

const startedMs = performance.now();
const vitest = await startVitest(filter, { passWithNoTests: true, ...options, run: true });
const files = vitest.state
  .getTestModules()
  .map((module) => summarizeFile(relative(root, module.moduleId), module));
const outside = vitest.state.getUnhandledErrors();
await vitest.close();
console.log(`\n${formatSummary(files, performance.now() - startedMs, outside)}`);
if (isStrict && files.some(({ flaky }) => flaky.length > 0)) process.exitCode = 1;
// Handles that a test left open must not keep the run alive.
process.exit();
