import { SseSplitter } from '#upstream/sse.ts';
import type { Message } from '../../canonical/content.ts';
import type { CanonicalRequest, CompletionRequest, RequestProblem } from '../../canonical/request.ts';
import type { CanonicalResponse } from '../../canonical/response.ts';
import type { StreamEvent } from '../../canonical/stream-event.ts';
import { parseRequest } from '../read-request.ts';
import { encodeRequest } from '../request-encoder.ts';
import { decodeResponse, encodeResponse } from '../response.ts';
import { createStreamDecoder } from '../stream-decoder.ts';
import { createStreamEncoder } from '../stream-encoder.ts';

export const answerContext = { requestId: 'r1', model: 'asked', nowSeconds: 7, wantsUsage: true };

export function user(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

export function makeRequest(overrides: Partial<CanonicalRequest> = {}): CanonicalRequest {
  return { messages: [user('Hello')], tools: [], stop: [], sampling: {}, extensions: [], ...overrides };
}

export interface EncodedBody {
  readonly systemInstruction?: { readonly parts: readonly object[] };
  readonly contents: readonly { readonly role: string; readonly parts: readonly Record<string, unknown>[] }[];
  readonly tools?: readonly { readonly functionDeclarations: readonly Record<string, unknown>[] }[];
  readonly toolConfig?: object;
  readonly generationConfig?: Readonly<Record<string, unknown>>;
}

export const thirdGeneration = 'gemini-3-flash-preview';
export const secondGeneration = 'gemini-2.5-flash';

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
  return { body: JSON.parse(JSON.stringify(encoded.body)) as EncodedBody, warnings: encoded.warnings };
}

export function encodingProblem(model: string, overrides: Partial<CanonicalRequest>): RequestProblem | null {
  const encoded = encode(overrides, model);
  return encoded.ok ? null : encoded.problem;
}

export function makeBody(fields: object = {}): object {
  return { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }], ...fields };
}

function read(fields: object, model: string | null, isStream: boolean) {
  return parseRequest(Buffer.from(JSON.stringify(makeBody(fields))), { model, isStream });
}

export function parse(fields: object = {}, model = thirdGeneration, isStream = false): CompletionRequest {
  const parsed = read(fields, model, isStream);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.request;
}

export function parsingProblem(
  fields: object,
  model: string | null = thirdGeneration,
  isStream = false,
): RequestProblem | null {
  const parsed = read(fields, model, isStream);
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

export function decodeContents(...contents: object[]): readonly Message[] {
  return decode({ contents }).messages;
}

export function decodeAnswer(body: unknown): CanonicalResponse | null {
  return decodeResponse(Buffer.from(JSON.stringify(body)));
}

export function answerOf(parts: readonly object[], finishReason = 'STOP', rest: object = {}): object {
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason, index: 0 }],
    modelVersion: 'gemini-2.5-flash',
    responseId: 'answer-1',
    ...rest,
  };
}

export interface WrittenAnswer {
  readonly candidates: readonly {
    readonly index: number;
    readonly content: { readonly role: string; readonly parts?: readonly Record<string, unknown>[] };
    readonly finishReason?: string;
    readonly finishMessage?: string;
  }[];
  readonly usageMetadata?: Readonly<Record<string, number>>;
  readonly modelVersion: string;
  readonly responseId: string;
  readonly createTime?: string;
}

export function writeAnswer(response: CanonicalResponse): WrittenAnswer {
  // safe because the test's assertions fail for any other shape
  return JSON.parse(JSON.stringify(encodeResponse(response, answerContext))) as WrittenAnswer;
}

export function decodeBytes(bytes: Buffer, pieceLength = bytes.length): StreamEvent[] {
  const splitter = new SseSplitter();
  const decoder = createStreamDecoder();
  const events: StreamEvent[] = [];
  for (let start = 0; start < bytes.length; start += pieceLength)
    for (const event of splitter.feed(bytes.subarray(start, start + pieceLength)))
      events.push(...decoder.decode(event));
  return [...events, ...decoder.end()];
}

export function decodeStream(...pieces: unknown[]): StreamEvent[] {
  const decoder = createStreamDecoder();
  const events = pieces.flatMap((piece) => decoder.decode({ event: 'message', data: JSON.stringify(piece) }));
  return [...events, ...decoder.end()];
}

export function encodeBytes(events: readonly StreamEvent[]): Buffer {
  const encoder = createStreamEncoder(answerContext);
  return Buffer.from(events.map((event) => encoder.encode(event)).join(''));
}

export function encodePieces(events: readonly StreamEvent[]): WrittenAnswer[] {
  // safe because the test's assertions fail for any other shape
  return new SseSplitter().feed(encodeBytes(events)).map(({ data }) => JSON.parse(data) as WrittenAnswer);
}
