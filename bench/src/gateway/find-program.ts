import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { NotInstalledError } from './subject.ts';

/**
 * Returns the path of a command in PATH or in one of these folders; throws installation instructions if it is missing.
 */
export function findProgram(name: string, folders: readonly string[], howToInstall: string): string {
  const candidates = [...folders, ...(process.env.PATH ?? '').split(':')].map((folder) => join(folder, name));
  const found = candidates.find(isExecutable);
  if (!found) throw new NotInstalledError(howToInstall);
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
