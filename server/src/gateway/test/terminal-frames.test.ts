import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  answerStream,
  answerWith,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

const providerApiKey = 'canary.no.pattern.knows.it';
let provider: ScriptedProvider;
let gateway: TestGateway;
beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startGateway({
    async seed(seed) {
      const endpoint = `${provider.origin}/v1`;
      const common = { endpoint, providerApiKey };
      await seed.addInstance({ ...common, name: 'chat', providerKey: 'custom', models: ['chat-m'] });
      await seed.addInstance({ ...common, name: 'openai', providerKey: 'openai', models: ['gpt-m'] });
      await seed.addInstance({
        ...common,
        name: 'claude',
        providerKey: 'anthropic',
        models: ['claude-m'],
        endpoint: provider.origin,
      });
      await seed.addInstance({
        ...common,
        name: 'google',
        providerKey: 'google',
        models: ['gemini-m'],
        endpoint: provider.origin,
      });
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const messages = [{ role: 'user', content: 'Hello' }];
const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];

const dialects = {
  chat: (stream: boolean) => ({ path: '/v1/chat/completions', body: { model: 'chat-m', messages, stream } }),
  responses: (stream: boolean) => ({
    path: '/v1/responses',
    body: { model: 'gpt-m', input: 'Hello', stream },
  }),
  messages: (stream: boolean) => ({
    path: '/v1/messages',
    body: { model: 'claude-m', max_tokens: 90, messages, stream },
  }),
  gemini: (stream: boolean) => ({
    path: `/v1beta/models/gemini-m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: { contents },
  }),
} as const;
type Dialect = keyof typeof dialects;

async function ask(dialect: Dialect, stream: boolean) {
  const { path, body } = dialects[dialect](stream);
  const answer = await fetch(`${gateway.origin}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    text,
    row: await gateway.waitForRow(answer.headers.get('x-request-id') ?? ''),
  };
}

const frame = (event: Readonly<Record<string, unknown>>, name = event.type) =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(event)}\n\n`;
const response = { id: 'resp_0a', object: 'response', created_at: 5, model: 'gpt-m', output: [] };
const created = frame({
  type: 'response.created',
  sequence_number: 0,
  response: { ...response, status: 'in_progress' },
});
const textDelta = frame({
  type: 'response.output_text.delta',
  sequence_number: 41,
  output_index: 0,
  item_id: 'msg_1',
  delta: 'Hi',
});
const ended = (status: string, more: object) =>
  frame({
    type: `response.${status}`,
    sequence_number: 42,
    response: {
      ...response,
      status,
      usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 },
      ...more,
    },
  });
const chatDelta = frame({
  id: 'c',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta: { content: 'Hi' } }],
});
const messageStart =
  frame({
    type: 'message_start',
    message: { id: 'msg_1', model: 'claude-m', content: [], usage: { input_tokens: 7, output_tokens: 1 } },
  }) +
  frame({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
  frame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } });
const candidate = (fields: object) =>
  frame({
    responseId: 'r',
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hi' }] }, ...fields }],
  });

const terminals: readonly [name: string, dialect: Dialect, stream: string, row: object][] = [
  [
    'a context that is too long',
    'responses',
    created +
      ended('failed', {
        error: { code: 'context_length_exceeded', message: 'Your input exceeds the context window.' },
      }),
    {
      status: 'error',
      error_code: 'provider_rejected',
      error_message: expect.stringContaining('Your input exceeds'),
      prompt_tokens: 7,
      completion_tokens: 3,
    },
  ],
  [
    'a rate limit',
    'responses',
    created + textDelta + ended('failed', { error: { code: 'rate_limit_exceeded', message: 'Slow down.' } }),
    { status: 'error', error_code: 'rate_limited', error_message: expect.stringContaining('Slow down.') },
  ],
  [
    'an error event',
    'responses',
    created +
      textDelta +
      frame({
        type: 'error',
        sequence_number: 42,
        code: 'server_error',
        message: 'It broke.',
        param: null,
      }),
    { status: 'error', error_code: 'upstream_error', error_message: expect.stringContaining('It broke.') },
  ],
  [
    'an incomplete response',
    'responses',
    created + textDelta + ended('incomplete', { incomplete_details: { reason: 'max_output_tokens' } }),
    { status: 'success', completion_tokens: 3 },
  ],
  ['a completed response', 'responses', created + textDelta + ended('completed', {}), { status: 'success' }],
  [
    'an error chunk',
    'chat',
    chatDelta + frame({ error: { message: 'No capacity.', code: 503 } }),
    {
      status: 'error',
      error_code: 'upstream_overloaded',
      error_message: expect.stringContaining('No capacity.'),
    },
  ],
  [
    'an error chunk with a finish reason',
    'chat',
    chatDelta +
      frame({
        error: { message: 'It broke.', code: 502 },
        choices: [{ index: 0, delta: {}, finish_reason: 'error' }],
      }),
    { status: 'error', error_code: 'upstream_error', error_message: expect.stringContaining('It broke.') },
  ],
  [
    'the finish reason error',
    'chat',
    `${chatDelta}${frame({ choices: [{ index: 0, delta: {}, finish_reason: 'error' }] })}data: [DONE]\n\n`,
    { status: 'error', error_code: 'upstream_error', error_message: expect.stringContaining("'error'") },
  ],
  [
    'a named error event',
    'chat',
    chatDelta +
      frame(
        {
          error: { message: 'No tool was called.', type: 'invalid_request_error', code: 'tool_use_failed' },
        },
        'error',
      ),
    {
      status: 'error',
      error_code: 'provider_rejected',
      error_message: expect.stringContaining('No tool was called.'),
    },
  ],
  [
    'an error event',
    'messages',
    messageStart + frame({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    {
      status: 'error',
      error_code: 'upstream_overloaded',
      error_message: expect.stringContaining('Overloaded'),
    },
  ],
  [
    'an error event',
    'gemini',
    candidate({}) + frame({ error: { code: 429, message: 'Quota.', status: 'RESOURCE_EXHAUSTED' } }),
    { status: 'error', error_code: 'rate_limited', error_message: expect.stringContaining('Quota.') },
  ],
  [
    'a malformed call',
    'gemini',
    candidate({}) + candidate({ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'print(f' }),
    {
      status: 'error',
      error_code: 'upstream_error',
      error_message: expect.stringContaining('MALFORMED_FUNCTION_CALL'),
    },
  ],
];

describe('terminal frames', () => {
  it.each(terminals)('%s of %s passes byte for byte and ends the row', async (_, dialect, stream, row) => {
    provider.script = answerStream(stream);
    const answer = await ask(dialect, true);
    expect([answer.status, answer.text]).toEqual([200, stream]);
    expect(answer.row).toMatchObject({ http_status: 200, ...row });
  });

  it.each<[dialect: Dialect, begun: string, end: object]>([
    ['chat', chatDelta, { error: { code: 'upstream_error' } }],
    [
      'responses',
      created + textDelta,
      {
        type: 'response.failed',
        sequence_number: 43,
        response: {
          id: 'resp_0a',
          object: 'response',
          created_at: 5,
          status: 'failed',
          error: { code: 'server_error' },
        },
      },
    ],
    ['messages', messageStart, { type: 'error', error: { type: 'api_error' } }],
    ['gemini', candidate({}), { error: { code: 502 } }],
  ])("a stream of %s that is cut ends with its dialect's terminal frames", async (dialect, begun, end) => {
    provider.script = answerStream(begun);
    const { text, row } = await ask(dialect, true);
    expect(text.startsWith(begun)).toBe(true);
    const frames = text.slice(begun.length).split('\n\n').filter(Boolean);
    // The OpenAI SDK fails only at an `error` event.
    expect(frames).toHaveLength(dialect === 'responses' ? 2 : 1);
    const last = frames.at(-1) ?? '';
    expect(JSON.parse(last.slice(last.indexOf('{')))).toMatchObject(end);
    expect(row).toMatchObject({ status: 'error', error_code: 'upstream_error' });
  });

  it.each<[dialect: Dialect, subject: string, stream: string]>([
    [
      'chat',
      'key, which it repeats',
      chatDelta + frame({ error: { message: `${providerApiKey} is out`, code: 500 } }),
    ],
    [
      'chat',
      'invalid key',
      chatDelta + frame({ error: { message: 'Incorrect API key provided: abc', code: 401 } }),
    ],
    [
      'messages',
      'invalid key',
      messageStart + frame({ type: 'error', error: { type: 'authentication_error', message: 'Bad abc' } }),
    ],
    [
      'responses',
      'used-up quota',
      created + ended('failed', { error: { code: 'insufficient_quota', message: 'Buy more abc' } }),
    ],
  ])("an error of %s about the gateway's %s is replaced", async (dialect, _, stream) => {
    provider.script = answerStream(stream);
    const { text } = await ask(dialect, true);
    expect(text).not.toContain('canary');
    expect(text).not.toContain('abc');
    expect(text).toMatch(
      /provider_auth_failed|provider_out_of_credit|refused the gateway's key|has no credit|redacted/,
    );
  });
});

describe('failures inside a whole 200', () => {
  const chat = (fields: object) => JSON.stringify({ id: 'c', created: 1, model: 'm', ...fields });
  it.each<[name: string, dialect: Dialect, body: string, row: object]>([
    [
      'a failed response',
      'responses',
      JSON.stringify({
        ...response,
        status: 'failed',
        error: { code: 'server_error', message: 'It broke.' },
        usage: null,
      }),
      { error_code: 'upstream_error' },
    ],
    [
      'the finish reason error',
      'chat',
      chat({ choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'error' }] }),
      { error_code: 'upstream_error' },
    ],
    [
      'a malformed call',
      'gemini',
      JSON.stringify({ candidates: [{ content: {}, finishReason: 'MALFORMED_FUNCTION_CALL' }] }),
      { error_code: 'upstream_error' },
    ],
  ])('%s of %s passes unchanged and ends the row', async (_, dialect, body, row) => {
    provider.script = answerWith(200, body);
    const answer = await ask(dialect, false);
    expect([answer.status, answer.text]).toEqual([200, body]);
    expect(answer.row).toMatchObject({ status: 'error', http_status: 200, ...row });
  });

  const codes = [
    [402, 502, 'provider_out_of_credit'],
    [404, 404, 'provider_rejected'],
    [429, 429, 'rate_limited'],
    [503, 502, 'upstream_overloaded'],
  ] as const;
  it.each(
    codes.flatMap(([code, status, name]) => [false, true].map((stream) => ({ code, status, name, stream }))),
  )(
    'an error body with the code $code becomes the status $status (streaming: $stream)',
    async ({ code, status, name, stream }) => {
      const body = JSON.stringify({ error: { message: 'Sorry.', code } });
      provider.script = stream ? answerStream(`data: ${body}\n\n`) : answerWith(200, body);
      const answer = await ask('chat', stream);
      expect(answer.status).toBe(status);
      expect(answer.row).toMatchObject({ status: 'error', error_code: name, http_status: status });
    },
  );
});
