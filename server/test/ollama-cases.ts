import { readWireCases, type WireCase } from './wire-cases.ts';

/** Whether it speaks Ollama's own protocol; its other paths speak OpenAI's. */
export function isOllamaCase({ provider, request }: WireCase): boolean {
  return provider === 'ollama' && (request === null || request.path.startsWith('/api/'));
}

/** The cases of Ollama's own chat. */
export function readOllamaCases(): WireCase[] {
  return readWireCases('ollama').filter((wireCase) => wireCase.endpoint === 'chat' && isOllamaCase(wireCase));
}
