import { basename, dirname, join } from 'node:path/posix';

const linesMin = 25;

/** Files that may be small, with the reason. */
export const allowedSmallFiles: Readonly<Record<string, string>> = {
  'web/import-again-plugin.ts':
    'it is a configuration file, which contains no code, and a test calls the function',
};

const endings = ['', '.ts', '.tsx', '/index.ts'];
const imported = /(?:\bfrom|\bimport)\s*(\(?)\s*'([^'\n]+)'|\b(new URL)\(\s*'([^'\n]+)'/g;

export interface SmallFile {
  readonly file: string;
  readonly reader: string;
}

/**
 * Returns the production files with fewer than 25 lines that only one file of the same folder imports, because their
 * code belongs in the importing file. Files loaded by path, such as threads, are ignored.
 */
export function findSmallFiles(texts: ReadonlyMap<string, string>): SmallFile[] {
  const readers = new Map<string, Set<string>>();
  const loaded = new Set<string>();
  for (const [file, text] of texts) {
    for (const [, isCall, path, isUrl, url = ''] of text.matchAll(imported)) {
      const target = resolveImport(file, path ?? url, texts);
      if (target === null) continue;
      if (isCall || isUrl) loaded.add(target);
      if (!isTest(file)) readers.set(target, (readers.get(target) ?? new Set()).add(file));
    }
  }
  return [...texts].flatMap(([file, text]) => {
    const [reader, other] = readers.get(file) ?? [];
    const isSmall = text.split('\n').length - 1 < linesMin && !isTest(file) && !loaded.has(file);
    if (!isSmall || reader === undefined || other !== undefined) return [];
    return dirname(reader) === dirname(file) && !isTable(reader) ? [{ file, reader }] : [];
  });
}

const isTest = (file: string) => /\.test\.tsx?$|^server\/test\/|^e2e\/|\/testing\//.test(file);

/**
 * Returns whether a file is a route table or the index of a folder. Such files may be small, because they only list
 * other files.
 */
const isTable = (file: string) => ['routes.ts', 'index.ts'].includes(basename(file));

function resolveImport(file: string, path: string, texts: ReadonlyMap<string, string>): string | null {
  const [workspace = ''] = file.split('/');
  const from = path.startsWith('#test/')
    ? join(workspace, path.slice(1))
    : path.startsWith('#')
      ? join(workspace, 'src', path.slice(1))
      : path.startsWith('.')
        ? join(dirname(file), path)
        : null;
  if (from === null) return null;
  return endings.map((ending) => from + ending).find((name) => texts.has(name)) ?? null;
}
