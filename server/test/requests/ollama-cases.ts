import { readWireCases, type WireCase } from './wire-cases.ts';

/** Ollama's other paths use OpenAI's protocol. */
export function isOllamaCase({ provider, request }: WireCase): boolean {
  return provider === 'ollama' && (request === null || request.path.startsWith('/api/'));
}

export function readOllamaCases(): WireCase[] {
  return readWireCases('ollama').filter((wireCase) => wireCase.endpoint === 'chat' && isOllamaCase(wireCase));
}
