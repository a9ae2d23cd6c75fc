import type { ProcessEntry, Program } from '../programs/program.ts';
import type { Options } from './options.ts';

export interface Surroundings {
  resources: AsyncDisposableStack;
  upstream: string;
  /** Folder that is deleted together with the resources. */
  dir: string;
  options: Options;
}

export interface Target {
  url: string;
  headers: Record<string, string>;
  version?: string;
  /** Root of the process tree. If absent, CPU usage is not measured. */
  program?: Program;
  /** Root of the database processes, if they are outside of the program's process tree. */
  databasePid?: number;
  /**
   * Returns the part of a process in the tree; `null` excludes the process. If the function is absent, the tree is
   * one part.
   */
  partOf?(entry: ProcessEntry, tree: ProcessEntry[]): string | null;
  /** Whether work for a request continues after the response. */
  defersWork?: boolean;
}

export interface Subject {
  name: string;
  governs?: string;
  /** Name of the subject that does the same work without governance. */
  plain?: string;
  /**
   * Starts the subject.
   * @throws NotInstalledError if the subject is not installed
   */
  start(surroundings: Surroundings): Promise<Target>;
}

/** Thrown when a subject is not installed. The message contains installation instructions. */
export class NotInstalledError extends Error {
  override name = 'NotInstalledError';
}
