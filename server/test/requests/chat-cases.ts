import { isOllamaCase } from './ollama-cases.ts';
import { readWireCases, type WireCase } from './wire-cases.ts';

const family = [
  ...['alibaba', 'azure', 'deepseek', 'groq', 'huggingface', 'mistral', 'moonshotai', 'ollama', 'openai'],
  ...['openai-compatible', 'openrouter', 'perplexity', 'together', 'xai'],
];

/** Excludes Ollama's native cases. */
export function readChatCases(): WireCase[] {
  return family
    .flatMap(readWireCases)
    .filter((wireCase) => wireCase.endpoint === 'chat' && !isOllamaCase(wireCase));
}
