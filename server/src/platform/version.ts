import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '../../..');
const manifest = readFileSync(join(root, 'package.json'), 'utf8');

export const version = z.object({ version: z.string() }).parse(JSON.parse(manifest)).version;

/** First 12 digits of the commit of this build; `null` if the commit is unknown. */
export const build = readBuild();

/** Reads the file `BUILD` of an image or archive, or the Git checkout. */
function readBuild(): string | null {
  const head = readText('BUILD') ?? readText('.git/HEAD');
  const reference = head?.match(/^ref: (\S+)/)?.[1];
  const commit = reference ? (readText(`.git/${reference}`) ?? findPacked(reference)) : head;
  return commit?.match(/^[0-9a-f]{12}/)?.[0] ?? null;
}

function findPacked(reference: string): string | undefined {
  const line = readText('.git/packed-refs')
    ?.split('\n')
    .find((text) => text.endsWith(` ${reference}`));
  return line?.slice(0, 40);
}

function readText(path: string): string | null {
  try {
    return readFileSync(join(root, path), 'utf8').trim();
  } catch {
    return null;
  }
}
