import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  answerWith,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import { type Dialect, dialectNames, dialects } from '#test/requests/dialects.ts';

const openai = (code: string | null, message: string) => ({
  error: { message, type: 'x', param: null, code },
});
const claude = (type: string, message: string) => ({ type: 'error', error: { type, message } });
const google = (code: number, status: string, message: string) => ({ error: { code, message, status } });

const errorKinds = [
  'context overflow',
  'rate limit',
  'overload',
  'content policy',
  'invalid image',
  'unknown model',
] as const;

type ErrorKind = (typeof errorKinds)[number];

interface Vendor {
  readonly providerKey: string;
  readonly root: string;
  readonly ownDialect: Dialect | null;
  readonly errors: Readonly<Record<ErrorKind, readonly [status: number, body: object]>>;
  readonly model?: string;
  readonly announcement: object;
  readonly opening: object;
  readonly streamType: string;
  frame(event: object): string;
}

const sse = {
  streamType: 'text/event-stream',
  frame: (event: object) => `data: ${JSON.stringify(event)}\n\n`,
};
const longPrompt =
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.";

const openaiErrors: Vendor['errors'] = {
  'context overflow': [400, openai('context_length_exceeded', longPrompt)],
  'rate limit': [429, openai('rate_limit_exceeded', 'Slow down')],
  overload: [503, openai(null, 'The engine is currently overloaded')],
  'content policy': [400, openai('content_filter', 'Filtered')],
  'invalid image': [400, openai('invalid_image_format', 'Not an image')],
  'unknown model': [404, openai('model_not_found', 'The model `m` does not exist')],
};

