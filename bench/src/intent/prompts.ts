import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
// Alternates prose and code, as in typical prompts.
const sources = [
  'docs/ARCHITECTURE.md',
  'server/src/intent/feature-reader.ts',
  'docs/LIFECYCLE.md',
  'LICENSE',
];

/** Returns different prompts of the same length, so that caches have no effect. */
export function makePrompts(length: number, count: number): string[] {
  const pasted = sources.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  return Array.from({ length: count }, (_, index) => {
    const start = (index * 977) % pasted.length;
    const body = pasted.slice(start).padEnd(length, pasted);
    return `Explain what this does, please (${index}).\n\n${body}`.slice(0, length);
  });
}
