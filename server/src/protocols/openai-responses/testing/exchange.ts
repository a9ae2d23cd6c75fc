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

/** A caller's body with what every body needs. */
function makeBody(fields: object): object {
  return { model: 'gpt-9', input: 'Hello', ...fields };
}

export function parse(fields: object = {}): CompletionRequest {
  const parsed = caller.parseRequest(Buffer.from(JSON.stringify(makeBody(fields))));
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.request;
}

/** Why a caller's body is refused at the edge, `null` when it is not. */
export function parsingProblem(fields: object): RequestProblem | null {
  const parsed = caller.parseRequest(Buffer.from(JSON.stringify(makeBody(fields))));
  return parsed.ok ? null : parsed.problem;
}

export function decode(fields: object = {}): CanonicalRequest {
  const decoded = parse(fields).toCanonical();
  if (!decoded.ok) throw new Error(`${decoded.problem.param}: ${decoded.problem.message}`);
  return decoded.request;
}

/** Why a caller's body has no canonical form, `null` when it has one. */
export function decodingProblem(fields: object): RequestProblem | null {
  const decoded = parse(fields).toCanonical();
  return decoded.ok ? null : decoded.problem;
}

/** What tests look at in an encoded body; the rest is there too. */
export interface EncodedBody {
  readonly model: string;
  readonly input: readonly { readonly type?: string; readonly role?: string; readonly content?: unknown }[];
  readonly tools?: readonly { readonly name: string }[];
  readonly [field: string]: unknown;
}

function encode(wishes: Partial<CanonicalRequest>, wanted: Partial<RequestTarget>) {
  const request = { messages: [user('Hello')], tools: [], stop: [], sampling: {}, extensions: [], ...wishes };
  const target = {
    model: 'gpt-9',
    isStream: false,
    defaultOutputTokensMax: 4096,
    isReasoningModel: false,
    ...wanted,
  };
  return provider.encodeRequest(request, target);
}

/** The request as a provider gets it. */
export function encodeFor(
  wishes: Partial<CanonicalRequest> = {},
  target: Partial<RequestTarget> = {},
): { readonly body: EncodedBody; readonly warnings: readonly string[] } {
  const encoded = encode(wishes, target);
  if (!encoded.ok) throw new Error(encoded.problem.message);
  // safe because a test that gets anything else fails on what it expects of the body
  return { body: encoded.body as EncodedBody, warnings: encoded.warnings };
}

/** Why the request cannot be encoded, `null` when it can. */
export function encodingProblem(wishes: Partial<CanonicalRequest>, dialect?: Dialect): RequestProblem | null {
  const encoded = encode(wishes, dialect ? { dialect } : {});
  return encoded.ok ? null : encoded.problem;
}

export function decodeAnswer(body: unknown): CanonicalResponse {
  const answer = provider.decodeResponse(Buffer.from(JSON.stringify(body)));
  if (!answer) throw new Error('not an answer');
  return answer;
}

/** Items of an answer that we write have ids that we make, reasoning with OpenAI's own proof included. */
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

/** Canonical events of a whole stream's bytes. */
export function decodeBytes(bytes: Buffer): StreamEvent[] {
  const decoder = provider.createStreamDecoder();
  return [...readEvents(bytes).flatMap((event) => decoder.decode(event)), ...decoder.end()];
}

/** Canonical events of wire events, each given as its data. */
export function decodeEvents(...events: readonly object[]): StreamEvent[] {
  const decoder = provider.createStreamDecoder();
  const decoded = events.flatMap((event) =>
    decoder.decode({ event: 'message', data: JSON.stringify(event) }),
  );
  return [...decoded, ...decoder.end()];
}

/** A stream's bytes for a caller. */
export function encodeBytes(events: readonly StreamEvent[], context = answerContext): Buffer {
  const encoder = caller.createStreamEncoder(context);
  return Buffer.from(events.map((event) => encoder.encode(event)).join(''));
}

/** What a caller reads of a stream; throws where a frame's name is not its type. */
export function encodeFrames(events: readonly StreamEvent[], context = answerContext): Frame[] {
  return readEvents(encodeBytes(events, context)).map(({ event, data }) => {
    // safe because a test that gets anything else fails on what it expects of the frames
    const frame = JSON.parse(data) as Frame;
    if (frame.type !== event) throw new Error(`a frame of type ${frame.type} is named ${event}`);
    return frame;
  });
}
