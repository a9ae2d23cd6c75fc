import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bytesMax, filesMax } from './bounds.ts';
import { ConfigurationError, type Fault, sortFaults } from './faults.ts';
import { type ParsedFile, parseFile } from './parse.ts';
import { validateFiles, type WantedTenant } from './validate.ts';

export interface SourceText {
  readonly file: string;
  readonly text: string;
}

const endings = /\.(ya?ml|json)$/;
const sizeProblem = `The configuration is larger than ${bytesMax / 2 ** 20} MiB`;

/**
 * Reads a file, or the YAML and JSON files of a folder ordered by name.
 * @throws Error if the path cannot be read, ConfigurationError if the text is too long
 */
export function readSource(path: string): SourceText[] {
  try {
    return readAll(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === undefined) throw error;
    throw new Error(
      `The configuration ${path} cannot be read (${code}). Check the path and its permissions.`,
      {
        cause: error,
      },
    );
  }
}

function readAll(path: string): SourceText[] {
  const files = statSync(path).isDirectory() ? listFolder(path) : [path];
  if (files.length === 0) throw new Error(`The folder ${path} contains no .yaml, .yml or .json file.`);
  if (files.length > filesMax)
    throw new Error(`The folder ${path} contains ${files.length} files; at most ${filesMax} are allowed.`);
  let bytes = 0;
  return files.map((file) => {
    const stats = statSync(file);
    // Rejects devices and pipes, which may never end.
    if (!stats.isFile()) throw new Error(`${file} is not a regular file.`);
    bytes += stats.size;
    if (bytes > bytesMax) throw new ConfigurationError([{ file, line: 1, column: 1, message: sizeProblem }]);
    return { file, text: readFileSync(file, 'utf8') };
  });
}

const listFolder = (path: string) =>
  readdirSync(path)
    .filter((name) => endings.test(name) && !name.startsWith('.'))
    .toSorted()
    .map((name) => join(path, name));

export async function readInput(input: NodeJS.ReadableStream): Promise<SourceText[]> {
  const file = 'standard input';
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes > bytesMax) throw new ConfigurationError([{ file, line: 1, column: 1, message: sizeProblem }]);
    chunks.push(buffer);
  }
  return [{ file, text: Buffer.concat(chunks).toString('utf8') }];
}

/**
 * Parses and validates the texts of files.
 * @throws ConfigurationError with every fault
 */
export function parseConfiguration(sources: readonly SourceText[]): readonly WantedTenant[] {
  const faults: Fault[] = [];
  const files: ParsedFile[] = [];
  for (const { file, text } of sources) {
    const parsed = parseFile(file, text);
    if ('faults' in parsed) faults.push(...parsed.faults);
    else files.push(parsed);
  }
  const validated = validateFiles(files);
  if ('faults' in validated) faults.push(...validated.faults);
  if (faults.length > 0 || 'faults' in validated) throw new ConfigurationError(sortFaults(faults));
  return validated.tenants;
}
