// Runs in a separate thread, since loading the vocabulary takes a tenth of a second, and counting a long text may
// take as long.
import { parentPort } from 'node:worker_threads';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { z } from 'zod';
import { cutText } from './cut-text.ts';

const job = z.object({ id: z.number(), texts: z.array(z.string()) });
// Treats special tokens, which mark parts of a conversation, as plain text.
const asText = { disallowedSpecial: new Set<string>() };

parentPort?.on('message', (message: unknown) => {
  const { id, texts } = job.parse(message);
  let tokens = 0;
  for (const text of texts) for (const piece of cutText(text)) tokens += countTokens(piece, asText);
  parentPort?.postMessage({ id, tokens });
});
