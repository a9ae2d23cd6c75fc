import type { ProcessEntry, Program } from '../programs/program.ts';
import type { Options } from './options.ts';

export interface Surroundings {
  resources: AsyncDisposableStack;
  /** Origin of the one provider behind every subject. */
  upstream: string;
  /** Folder that is deleted with the resources. */
  dir: string;
  options: Options;
}

/** Running subject: its URL for requests, and the processes that work for them. */
export interface Target {
  url: string;
  headers: Record<string, string>;
  /** Version of the program, for the table of peers. */
  version?: string;
  /** Root of its process tree; if missing, no CPU is counted. */
  program?: Program;
  /** Root of the processes of its database, if they are not in that tree. */
  databasePid?: number;
  /**
   * Returns the part that a process of the tree belongs to; null means not counted. If missing, the tree is one part.
   */
  partOf?(entry: ProcessEntry, tree: ProcessEntry[]): string | null;
  /** Whether work for a request continues after its response. */
  defersWork?: boolean;
}

export interface Subject {
  name: string;
  /** Summary of the checks and records per request, for the table of peers. */
  governs?: string;
  /** Subject that does the same work without governing it. */
  plain?: string;
  /** Throws NotInstalledError if the machine lacks it. */
  start(surroundings: Surroundings): Promise<Target>;
}

/** Thrown when a subject is not installed; the message explains how to install it. */
export class NotInstalledError extends Error {
  override name = 'NotInstalledError';
}
