import { readCasesIn, readWireCases, type WireCase } from './wire-cases.ts';

const family = [
  ...['alibaba', 'azure', 'deepseek', 'groq', 'huggingface', 'mistral', 'moonshotai', 'ollama', 'openai'],
  ...['openai-compatible', 'openrouter', 'perplexity', 'together', 'xai'],
];

/** Our own few cases, and the recorded ones of all who speak this protocol; Ollama's native ones do not. */
export function readChatCases(): WireCase[] {
  return [
    ...readCasesIn(new URL('../src/protocols/openai-chat/fixtures/', import.meta.url)),
    ...family
      .flatMap(readWireCases)
      .filter(({ endpoint, request }) => endpoint === 'chat' && !request?.path.startsWith('/api/')),
  ];
}
