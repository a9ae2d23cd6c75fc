import { readWireCases, type WireCase } from './wire-cases.ts';

const family = ['azure', 'deepseek', 'lmstudio', 'openai', 'openrouter', 'xai'];

export function readResponsesCases(): WireCase[] {
  return family.flatMap(readWireCases).filter(({ endpoint }) => endpoint === 'responses');
}
