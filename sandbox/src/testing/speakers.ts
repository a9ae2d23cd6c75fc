import { expect } from 'vitest';
import { readEvents } from './raw-http.ts';

export interface Speaker {
  protocol: string;
  variant?: string;
  headers: Record<string, string>;
  path: (model: string, isStream: boolean) => string;
  body: (model: string, isStream: boolean) => object;
  split: (text: string) => string[];
  textOf: (payload: Payload) => string | undefined;
  end: RegExp;
  /** `failureInside` contains the fields of an error within a stream. */
  failure: object;
  failureInside: object;
  overloadedStatus: number;
  refusedKeyStatus: number;
}

export interface Payload {
  choices?: { delta: { content?: string } }[];
  candidates?: { content: { parts?: { text?: string }[] } }[];
  message?: { content?: string };
  type?: string;
  delta?: { text?: string; message?: { content?: { text?: string } } } | string;
}

const messages = [{ role: 'user', content: 'Hello there' }];
const splitEvents = (text: string) => readEvents(text).map(({ data }) => data);

export const speakers: Speaker[] = [
  {
    protocol: 'openai-chat',
    headers: { authorization: 'Bearer sk-test' },
    path: () => '/v1/chat/completions',
    body: (model, stream) => ({ model, stream, messages }),
    split: splitEvents,
    textOf: ({ choices }) => choices?.[0]?.delta.content,
    end: /data: \[DONE\]\n\n$/,
    failure: { error: { type: 'server_error' } },
    failureInside: { error: { type: 'server_error' } },
    overloadedStatus: 503,
    refusedKeyStatus: 401,
  },
  {
    protocol: 'anthropic-messages',
    headers: { 'x-api-key': 'sk-test', 'anthropic-version': '2023-06-01' },
    path: () => '/v1/messages',
    body: (model, stream) => ({ model, stream, messages, max_tokens: 50_000 }),
    split: splitEvents,
    textOf: ({ delta }) => (typeof delta === 'object' ? delta.text : undefined),
    end: /data: {"type":"message_stop"}\n\n$/,
    failure: { type: 'error', error: { type: 'api_error' } },
    failureInside: { type: 'error', error: { type: 'overloaded_error' } },
    overloadedStatus: 529,
    refusedKeyStatus: 401,
  },
  {
    protocol: 'openai-responses',
    headers: { authorization: 'Bearer sk-test' },
    path: () => '/v1/responses',
    body: (model, stream) => ({ model, stream, input: 'Hello there' }),
    split: splitEvents,
    textOf: ({ type, delta }) =>
      type === 'response.output_text.delta' && typeof delta === 'string' ? delta : undefined,
    end: /data: {"type":"response\.completed",.*\n\n$/,
    failure: { error: { type: 'server_error' } },
    failureInside: { type: 'response.failed', response: { error: { code: 'server_error' } } },
    overloadedStatus: 503,
    refusedKeyStatus: 401,
  },
  {
    protocol: 'cohere',
    headers: { authorization: 'Bearer sk-test' },
    path: () => '/v2/chat',
    body: (model, stream) => ({ model, stream, messages }),
    split: splitEvents,
    textOf: ({ delta }) => (typeof delta === 'object' ? delta.message?.content?.text : undefined),
    end: /"finish_reason":"COMPLETE".*\n\ndata: \[DONE\]\n\n$/,
    failure: { id: expect.any(String), message: expect.any(String) },
    failureInside: { type: 'message-end', delta: { finish_reason: 'ERROR', error: expect.any(String) } },
    overloadedStatus: 503,
    refusedKeyStatus: 401,
  },
  {
    protocol: 'ollama',
    headers: {},
    path: () => '/api/chat',
    body: (model, stream) => ({ model, stream, messages }),
    split: (text) => text.trimEnd().split('\n'),
    textOf: ({ message }) => message?.content,
    end: /"done":true.*\n$/,
    failure: { error: expect.any(String) },
    failureInside: { error: expect.any(String) },
    overloadedStatus: 503,
    refusedKeyStatus: 401,
  },
  ...[false, true].map((isList) => ({
    protocol: 'gemini',
    variant: isList ? 'as a list' : 'as events',
    headers: { 'x-goog-api-key': 'sk-test' },
    path: (model: string, stream: boolean) =>
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent' : 'generateContent'}${isList ? '' : '?alt=sse'}`,
    body: () => ({ contents: [{ role: 'user', parts: [{ text: 'Hello there' }] }] }),
    split: isList ? splitElements : splitEvents,
    textOf: ({ candidates }: Payload) => candidates?.[0]?.content.parts?.[0]?.text,
    end: isList ? /"finishReason":"STOP".*}\r\n\]$/ : /"finishReason":"STOP".*}\r\n\r\n$/,
    failure: { error: { code: 500, status: 'INTERNAL' } },
    failureInside: { error: { code: 503, status: 'UNAVAILABLE' } },
    overloadedStatus: 503,
    refusedKeyStatus: 400,
  })),
];

/** Each element starts on its own line. */
function splitElements(text: string): string[] {
  return text
    .replace(/^\[/, '')
    .replace(/\r\n\]$/, '')
    .split(',\r\n');
}
