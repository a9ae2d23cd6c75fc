// Runs the browser journeys and the unit tests, and prints one summary. Files named `*.slow.test.ts` run with
// `--all`, or if an argument names them. With `--strict`, a journey that passed only after a retry is a failure.
// Other arguments are passed to vitest.
import { relative } from 'node:path';
import { parseCLI, startVitest } from 'vitest/node';
import { root } from './install.mjs';
import { formatSummary, summarizeFile } from './test-summary.ts';

const isStrict = process.argv.includes('--strict');
const isAll = process.argv.includes('--all');
const args = process.argv.slice(2).filter((arg) => !['--strict', '--all'].includes(arg));
const { filter, options } = parseCLI(['vitest', 'run', ...args]);
const leavesOutSlow = !isAll && filter.length === 0;
if (leavesOutSlow) process.env.SLUICE_SLOW_TESTS = '0';

const startedMs = performance.now();
const vitest = await startVitest(filter, { passWithNoTests: true, ...options, run: true });
const files = vitest.state
  .getTestModules()
  .map((module) => summarizeFile(relative(root, module.moduleId), module));
const outside = vitest.state.getUnhandledErrors();
await vitest.close();
console.log(`\n${formatSummary(files, performance.now() - startedMs, outside)}`);
if (leavesOutSlow) console.log('Left out *.slow.test.ts, which `npm test -- --all` runs');
if (isStrict && files.some(({ flaky }) => flaky.length > 0)) process.exitCode = 1;
// Exits explicitly, because handles left open by a test would keep the process running.
process.exit();
