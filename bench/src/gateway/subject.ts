import type { ProcessEntry, Program } from '../programs/program.ts';
import type { Options } from './options.ts';

export interface Surroundings {
  resources: AsyncDisposableStack;
  /** Origin of the provider that all subjects share. */
  upstream: string;
  /** Folder that is deleted with the resources. */
  dir: string;
  options: Options;
}

/** Running subject: its URL for requests, and its processes. */
export interface Target {
  url: string;
  headers: Record<string, string>;
  /** Version of the program, for the table of peers. */
  version?: string;
  /** Root of the process tree; if absent, no CPU is counted. */
  program?: Program;
  /** Root of the database's processes, if they are not in that tree. */
  databasePid?: number;
  /** Returns the part of a process in the tree; `null` means not counted. If absent, the tree is one part. */
  partOf?(entry: ProcessEntry, tree: ProcessEntry[]): string | null;
  /** Whether work for a request continues after its response. */
  defersWork?: boolean;
}

export interface Subject {
  name: string;
  /** Summary of the checks and records per request, for the table of peers. */
  governs?: string;
  /** Version of the subject that does the same work without governing it. */
  plain?: string;
  /**
   * Starts the subject.
   * @throws NotInstalledError if it is not installed
   */
  start(surroundings: Surroundings): Promise<Target>;
}

/** Thrown when a subject is not installed; the message explains how to install it. */
export class NotInstalledError extends Error {
  override name = 'NotInstalledError';
}
