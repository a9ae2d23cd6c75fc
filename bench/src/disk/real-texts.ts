import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../../../node_modules');
const longestLine = 400;

/**
 * Yields texts of the given size that do not repeat: documentation and code of the installed packages, in order of
 * their names, without generated lines.
 */
export async function* readRealTexts(bytes: number): AsyncGenerator<string> {
  let text = '';
  for (const file of listFiles()) {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      if (line.length > longestLine || line.trim() === '') continue;
      text += `${line}\n`;
      while (text.length >= bytes) {
        yield text.slice(0, bytes);
        text = text.slice(bytes);
      }
    }
  }
}

/** Yields the documents and code of each package, except licenses and duplicates for other module systems. */
function* listFiles(): Generator<string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.toSorted()) {
    const name = path.slice(root.length);
    if (
      /\.(md|ts|js|mjs)$/.test(name) &&
      !/licen[cs]e|\.min\.|\.d\.[mc]ts$|\/(cjs|umd|commonjs)\//i.test(name)
    )
      yield path;
  }
}
