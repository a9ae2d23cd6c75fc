// Runs the unit tests, then the browser journeys, and prints one summary of both. Arguments are passed to vitest;
// `--strict` also fails if a journey passed only when it was retried.
import { relative } from 'node:path';
import { parseCLI, startVitest } from 'vitest/node';
import { root } from './install.mjs';

const [isStrict, args] = [process.argv.includes('--strict'), process.argv.slice(2)];
const { filter, options } = parseCLI(['vitest', 'run', ...args.filter((arg) => arg !== '--strict')]);

// In sequence: on two cores, a browser and the full test load would slow each other down.
const runs = [
  { project: ['unit*'], retry: 0 },
  // A browser on a busy machine may miss a deadline; such a test is reported as flaky.
  { project: ['journeys'], retry: 1 },
];
const slowestMax = 10;
const files = [];
const startedMs = performance.now();
for (const run of runs) {
  const vitest = await startVitest(filter, { passWithNoTests: true, ...options, ...run, run: true });
  files.push(...vitest.state.getTestModules().map(summarize));
  await vitest.close();
}
printSummary();
if (isStrict && files.some(({ flaky }) => flaky.length > 0)) process.exitCode = 1;
// Handles that a test left open must not keep the run alive.
process.exit();

function summarize(module) {
  const tests = [...module.children.allTests()];
  const count = (state) => tests.filter((test) => test.result().state === state).length;
  return {
    name: relative(root, module.moduleId),
    durationMs: module.diagnostic().duration,
    passed: count('passed'),
    failed: count('failed') + (module.state() === 'failed' && count('failed') === 0 ? 1 : 0),
    skipped: count('skipped'),
    flaky: tests.filter((test) => test.diagnostic()?.flaky).map(({ fullName }) => fullName),
  };
}

function printSummary() {
  const sum = (name) => files.reduce((total, file) => total + file[name], 0).toLocaleString('en');
  const seconds = (ms) => `${Math.round(ms / 1000)} s`;
  const slowest = files.toSorted((one, other) => other.durationMs - one.durationMs).slice(0, slowestMax);
  const flaky = files.flatMap((file) => file.flaky.map((test) => `${file.name} > ${test}`));
  const lines = [
    '',
    `Tests    ${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped in ${files.length} files`,
    `Time     ${seconds(performance.now() - startedMs)}`,
    'Slowest  ',
    ...slowest.map(({ name, durationMs }) => `  ${seconds(durationMs).padStart(6)}  ${name}`),
    `Flaky    ${flaky.length === 0 ? 'none' : flaky.length}`,
    ...flaky.map((test) => `  ${test}`),
  ];
  console.log(lines.join('\n').trimEnd());
}
