import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
// Prose and code in turn, as people paste them.
const sources = [
  'docs/ARCHITECTURE.md',
  'server/src/intent/feature-reader.ts',
  'docs/LIFECYCLE.md',
  'LICENSE',
];

/** Different prompts of the same length, so that no cache knows them by heart. */
export function makePrompts(length: number, count: number): string[] {
  const pasted = sources.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  return Array.from({ length: count }, (_, index) => {
    const start = (index * 977) % pasted.length;
    const body = pasted.slice(start).padEnd(length, pasted);
    return `Explain what this does, please (${index}).\n\n${body}`.slice(0, length);
  });
}