const vendors: readonly Vendor[] = [
  {
    providerKey: 'openai',
    root: '/v1',
    model: 'gpt-5.1-codex',
    ownDialect: 'openai-responses',
    ...sse,
    announcement: {
      type: 'response.created',
      response: { id: 'resp_1', model: 'm', created_at: 5, status: 'in_progress', output: [] },
    },
    opening: { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, delta: 'Hi' },
    errors: openaiErrors,
  },
  {
    providerKey: 'custom',
    root: '/v1',
    ownDialect: 'openai-chat',
    ...sse,
    announcement: { id: 'c', model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
    opening: { id: 'c', model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' } }] },
    errors: openaiErrors,
  },
  {
    providerKey: 'anthropic',
    root: '',
    ownDialect: 'anthropic-messages',
    ...sse,
    announcement: {
      type: 'message_start',
      message: { id: 'msg_1', model: 'm', content: [], usage: { input_tokens: 7, output_tokens: 1 } },
    },
    opening: {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'Hi' },
    },
    errors: {
      'context overflow': [
        400,
        claude('invalid_request_error', 'prompt is too long: 9001 tokens > 8192 maximum'),
      ],
      'rate limit': [429, claude('rate_limit_error', 'Slow down')],
      overload: [529, claude('overloaded_error', 'Overloaded')],
      'content policy': [400, claude('invalid_request_error', 'Output blocked by content filtering policy')],
      'invalid image': [
        400,
        claude('invalid_request_error', 'messages.0.content.0.image.source: Could not process image'),
      ],
      'unknown model': [404, claude('not_found_error', 'model: m')],
    },
  },
  {
    providerKey: 'google',
    root: '',
    ownDialect: 'gemini',
    ...sse,
    announcement: { responseId: 'r', usageMetadata: { promptTokenCount: 7, totalTokenCount: 7 } },
    opening: { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hi' }] } }] },
    errors: {
      'context overflow': [
        400,
        google(
          400,
          'INVALID_ARGUMENT',
          'The input token count (9001) exceeds the maximum number of tokens allowed (8192).',
        ),
      ],
      'rate limit': [429, google(429, 'RESOURCE_EXHAUSTED', 'Slow down')],
      overload: [503, google(503, 'UNAVAILABLE', 'The model is overloaded.')],
      'content policy': [400, google(400, 'INVALID_ARGUMENT', 'The prompt contains prohibited content.')],
      'invalid image': [400, google(400, 'INVALID_ARGUMENT', 'Unable to process input image.')],
      'unknown model': [404, google(404, 'NOT_FOUND', 'models/m is not found for API version v1beta')],
    },
  },
  {
    providerKey: 'cohere',
    root: '',
    ownDialect: null,
    ...sse,
    announcement: { type: 'message-start', id: 'c', delta: { message: { role: 'assistant' } } },
    opening: { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hi' } } } },
    errors: {
      'context overflow': [
        400,
        {
          message:
            'too many tokens: total number of tokens in the prompt cannot exceed 8192 - received 9001.',
        },
      ],
      'rate limit': [
        429,
        { message: 'You are using a Trial key, which is limited to 20 API calls / minute.' },
      ],
      overload: [503, { message: 'the model is over capacity' }],
      'content policy': [400, { message: 'the request was blocked by our content filter' }],
      'invalid image': [400, { message: 'invalid image: could not be decoded' }],
      'unknown model': [404, { message: "model 'm' not found, make sure the correct model ID was used" }],
    },
  },
  {
    providerKey: 'ollama',
    root: '',
    ownDialect: null,
    streamType: 'application/x-ndjson',
    frame: (event) => `${JSON.stringify(event)}\n`,
    announcement: { model: 'm', message: { role: 'assistant', content: '' }, done: false },
    opening: { model: 'm', message: { role: 'assistant', content: 'Hi' }, done: false },
    errors: {
      'context overflow': [400, { error: 'prompt too long: 9001 tokens; max context length 8192' }],
      'rate limit': [429, { error: 'too many requests' }],
      overload: [503, { error: 'server busy, please try again. maximum pending requests exceeded' }],
      'content policy': [400, { error: 'the prompt violates the usage policy' }],
      'invalid image': [400, { error: 'illegal base64 data at input byte 4' }],
      'unknown model': [404, { error: "model 'm' not found" }],
    },
  },
];

interface ExpectedError {
  readonly openai: readonly string[];
  readonly anthropic: string;
  readonly google: string;
  readonly status: number;
}

const expectedErrors: Readonly<Record<ErrorKind, ExpectedError>> = {
  'context overflow': {
    openai: ['context_length_exceeded'],
    anthropic: 'invalid_request_error',
    google: 'INVALID_ARGUMENT',
    status: 400,
  },
  'rate limit': {
    openai: ['rate_limit_exceeded'],
    anthropic: 'rate_limit_error',
    google: 'RESOURCE_EXHAUSTED',
    status: 429,
  },
  overload: {
    openai: ['server_is_overloaded'],
    anthropic: 'overloaded_error',
    google: 'UNAVAILABLE',
    status: 502,
  },
  'content policy': {
    openai: ['content_policy_violation', 'content_filter'],
    anthropic: 'invalid_request_error',
    google: 'INVALID_ARGUMENT',
    status: 400,
  },
  'invalid image': {
    openai: ['invalid_image', 'invalid_image_format'],
    anthropic: 'invalid_request_error',
    google: 'INVALID_ARGUMENT',
    status: 400,
  },
  'unknown model': {
    openai: ['model_not_found'],
    anthropic: 'not_found_error',
    google: 'NOT_FOUND',
    status: 404,
  },
};

const words: Readonly<Record<Dialect, RegExp>> = {
  'openai-chat': /maximum context length is 8192 tokens.*9001/,
  'openai-responses': /maximum context length is 8192 tokens.*9001/,
  'anthropic-messages': /^prompt is too long: 9001 tokens > 8192 maximum$/,
  gemini: /^The input token count \(9001\) exceeds the maximum number of tokens allowed \(8192\)\.$/,
};

let gateway: TestGateway;
let scripted: ScriptedProvider;
beforeAll(async () => {
  scripted = await startScriptedProvider();
  gateway = await startGateway({
    timeouts: { retriesMax: 0 },
    seed: async (seed) => {
      for (const { providerKey, root, model = 'm' } of vendors)
        await seed.addInstance({
          name: providerKey,
          providerKey,
          models: [model],
          endpoint: `${scripted.origin}${root}`,
        });
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await scripted.close();
});

async function call(dialect: Dialect, vendor: Vendor, stream: boolean): Promise<Response> {
  const { path, body } = dialects[dialect]({
    model: `${vendor.providerKey}/${vendor.model ?? 'm'}`,
    stream,
    content: 'Say hello',
  });
  return fetch(`${gateway.origin}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

interface ReadError {
  readonly message: string;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly status?: unknown;
}

function expectError(dialect: Dialect, errorKind: ErrorKind, error: ReadError): void {
  const { anthropic, google: status, openai: codes } = expectedErrors[errorKind];
  if (dialect === 'anthropic-messages') expect(error.type).toBe(anthropic);
  else if (dialect === 'gemini') expect(error.status).toBe(status);
  else expect(codes).toContain(error.code);
  if (errorKind === 'context overflow') expect(error.message).toMatch(words[dialect]);
}

function failWith({ errors, providerKey }: Vendor, errorKind: ErrorKind): object {
  const [, body] = errors[errorKind];
  if (providerKey === 'cohere') return { type: 'error', ...body };
  return providerKey === 'openai'
    ? { type: 'response.failed', response: { id: 'resp_1', status: 'failed', output: [], ...body } }
    : body;
}

const lastEvent = (text: string) =>
  JSON.parse(
    text
      .trim()
      .split(/\n/)
      .findLast((line) => line.startsWith('data: '))
      ?.slice(6) ?? '',
  );
const product = vendors.flatMap((vendor) =>
  dialectNames.flatMap((dialect) =>
    errorKinds.map((errorKind) => ({ vendor, dialect, errorKind, ...vendor })),
  ),
);

describe('errors of providers', () => {
  it.each(product)(
    '$errorKind of $providerKey keeps its meaning for a caller of $dialect',
    async ({ vendor, dialect, errorKind }) => {
      const [status, body] = vendor.errors[errorKind];
      scripted.script = answerWith(status, JSON.stringify(body));
      for (const stream of [false, true]) {
        const answer = await call(dialect, vendor, stream);
        expect(answer.status).toBe(expectedErrors[errorKind].status);
        expectError(dialect, errorKind, JSON.parse(await answer.text()).error);
      }
    },
  );

  it.each(product)(
    '$errorKind in a stream of $providerKey keeps its meaning for a caller of $dialect',
    async ({ vendor, dialect, errorKind }) => {
      const error = failWith(vendor, errorKind);
      scripted.script = answerWith(200, vendor.frame(vendor.opening) + vendor.frame(error), {
        'content-type': vendor.streamType,
      });
      const answer = await call(dialect, vendor, true);
      expect(answer.status).toBe(200);
      const event = lastEvent(await answer.text());
      if (dialect === vendor.ownDialect) expect(event).toEqual(error);
      else expectError(dialect, errorKind, event.response?.error ?? event.error);
    },
  );

  it.each(product.filter(({ dialect, vendor }) => dialect !== vendor.ownDialect))(
    '$errorKind right after the first event of a stream of $providerKey is an HTTP error for a caller of $dialect',
    async ({ vendor, dialect, errorKind }) => {
      const { announcement, frame, streamType } = vendor;
      const stream = frame(announcement) + frame(failWith(vendor, errorKind));
      scripted.script = answerWith(200, stream, { 'content-type': streamType });
      const answer = await call(dialect, vendor, true);
      expect(answer.status).toBe(expectedErrors[errorKind].status);
      expectError(dialect, errorKind, JSON.parse(await answer.text()).error);
    },
  );

  const vague: Readonly<Record<string, object>> = {
    openai: openai('context_length_exceeded', 'Please reduce the length of the messages or completion.'),
    custom: openai(null, 'Prompt exceeds max length'),
    anthropic: claude('invalid_request_error', 'Input is too long for requested model.'),
    google: google(400, 'INVALID_ARGUMENT', 'The prompt is too long for this model.'),
    cohere: { message: 'too many tokens: size limit exceeded by 11326 tokens. Try using shorter inputs' },
    ollama: { error: 'prompt too long; exceeded max context length by 1200 tokens' },
  };
  const vagueWords: Readonly<Record<Dialect, RegExp>> = {
    'openai-chat': /exceeds the context window of this model.* reduce the length of the messages/,
    'openai-responses': /exceeds the context window of this model.* reduce the length of the messages/,
    'anthropic-messages': /^prompt is too long(: \d+ tokens)?$/,
    gemini: /^The input token count( \(\d+\))? exceeds the maximum number of tokens allowed\.$/,
  };

  it.each(vendors.flatMap((vendor) => dialectNames.map((dialect) => ({ vendor, dialect, ...vendor }))))(
    'a context overflow without sizes at $providerKey names no maximum to a caller of $dialect',
    async ({ vendor, dialect, providerKey }) => {
      const body = vague[providerKey];
      scripted.script = answerWith(400, JSON.stringify(body));
      const answer = await call(dialect, vendor, false);
      const { error } = JSON.parse(await answer.text());
      expect(answer.status).toBe(400);
      const isOwn = dialect === vendor.ownDialect;
      if (dialect.startsWith('openai')) {
        expect(error.code).toBe('context_length_exceeded');
        if (isOwn) expect(error.message).toBe(Reflect.get(Reflect.get(body ?? {}, 'error'), 'message'));
        else expect(error.message).toMatch(vagueWords[dialect]);
      } else expect(error.message).toMatch(vagueWords[dialect]);
    },
  );
});
