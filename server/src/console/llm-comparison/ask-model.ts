import type { IncomingMessage } from 'node:http';
import type { AskGateway } from '#http/ask-gateway.ts';
import { appendText } from '#platform/append-text.ts';
import { SseSplitter } from '#upstream/sse.ts';

export interface Question {
  /** Body of the chat completion request, without `stream`. */
  readonly body: object;
  readonly clientRequestId: string;
  readonly signal: AbortSignal;
  readonly onAdmitted?: () => void;
  /** Called after each text added to `answer`. */
  readonly onText?: () => void;
}

/** Thrown when the gateway rejects the request. */
export class GatewayRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;

  constructor({ statusCode = 500, headers }: IncomingMessage, { message, code }: GatewayCallError) {
    super(message);
    this.status = statusCode;
    this.code = code ?? 'error';
    this.retryAfterSeconds = Number(headers['retry-after']) || undefined;
  }
}

/** Thrown when a model ends without any text. The request has been charged, so its answer is kept. */
export class EmptyAnswer extends Error {}

export interface PartialAnswer {
  requestId: string | null;
  text: string;
  /** `finish_reason` of the chat completion; `null` until the model has finished. */
  finishReason: string | null;
}

const emptyReasons: Readonly<Record<string, string>> = {
  content_filter:
    "The provider's content filter blocked the answer. Rephrase your message, or choose another model.",
  length:
    'The model reached its limit of output tokens before it wrote any text. Ask for less, or choose another model.',
  tool_calls: 'The model requested a tool instead of answering, and no tools are available here.',
};

const cutReasons: Readonly<Record<string, string>> = {
  content_filter: "The provider's content filter cut off this answer.",
  length: 'This answer was cut off at the limit of output tokens.',
};

/** Returns why an answer with text is incomplete, or `null` if the model finished it. */
export const describeCut = ({ finishReason }: PartialAnswer): string | null =>
  cutReasons[finishReason ?? ''] ?? null;

/**
 * Maximum length of an answer in characters, which limits memory and storage. The rest of a longer answer is dropped.
 */
const textMax = 200_000;

/**
 * Appends the model's text to `answer`, including the text of a refusal.
 * @throws GatewayRefusal if the gateway rejects the request; EmptyAnswer if the model wrote no text; Error with the
 * gateway's message if the stream fails
 */
export async function askModel(
  askGateway: AskGateway,
  { body: asked, clientRequestId, signal, onAdmitted, onText }: Question,
  answer: PartialAnswer,
): Promise<void> {
  const body = { ...asked, stream: true };
  const response = await askGateway({ path: '/api/v1/chat/completions', body, clientRequestId, signal });
  answer.requestId = String(response.headers['x-request-id']);
  if (response.statusCode !== 200) throw new GatewayRefusal(response, await readRefusal(response));
  onAdmitted?.();
  const splitter = new SseSplitter();
  for await (const chunk of response) {
    for (const { data } of splitter.feed(chunk)) {
      if (data === '[DONE]') return requireText(answer);
      const { choices, error }: Chunk = JSON.parse(data);
      if (error) throw new Error(error.message);
      const { delta, finish_reason } = choices?.[0] ?? {};
      answer.finishReason = finish_reason ?? answer.finishReason;
      const piece = cleanText(`${delta?.content ?? ''}${delta?.refusal ?? ''}`);
      answer.text = appendText(answer.text, piece, textMax);
      onText?.();
    }
  }
  throw new Error('The response was interrupted. Try again.');
}

function requireText({ finishReason, text }: PartialAnswer): void {
  if (text !== '') return;
  throw new EmptyAnswer(
    emptyReasons[finishReason ?? ''] ??
      'The model ended its answer without any text. Try again, or choose another model.',
  );
}

interface Chunk {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string | null; readonly refusal?: string | null };
    readonly finish_reason?: string | null;
  }[];
  readonly error?: GatewayCallError;
}

interface GatewayCallError {
  readonly message: string;
  readonly code?: string | null;
}

async function readRefusal(response: IncomingMessage): Promise<GatewayCallError> {
  const { error }: Chunk = JSON.parse(Buffer.concat(await response.toArray()).toString());
  return error ?? { message: 'The gateway rejected the request.' };
}

/** Replaces NUL characters, which PostgreSQL text cannot contain. */
function cleanText(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
