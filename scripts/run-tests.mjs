// Runs the unit tests, then the browser journeys, and prints one summary of both. Arguments are passed to vitest;
// `--strict` also fails if a journey passed only when it was retried.
import { relative } from 'node:path';
import { parseCLI, startVitest } from 'vitest/node';
import { root } from './install.mjs';
import { formatSummary, summarizeFile } from './test-summary.ts';

const isStrict = process.argv.includes('--strict');
const args = process.argv.slice(2).filter((arg) => arg !== '--strict');
const { filter, options } = parseCLI(['vitest', 'run', ...args]);

// In sequence: on two cores, a browser and the full test load would slow each other down.
const runs = [
  { project: ['unit*'], retry: 0 },
  // A browser on a busy machine may miss a deadline; such a test is reported as flaky.
  { project: ['journeys'], retry: 1 },
];
const files = [];
const outside = [];
const startedMs = performance.now();
for (const run of runs) {
  const vitest = await startVitest(filter, { passWithNoTests: true, ...options, ...run, run: true });
  for (const module of vitest.state.getTestModules())
    files.push(summarizeFile(relative(root, module.moduleId), module));
  outside.push(...vitest.state.getUnhandledErrors());
  await vitest.close();
}
console.log(`\n${formatSummary(files, performance.now() - startedMs, outside)}`);
if (isStrict && files.some(({ flaky }) => flaky.length > 0)) process.exitCode = 1;
// Handles that a test left open must not keep the run alive.
process.exit();
