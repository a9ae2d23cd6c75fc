import { readEvents } from './raw-http.ts';

/** How a test asks over one protocol, and how it reads what comes back. */
export type Speaker = {
  protocol: string;
  headers: Record<string, string>;
  path: (model: string, isStream: boolean) => string;
  body: (model: string, isStream: boolean) => object;
  /** the payloads of a stream's frames */
  split: (text: string) => string[];
  textOf: (payload: Payload) => string | undefined;
  /** matches a stream that came to its end */
  end: RegExp;
  /** part of an error, in a body and inside a stream */
  failure: object;
  failureInside: object;
  overloadedStatus: number;
  refusedKeyStatus: number;
};

export type Payload = {
  choices?: { delta: { content?: string } }[];
  delta?: { text?: string };
};

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
    textOf: ({ delta }) => delta?.text,
    end: /data: {"type":"message_stop"}\n\n$/,
    failure: { type: 'error', error: { type: 'api_error' } },
    failureInside: { type: 'error', error: { type: 'overloaded_error' } },
    overloadedStatus: 529,
    refusedKeyStatus: 401,
  },
];
