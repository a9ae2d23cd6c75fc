import { readCasesIn, readWireCases, type WireCase } from './wire-cases.ts';

const family = ['azure', 'deepseek', 'lmstudio', 'openai', 'openrouter', 'xai'];

/** Our own few cases of OpenAI's responses, and the recorded ones of all who speak that protocol. */
export function readResponsesCases(): WireCase[] {
  return [
    ...readCasesIn(new URL('../src/protocols/openai-responses/fixtures/', import.meta.url)),
    ...family.flatMap(readWireCases).filter(({ endpoint }) => endpoint === 'responses'),
  ];
}
