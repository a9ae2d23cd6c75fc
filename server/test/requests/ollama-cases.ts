import { readWireCases, type WireCase } from './wire-cases.ts';

/** Whether it uses Ollama's own protocol; its other paths use OpenAI's. */
export function isOllamaCase({ provider, request }: WireCase): boolean {
  return provider === 'ollama' && (request === null || request.path.startsWith('/api/'));
}

/** Returns the cases of Ollama's own chat. */
export function readOllamaCases(): WireCase[] {
  return readWireCases('ollama').filter((wireCase) => wireCase.endpoint === 'chat' && isOllamaCase(wireCase));
}
