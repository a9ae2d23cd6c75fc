import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type FirstSetup, prepareData } from './running-sluice.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Holds what is made once for all files of journeys, and goes with the last of them. */
    runFolder: string;
    firstSetup: FirstSetup;
  }
}

/** Spares each file of journeys the product's first start: they begin with copies of the data folder that it has made. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-journeys-'));
  project.provide('runFolder', folder);
  project.provide('firstSetup', await prepareData(folder));
  return () => rm(folder, { recursive: true, force: true });
}
