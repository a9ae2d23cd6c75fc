import { defineConfig } from 'vitest/config';
import { SpreadLongFiles } from './server/test/project/spread-long-files.ts';

/** Test files of functions only, without a database or process. */
const pureFiles = [
  '{contract,web}/src/**/*.test.{ts,tsx}',
  'server/src/{protocols,domain,providers,intent}/**/*.test.ts',
];

/** Tests that start the whole product, wait for timeouts, or check details of a screen; `npm test` skips them. */
const leftOut = process.env.SLUICE_SLOW_TESTS === '0' ? ['**/*.slow.test.ts'] : [];

const unit = {
  // More workers than CPUs, since many tests wait for processes and timers.
  maxWorkers: 4,
  // A process runs many files and loads each module once, so a file must restore any global state it changes.
  isolate: false,
  setupFiles: ['server/test/load/random-cases.ts'],
  // Allows for a busy machine; tests of timing set their own limit.
  expect: { poll: { timeout: 30_000, interval: 20 } },
};

export default defineConfig({
  test: {
    pool: 'forks',
    sequence: { sequencer: SpreadLongFiles },
    // Protects against hanging tests, also on a busy machine; tests of timing set their own limit.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Titles that end after 40 characters of a case name would not identify the case.
    taskTitleValueFormatTruncate: 0,
    projects: [
      {
        extends: true,
        test: {
          ...unit,
          name: 'unit',
          setupFiles: [...unit.setupFiles, 'server/test/database/refuse-second-connections.ts'],
          globalSetup: ['server/test/database/database-cluster.ts'],
          include: ['{contract,server,proofs,sandbox,web,bench,training}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', ...pureFiles, ...leftOut],
        },
      },
      {
        extends: true,
        test: { ...unit, name: 'unit-pure', include: pureFiles },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          // All files of a process share one browser.
          isolate: false,
          include: ['e2e/**/*.test.ts'],
          exclude: leftOut,
          globalSetup: ['e2e/prepare-data.ts'],
          // The same number as for unit tests, which start when the first worker has no more journeys.
          maxWorkers: 4,
          // A browser on a busy machine may miss a deadline; such a test is reported as flaky.
          retry: 1,
          expect: { poll: { timeout: 30_000, interval: 100 } },
        },
      },
    ],
  },
});
