import type { Message } from '../../canonical/content.ts';
import type { CanonicalRequest, CompletionRequest, RequestProblem } from '../../canonical/request.ts';
import type { StreamEvent, WireEvent } from '../../canonical/stream-event.ts';
import { parseRequest } from '../read-request.ts';
import { encodeRequest } from '../request-encoder.ts';
import { createStreamDecoder } from '../stream-decoder.ts';
import { createStreamEncoder } from '../stream-encoder.ts';

export interface EncodedBody {
  readonly max_tokens: number;
  readonly system?: readonly object[];
  readonly messages: readonly { readonly role: string; readonly content: readonly object[] }[];
  readonly tools?: readonly { readonly name: string; readonly input_schema: object }[];
  readonly [field: string]: unknown;
}

export const answerContext = { requestId: 'r1', model: 'asked', nowSeconds: 0, wantsUsage: true };

export function user(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

export function assistant(text: string): Message {
  return { role: 'assistant', parts: [{ type: 'text', text }] };
}

export function system(text: string): Message {
  return { role: 'system', parts: [{ type: 'text', text }] };
}

export function makeRequest(overrides: Partial<CanonicalRequest> = {}): CanonicalRequest {
  return { messages: [user('Hello')], tools: [], stop: [], sampling: {}, extensions: [], ...overrides };
}

function encode(overrides: Partial<CanonicalRequest>, model: string) {
  const target = { model, isStream: false, defaultOutputTokensMax: 4096, isReasoningModel: false };
  return encodeRequest(makeRequest(overrides), target);
}

export function encodeFor(
  model: string,
  overrides: Partial<CanonicalRequest> = {},
): { readonly body: EncodedBody; readonly warnings: readonly string[] } {
  const encoded = encode(overrides, model);
  if (!encoded.ok) throw new Error(encoded.problem.message);
  // safe because the test's assertions fail for any other shape
  return { body: encoded.body as EncodedBody, warnings: encoded.warnings };
}

export function encodingProblem(model: string, overrides: Partial<CanonicalRequest>): RequestProblem | null {
  const encoded = encode(overrides, model);
  return encoded.ok ? null : encoded.problem;
}

export function makeBody(fields: object = {}): object {
  return {
    model: 'claude-opus-4-8',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hello' }],
    ...fields,
  };
}

export function parse(fields: object = {}): CompletionRequest {
  const parsed = parseRequest(Buffer.from(JSON.stringify(makeBody(fields))));
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.request;
}

export function parsingProblem(fields: object): RequestProblem | null {
  const parsed = parseRequest(Buffer.from(JSON.stringify(makeBody(fields))));
  return parsed.ok ? null : parsed.problem;
}

export function decode(fields: object = {}): CanonicalRequest {
  const decoded = parse(fields).toCanonical();
  if (!decoded.ok) throw new Error(decoded.problem.message);
  return decoded.request;
}

export function decodingProblem(fields: object): RequestProblem | null {
  const decoded = parse(fields).toCanonical();
  return decoded.ok ? null : decoded.problem;
}

export function decodeStream(...events: readonly object[]): StreamEvent[] {
  const decoder = createStreamDecoder();
  const decoded = events.flatMap((event) =>
    decoder.decode({ event: 'message', data: JSON.stringify(event) }),
  );
  return [...decoded, ...decoder.end()];
}

export function readEvents(bytes: Buffer): WireEvent[] {
  const frames = bytes.toString().split('\n\n');
  return frames.flatMap((frame) => {
    const valueIn = (field: string) =>
      frame
        .split('\n')
        .find((line) => line.startsWith(`${field}: `))
        ?.slice(field.length + 2);
    const data = valueIn('data');
    return data === undefined ? [] : [{ event: valueIn('event') ?? 'message', data }];
  });
}

export function decodeBytes(bytes: Buffer): StreamEvent[] {
  const decoder = createStreamDecoder();
  return [...readEvents(bytes).flatMap((event) => decoder.decode(event)), ...decoder.end()];
}

export function encodeBytes(events: readonly StreamEvent[]): Buffer {
  const encoder = createStreamEncoder(answerContext);
  return Buffer.from(events.map((event) => encoder.encode(event)).join(''));
}

export interface Frame {
  readonly type: string;
  readonly index?: number;
  readonly content_block?: { readonly type: string };
  readonly delta?: { readonly type?: string; readonly stop_reason?: string };
  readonly [field: string]: unknown;
}

/** Throws if a frame's name differs from its type. */
export function encodeFrames(events: readonly StreamEvent[]): Frame[] {
  return readEvents(encodeBytes(events)).map(({ event, data }) => {
    // safe because the test's assertions fail for any other shape
    const frame = JSON.parse(data) as Frame;
    if (frame.type !== event) throw new Error(`a frame of type ${frame.type} is named ${event}`);
    return frame;
  });
}
