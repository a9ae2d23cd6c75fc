import type { IncomingMessage } from 'node:http';
import type { AskGate } from '#http/ask-gate.ts';
import { SseSplitter } from '#upstream/sse.ts';

/** What a model is asked, and under which id of ours the log keeps it. */
export interface Question {
  readonly model: string;
  readonly prompt: string;
  readonly clientRequestId: string;
  readonly signal: AbortSignal;
}

/** What has come of an answer so far. */
export interface PartialAnswer {
  requestId: string | null;
  text: string;
}

/** Nobody reads more of an answer than this beside others. */
const textMax = 200_000;

/**
 * Has the gate stream the answer into `answer`.
 * @throws Error with the gate's words when the answer is a refusal or breaks off.
 */
export async function askModel(
  askGate: AskGate,
  { clientRequestId, model, prompt, signal }: Question,
  answer: PartialAnswer,
): Promise<void> {
  const body = { model, messages: [{ role: 'user', content: prompt }], stream: true };
  const response = await askGate({ path: '/api/v1/chat/completions', body, clientRequestId, signal });
  answer.requestId = String(response.headers['x-request-id']);
  if (response.statusCode !== 200) throw new Error(await readRefusal(response));
  const splitter = new SseSplitter();
  for await (const chunk of response) {
    for (const { data } of splitter.feed(chunk)) {
      if (data === '[DONE]') return;
      const { choices, error }: Chunk = JSON.parse(data);
      if (error) throw new Error(error.message);
      answer.text += cleanText(choices?.[0]?.delta?.content ?? '').slice(0, textMax - answer.text.length);
    }
  }
  throw new Error('The answer broke off.');
}

/** What is read of a chunk of OpenAI's streams. */
interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
  readonly error?: { readonly message: string };
}

async function readRefusal(response: IncomingMessage): Promise<string> {
  const { error }: Chunk = JSON.parse(Buffer.concat(await response.toArray()).toString());
  return error?.message ?? '';
}

/** PostgreSQL holds no NUL. */
function cleanText(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
