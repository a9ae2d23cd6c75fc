import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { dropDatabase, startTestCluster } from '../server/test/database/database-cluster.ts';
import {
  type FirstSetup,
  type PreparedDatabase,
  prepareData,
  type RunningSluice,
  setUpDatabase,
  startOnCopy,
} from './running-sluice.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder is prepared once for all test files and deleted after the last one. */
    runFolder: string;
    firstSetup: FirstSetup;
    preparedDatabase: PreparedDatabase;
    /** The instance is shared by test files that do not change data. */
    shared: Pick<RunningSluice, 'url' | 'databaseUrl'>;
  }
}

/**
 * The product starts once. Test files start with copies of its data folder, or of a database that is set up the same
 * way.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using cleanup = new AsyncDisposableStack();
  await Promise.all([prepareProduct(project, cleanup), prepareCluster(project, cleanup)]);
  const running = cleanup.move();
  return () => running.disposeAsync();
}

async function prepareProduct(project: TestProject, cleanup: AsyncDisposableStack): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-journeys-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const firstSetup = await prepareData(folder);
  const shared = await startOnCopy(folder, firstSetup);
  cleanup.defer(shared.stop);
  project.provide('runFolder', folder);
  project.provide('firstSetup', firstSetup);
  project.provide('shared', { url: shared.url, databaseUrl: shared.databaseUrl });
}

async function prepareCluster(project: TestProject, cleanup: AsyncDisposableStack): Promise<void> {
  const cluster = await startTestCluster();
  cleanup.defer(cluster.stop);
  const preparedDatabase = await setUpDatabase(cluster);
  cleanup.defer(() => dropDatabase(cluster.url, preparedDatabase.name));
  project.provide('preparedDatabase', preparedDatabase);
}
