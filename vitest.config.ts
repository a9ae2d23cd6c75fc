import { defineConfig } from 'vitest/config';
import { LongFilesFirst } from './server/test/long-files-first.ts';

/** They ask functions only: no database, no process, no replaced module or clock. */
const pureFiles = [
  '{contract,web}/src/**/*.test.{ts,tsx}',
  'server/src/{protocols,domain,providers,intent}/**/*.test.ts',
];

const unit = {
  maxWorkers: 3,
  // A busy machine is late; a test whose time is what is tested names its own limit.
  expect: { poll: { timeout: 10_000, interval: 20 } },
};

export default defineConfig({
  test: {
    pool: 'forks',
    sequence: { sequencer: LongFilesFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          ...unit,
          name: 'unit',
          setupFiles: ['server/test/refuse-second-connections.ts'],
          globalSetup: ['server/test/database-cluster.ts'],
          include: ['{contract,server,sandbox,web,bench,training}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', ...pureFiles],
        },
      },
      {
        extends: true,
        // A process runs many files, for which it loads each module once: what a file changes outside of itself it puts back.
        test: { ...unit, name: 'unit-pure', include: pureFiles, isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          // One browser for all files of a process.
          isolate: false,
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['e2e/prepare-data.ts'],
          // More than processors: most of a journey's time is waited for frames and timers.
          maxWorkers: 4,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 30_000, interval: 100 } },
        },
      },
    ],
  },
});
