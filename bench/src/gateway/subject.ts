import type { ProcessEntry } from '../programs/process-table.ts';
import type { Program } from '../programs/program.ts';
import type { Options } from './options.ts';

export interface Surroundings {
  resources: AsyncDisposableStack;
  /** Origin of the one provider behind every subject. */
  upstream: string;
  /** A folder that goes with the resources. */
  dir: string;
  options: Options;
}

/** A subject that runs: where it takes requests, and which processes work for them. */
export interface Target {
  url: string;
  headers: Record<string, string>;
  /** Root of its process tree; without it, no CPU is counted. */
  program?: Program;
  /** Names the part that a process of the tree is; null = not counted. Without it the tree is one part. */
  partOf?(entry: ProcessEntry, tree: ProcessEntry[]): string | null;
  /** Whether work for a request goes on after its answer. */
  defersWork?: boolean;
}

export interface Subject {
  name: string;
  /** Throws NotInstalledError when the machine lacks it. */
  start(surroundings: Surroundings): Promise<Target>;
}

/** The message says how to install what is missing. */
export class NotInstalledError extends Error {
  override name = 'NotInstalledError';
}
