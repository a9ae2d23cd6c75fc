import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{contract,server,sandbox,web,bench,training}/**/*.test.{ts,tsx}'],
          globalSetup: ['server/test/database-cluster.ts'],
          // A busy machine is late; a test whose time is what is tested names its own limit.
          expect: { poll: { timeout: 10_000, interval: 20 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['e2e/prepare-data.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 30_000, interval: 100 } },
        },
      },
    ],
  },
});
