import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type FirstSetup, prepareData, startOnCopy } from './running-sluice.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Holds what is made once for all files of journeys, and goes with the last of them. */
    runFolder: string;
    firstSetup: FirstSetup;
    /** Where the product runs that files share which change nothing in it. */
    sharedUrl: string;
  }
}

/** Spares each file of journeys the product's first start: they begin with copies of the data folder that it has made. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-journeys-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const firstSetup = await prepareData(folder);
  const shared = await startOnCopy(folder, firstSetup);
  cleanup.defer(shared.stop);
  project.provide('runFolder', folder);
  project.provide('firstSetup', firstSetup);
  project.provide('sharedUrl', shared.url);
  const running = cleanup.move();
  return () => running.disposeAsync();
}
