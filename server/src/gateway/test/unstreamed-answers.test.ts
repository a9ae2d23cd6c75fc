import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import type { Finish } from '#protocols/canonical/response.ts';
import type { StreamEvent } from '#protocols/canonical/stream-event.ts';
import { protocols } from '#protocols/registry.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { itSampled } from '#test/load/sample.ts';
import { replayStream } from '#test/providers/replay-stream.ts';
import {
  answerStream,
  answerWith,
  cohereText,
  completionText,
  generatedText,
  messageText,
  responseText,
  type Script,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import { dialectNames, dialects } from '#test/requests/dialects.ts';
import { collectAnswer, summarize } from '#test/requests/through-callers.ts';

interface Vendor {
  readonly model: string;
  readonly path: string;
  readonly whole: string;
  readonly error: string;
  readonly failing: string;
}

const frame = (data: string, event?: string) => `${event ? `event: ${event}\n` : ''}data: ${data}\n\n`;
const chatError = '{"error":{"message":"Slow down","code":429,"type":"rate_limit"}}';
const claudeError = '{"type":"error","error":{"type":"rate_limit_error","message":"Slow down"}}';
const googleError = '{"error":{"code":429,"message":"Slow down","status":"RESOURCE_EXHAUSTED"}}';
const failedResponse =
  '{"id":"resp_1","object":"response","status":"failed","output":[],"error":{"code":"rate_limit_exceeded","message":"Slow down"}}';

const vendors = {
  vllm: {
    model: 'qwen3',
    path: '/v1',
    whole: completionText,
    error: chatError,
    failing: frame(chatError),
  },
  openai: {
    model: 'gpt-5.1-codex',
    path: '/v1',
    whole: responseText,
    error: failedResponse,
    failing: frame(
      `{"type":"response.failed","sequence_number":0,"response":${failedResponse}}`,
      'response.failed',
    ),
  },
  anthropic: {
    model: 'claude-sonnet-5',
    path: '',
    whole: messageText,
    error: claudeError,
    failing: frame(claudeError, 'error'),
  },
  google: {
    model: 'gemini-3-pro-preview',
    path: '',
    whole: generatedText,
    error: googleError,
    failing: frame(googleError),
  },
} satisfies Record<string, Vendor>;
type VendorKey = keyof typeof vendors;
const vendorKeys = Object.keys(vendors) as VendorKey[]; // safe because the keys are those of the table

let provider: ScriptedProvider;
let gateway: TestGateway;
beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startGateway({
    async seed(seed) {
      for (const [key, { model, path }] of [...Object.entries(vendors), cohere])
        await seed.addInstance({
          name: key,
          providerKey: key,
          models: [model],
          endpoint: provider.origin + path,
        });
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const cohere = ['cohere', { model: 'command-r', path: '' }] as const;

type Dialect = (typeof dialectNames)[number];

async function ask(dialect: Dialect, model: string, script: Script, stream = true) {
  provider.script = script;
  const { path, body } = dialects[dialect]({ model, stream, content: 'Hello' });
  const isChat = dialect === 'openai-chat' && stream;
  const answer = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, ...(isChat && { stream_options: { include_usage: true } }) }),
  });
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    warning: answer.headers.get('x-sluice-warning'),
    bytes: Buffer.from(await answer.arrayBuffer()),
    row: await gateway.waitForRow(answer.headers.get('x-request-id') ?? ''),
  };
}

/**
 * Responds in the protocol of the requested path, since OpenAI's models are called through either of OpenAI's two
 * protocols.
 */
const answerByPath =
  (key: VendorKey, field: 'whole' | 'error' | 'failing', answer: (text: string) => Script): Script =>
  (response, call) =>
    answer(call.path.endsWith('/chat/completions') ? vendors.vllm[field] : vendors[key][field])(
      response,
      call,
    );

const nameOf = (key: VendorKey) => `${key}/${vendors[key].model}`;

const eventsOf = (dialect: ProtocolId, bytes: Buffer): StreamEvent[] =>
  replayStream(protocols[dialect].provider, bytes);

const pairs = dialectNames.flatMap((dialect) => vendorKeys.map((key) => ({ dialect, key })));

