// A thread of its own: to load a vocabulary takes a tenth of a second, and a long text takes as long to count.
import { parentPort } from 'node:worker_threads';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { z } from 'zod';
import { cutText } from './cut-text.ts';

const job = z.object({ id: z.number(), texts: z.array(z.string()) });
// What looks like a marker of a conversation is text in here.
const asText = { disallowedSpecial: new Set<string>() };

parentPort?.on('message', (message: unknown) => {
  const { id, texts } = job.parse(message);
  let tokens = 0;
  for (const text of texts) for (const piece of cutText(text)) tokens += countTokens(piece, asText);
  parentPort?.postMessage({ id, tokens });
});
