export interface DialectCall {
  readonly dialect: keyof typeof dialects;
  readonly model: string;
  readonly stream: boolean;
  readonly apiKey: string;
  readonly clientRequestId: string;
  readonly content: string;
}

type Asked = Pick<DialectCall, 'model' | 'stream' | 'content'>;

const messages = (content: string) => [{ role: 'user', content }];

export const dialects = {
  'openai-chat': ({ model, stream, content }: Asked) => ({
    path: '/api/v1/chat/completions',
    body: { model, stream, messages: messages(content) },
  }),
  'openai-responses': ({ model, stream, content }: Asked) => ({
    path: '/api/v1/responses',
    body: { model, stream, input: content },
  }),
  'anthropic-messages': ({ model, stream, content }: Asked) => ({
    path: '/api/v1/messages',
    body: { model, stream, max_tokens: 200, messages: messages(content) },
  }),
  gemini: ({ model, stream, content }: Asked) => ({
    path: `/api/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: { contents: [{ role: 'user', parts: [{ text: content }] }] },
  }),
} as const;

export type Dialect = keyof typeof dialects;
// safe because the keys are those of `dialects`
export const dialectNames = Object.keys(dialects) as [Dialect, ...Dialect[]];

export function writeDialectRequest({ dialect, apiKey, clientRequestId, ...asked }: DialectCall): string {
  const { path, body } = dialects[dialect](asked);
  const text = JSON.stringify(body);
  return [
    `POST ${path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${apiKey}`,
    `x-request-id: ${clientRequestId}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    '',
    text,
  ].join('\r\n');
}
