import { readEvents } from '../../anthropic-messages/testing/exchange.ts';
import type { AssistantPart, Message } from '../../canonical/content.ts';
import type {
  CanonicalRequest,
  CompletionRequest,
  Dialect,
  RequestProblem,
} from '../../canonical/request.ts';
import type { CanonicalResponse } from '../../canonical/response.ts';
import type { StreamEvent } from '../../canonical/stream-event.ts';
import type { AnswerContext, RequestTarget } from '../../protocol.ts';
import { openaiResponses } from '../index.ts';

const { caller, provider } = openaiResponses;

export const answerContext: AnswerContext = {
  requestId: 'r1',
  model: 'asked',
  nowSeconds: 7,
  wantsUsage: true,
};

export function user(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

function makeBody(fields: object): object {
  return { model: 'gpt-9', input: 'Hello', ...fields };
}

export function parse(fields: object = {}): CompletionRequest {
  const parsed = caller.parseRequest(Buffer.from(JSON.stringify(makeBody(fields))));
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.request;
}

export function parsingProblem(fields: object): RequestProblem | null {
  const parsed = caller.parseRequest(Buffer.from(JSON.stringify(makeBody(fields))));
  return parsed.ok ? null : parsed.problem;
}

export function decode(fields: object = {}): CanonicalRequest {
  const decoded = parse(fields).toCanonical();
  if (!decoded.ok) throw new Error(`${decoded.problem.param}: ${decoded.problem.message}`);
  return decoded.request;
}

export function decodingProblem(fields: object): RequestProblem | null {
  const decoded = parse(fields).toCanonical();
  return decoded.ok ? null : decoded.problem;
}

export interface EncodedBody {
  readonly model: string;
  readonly input: readonly { readonly type?: string; readonly role?: string; readonly content?: unknown }[];
  readonly tools?: readonly { readonly name: string }[];
  readonly [field: string]: unknown;
}

function encode(overrides: Partial<CanonicalRequest>, wanted: Partial<RequestTarget>) {
  const request = {
    messages: [user('Hello')],
    tools: [],
    stop: [],
    sampling: {},
    extensions: [],
    ...overrides,
  };
  const target = {
    model: 'gpt-9',
    isStream: false,
    defaultOutputTokensMax: 4096,
    isReasoningModel: false,
    ...wanted,
  };
  return provider.encodeRequest(request, target);
}

export function encodeFor(
  overrides: Partial<CanonicalRequest> = {},
  target: Partial<RequestTarget> = {},
): { readonly body: EncodedBody; readonly warnings: readonly string[] } {
  const encoded = encode(overrides, target);
  if (!encoded.ok) throw new Error(encoded.problem.message);
  // safe because the test's assertions fail for any other shape
  return { body: encoded.body as EncodedBody, warnings: encoded.warnings };
}

export function encodingProblem(
  overrides: Partial<CanonicalRequest>,
  dialect?: Dialect,
): RequestProblem | null {
  const encoded = encode(overrides, dialect ? { dialect } : {});
  return encoded.ok ? null : encoded.problem;
}

export function decodeAnswer(body: unknown): CanonicalResponse {
  const answer = provider.decodeResponse(Buffer.from(JSON.stringify(body)));
  if (!answer) throw new Error('the body is not a response');
  return answer;
}

/** Removes the item ids that the gateway creates for responses, including reasoning with OpenAI's own signature. */
export function dropItemIds(parts: readonly AssistantPart[]): AssistantPart[] {
  return parts.map((part) => {
    if (part.type !== 'reasoning' || part.signature?.protocol !== 'openai-responses') return part;
    const { id: _, ...signature } = part.signature;
    return { ...part, signature };
  });
}

export interface Frame {
  readonly type: string;
  readonly sequence_number: number;
  readonly [field: string]: unknown;
}

export function decodeBytes(bytes: Buffer): StreamEvent[] {
  const decoder = provider.createStreamDecoder();
  return [...readEvents(bytes).flatMap((event) => decoder.decode(event)), ...decoder.end()];
}

export function decodeEvents(...events: readonly object[]): StreamEvent[] {
  const decoder = provider.createStreamDecoder();
  const decoded = events.flatMap((event) =>
    decoder.decode({ event: 'message', data: JSON.stringify(event) }),
  );
  return [...decoded, ...decoder.end()];
}

export function encodeBytes(events: readonly StreamEvent[], context = answerContext): Buffer {
  const encoder = caller.createStreamEncoder(context);
  return Buffer.from(events.map((event) => encoder.encode(event)).join(''));
}

/** Throws if a frame's name differs from its type. */
export function encodeFrames(events: readonly StreamEvent[], context = answerContext): Frame[] {
  return readEvents(encodeBytes(events, context)).map(({ event, data }) => {
    // safe because the test's assertions fail for any other shape
    const frame = JSON.parse(data) as Frame;
    if (frame.type !== event) throw new Error(`a frame of type ${frame.type} is named ${event}`);
    return frame;
  });
}
