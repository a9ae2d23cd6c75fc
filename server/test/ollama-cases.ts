import { readCasesIn, readWireCases, type WireCase } from './wire-cases.ts';

/** The recorded cases of Ollama's own chat; the others speak OpenAI's. */
export const recordedOllamaCases: readonly WireCase[] = readWireCases('ollama').filter(
  ({ endpoint, request }) => endpoint === 'chat' && (request === null || request.path.startsWith('/api/')),
);

/** These, and our own few. */
export function readOllamaCases(): WireCase[] {
  const fixtures = new URL('../src/protocols/ollama/fixtures/', import.meta.url);
  return [...readCasesIn(fixtures), ...recordedOllamaCases];
}