describe('providers that ignore `stream`', () => {
  itSampled(3).each(pairs)(
    'a streaming $dialect caller receives the whole response of $key as a stream',
    async ({ dialect, key }) => {
      for (const type of ['application/json', 'Application/JSON; charset=utf-8']) {
        const script = answerByPath(key, 'whole', (text) => answerWith(200, text, { 'content-type': type }));
        const { row, ...answer } = await ask(dialect, nameOf(key), script);
        expect([answer.status, answer.type, answer.warning]).toEqual([
          200,
          'text/event-stream; charset=utf-8',
          'stream',
        ]);
        expect(summarize(collectAnswer(eventsOf(dialect, answer.bytes)))).toMatchObject({
          usage: { inputTokens: 2, outputTokens: 1 },
          choices: [{ reason: 'stop', text: 'Hello' }],
        });
        expect(row).toMatchObject({
          status: 'success',
          response: 'Hello',
          prompt_tokens: 2,
          completion_tokens: 1,
          usage_source: 'provider',
        });
      }
    },
  );

  it.each(dialectNames)(
    'a streaming %s caller receives the whole response of Cohere as a stream',
    async (dialect) => {
      const { bytes } = await ask(dialect, 'cohere/command-r', answerWith(200, cohereText));
      expect(summarize(collectAnswer(eventsOf(dialect, bytes)))).toMatchObject({
        choices: [{ reason: 'stop', text: 'Hello' }],
      });
    },
  );

  it.each(pairs)(
    'a streaming $dialect caller receives a JSON error of $key like a non-streaming caller',
    async ({ dialect, key }) => {
      const script = answerByPath(key, 'error', (text) => answerWith(200, text));
      const whole = await ask(dialect, nameOf(key), script, false);
      const streamed = await ask(dialect, nameOf(key), script);
      expect([streamed.status, streamed.row.error_code]).toEqual([429, 'rate_limited']);
      expect(whole.row.error_code).toBe('rate_limited');
      expect(streamed.bytes.toString()).toContain('Slow down');
    },
  );
});

describe('providers that ignore `stream` and take long', () => {
  let slow: TestGateway;
  beforeAll(async () => {
    slow = await startGateway({
      timeouts: { keepAliveMs: 40 },
      seed: (seed) => seed.addInstance({ name: 'vllm', models: ['m'], endpoint: `${provider.origin}/v1` }),
    });
  });
  afterAll(() => slow.stop());

  const failed = { choices: [{ index: 0, message: { content: 'Hel' }, finish_reason: 'error' }] };
  it.each<[name: string, body: string, expected: RegExp]>([
    ['a response', completionText, /"content":"Hello".*\[DONE\]/s],
    ['an error', chatError, /"error":\{"message":".*Slow down"/],
    ['a failed response', JSON.stringify(failed), /"error":\{"message":/],
  ])('%s after keep-alive comments is sent within the stream', async (_, body, expected) => {
    const silent = Promise.withResolvers<void>();
    provider.script = (response, call) => silent.promise.then(() => answerWith(200, body)(response, call));
    const answer = await slow.complete({ model: 'm', stream: true });
    silent.resolve();
    const text = await answer.text();
    expect(text).toMatch(/^: keep-alive\n\n/);
    expect(text).toMatch(expected);
  });
});

describe('errors that a provider reports before any output', () => {
  it.each(pairs)(
    'an error of $key at the start of a stream is not charged to a caller of $dialect (C7)',
    async ({ dialect, key }) => {
      const { row } = await ask(dialect, nameOf(key), answerByPath(key, 'failing', answerStream));
      expect(row).toMatchObject({
        status: 'error',
        error_code: 'rate_limited',
        prompt_tokens: 0,
        completion_tokens: 0,
        usage_source: 'none',
      });
    },
  );
});

describe('streams of OpenAI-compatible servers', () => {
  const delta = frame('{"id":"c","choices":[{"index":0,"delta":{"content":"Hello"}}]}');
  const call = frame(
    '{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}}]}',
  );
  const finish = frame('{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}');
  const usage = frame('{"id":"c","choices":[],"usage":{"prompt_tokens":2,"completion_tokens":1}}');
  const done = frame('[DONE]');

  it.each([
    'data:\n\n',
    'data\n\n',
    'data: \n\n',
    'data:  \t\n\n',
    'event: ping\ndata:\n\n',
    'data:\ndata:\n\n',
  ])('empty events such as %j are skipped at every position', async (empty) => {
    const stream = [delta, finish, usage, done].map((each) => empty + each).join('') + empty;
    for (const dialect of dialectNames) {
      const { bytes, row } = await ask(dialect, nameOf('vllm'), answerStream(stream));
      expect(bytes.toString()).not.toMatch(/^data:?\s*$/m);
      expect(collectAnswer(eventsOf(dialect, bytes)).choices).toMatchObject([{ parts: [{ text: 'Hello' }] }]);
      expect(row).toMatchObject({ status: 'success', prompt_tokens: 2, completion_tokens: 1 });
    }
  });

  it.each<[name: string, stream: string, reason: Finish['reason']]>([
    ['text', delta + usage + done, 'stop'],
    ['a tool call', call + usage + done, 'tool-calls'],
    ['text and a tool call', delta + call + done, 'tool-calls'],
  ])('a stream of %s without a finish reason gets one', async (_, stream, reason) => {
    for (const dialect of dialectNames.filter((each) => each !== 'openai-chat')) {
      const { bytes } = await ask(dialect, nameOf('vllm'), answerStream(stream));
      const finishes = eventsOf(dialect, bytes).filter((event) => event.type === 'finish');
      expect(finishes.map(({ finish: { reason: given } }) => given)).toEqual([reason]);
    }
  });

  it.each(['text/event-stream', 'Text/Event-Stream', 'TEXT/EVENT-STREAM;CHARSET=UTF-8'])(
    'the media type %s is accepted as a stream',
    async (type) => {
      const { status } = await ask(
        'openai-chat',
        nameOf('vllm'),
        answerWith(200, delta + finish + done, { 'content-type': type }),
      );
      expect(status).toBe(200);
    },
  );
});
