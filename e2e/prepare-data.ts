import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { type PreparedData, prepareData } from './running-sluice.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Copied for each file of journeys, which spares it the product's first start. */
    preparedData: PreparedData;
  }
}

/** Runs once, before all journeys. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prepared = await prepareData();
  project.provide('preparedData', prepared);
  return () => rm(prepared.folder, { recursive: true, force: true });
}
