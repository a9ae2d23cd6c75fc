import type { IncomingMessage } from 'node:http';
import type { AskGate } from '#http/ask-gate.ts';
import { SseSplitter } from '#upstream/sse.ts';

/** What a model is asked, and under which id of ours the log keeps it. */
export interface Question {
  /** Of a chat completion, without `stream`. */
  readonly body: object;
  readonly clientRequestId: string;
  readonly signal: AbortSignal;
  /** Hears that the gate has let the request through. */
  readonly onAdmitted?: () => void;
  /** Hears that `answer` has grown. */
  readonly onText?: () => void;
}

/** What the gate answers instead of an answer. */
export class GateRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;

  constructor({ statusCode = 500, headers }: IncomingMessage, { message, code }: GateError) {
    super(message);
    this.status = statusCode;
    this.code = code ?? 'error';
    this.retryAfterSeconds = Number(headers['retry-after']) || undefined;
  }
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
 * @throws GateRefusal when the gate refuses; Error with the gate's words when the answer breaks off.
 */
export async function askModel(
  askGate: AskGate,
  { body: asked, clientRequestId, signal, onAdmitted, onText }: Question,
  answer: PartialAnswer,
): Promise<void> {
  const body = { ...asked, stream: true };
  const response = await askGate({ path: '/api/v1/chat/completions', body, clientRequestId, signal });
  answer.requestId = String(response.headers['x-request-id']);
  if (response.statusCode !== 200) throw new GateRefusal(response, await readRefusal(response));
  onAdmitted?.();
  const splitter = new SseSplitter();
  for await (const chunk of response) {
    for (const { data } of splitter.feed(chunk)) {
      if (data === '[DONE]') return;
      const { choices, error }: Chunk = JSON.parse(data);
      if (error) throw new Error(error.message);
      answer.text += cleanText(choices?.[0]?.delta?.content ?? '').slice(0, textMax - answer.text.length);
      onText?.();
    }
  }
  throw new Error('The answer broke off.');
}

/** What is read of a chunk of OpenAI's streams. */
interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
  readonly error?: GateError;
}

interface GateError {
  readonly message: string;
  readonly code?: string | null;
}

async function readRefusal(response: IncomingMessage): Promise<GateError> {
  const { error }: Chunk = JSON.parse(Buffer.concat(await response.toArray()).toString());
  return error ?? { message: 'The gateway refused the request.' };
}

/** PostgreSQL holds no NUL. */
function cleanText(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
