import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StreamEvent } from '#protocols/canonical/stream-event.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { leaveMidAnswer } from '#test/load/leaving-caller.ts';
import { addPlainVendor } from '#test/providers/plain-protocol.ts';
import {
  answerWith,
  type Script,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import { readError, readEvents } from '#test/requests/answers.ts';
import { frameBytesMax } from '#upstream/sse.ts';

let provider: ScriptedProvider;
let gateway: TestGateway;
beforeAll(() => addPlainVendor('lines', 'ollama', 'ndjson'));
beforeAll(() => addPlainVendor('events', 'gemini', 'sse'));
beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startGateway({
    timeouts: { streaming: { connectMs: 2_000, firstByteMs: 2_000, idleMs: 2_000, totalMs: 60_000 } },
    async seed(seed) {
      const endpoint = `${provider.origin}/v1`;
      for (const providerKey of ['lines', 'events'])
        await seed.addInstance({ name: providerKey, providerKey, models: ['m'], endpoint });
    },
  });
});
beforeEach(() => {
  provider.calls.length = 0;
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const kinds = ['lines', 'events'] as const;
type Kind = (typeof kinds)[number];
const contentTypes = { lines: 'application/x-ndjson', events: 'text/event-stream' };
const write = (kind: Kind, ...events: (StreamEvent[] | string)[]) =>
  events
    .map((event) => (typeof event === 'string' ? event : JSON.stringify(event)))
    .map((data) => (kind === 'lines' ? `${data}\n` : `data: ${data}\r\n\r\n`))
    .join('');

const start: StreamEvent = { type: 'start', id: 'plain-1', model: 'plain-7', createdAtSeconds: 5 };
const begin: StreamEvent = { type: 'text-start', choice: 0, block: 0 };
const say = (text: string): StreamEvent => ({ type: 'text-delta', choice: 0, block: 0, text });
const close: StreamEvent = { type: 'text-end', choice: 0, block: 0 };
const finish: StreamEvent = { type: 'finish', choice: 0, finish: { reason: 'stop', native: 'STOP' } };
const usage = (outputTokens: number): StreamEvent => ({
  type: 'usage',
  usage: { inputTokens: 7, cacheReadTokens: 2, cacheWriteTokens: 0, outputTokens, reasoningTokens: 0 },
});
const whole = [
  [start, begin, say('Hé')],
  [say('😀'), usage(1)],
  [close, finish],
  [usage(2)],
  [{ type: 'end' }],
] satisfies StreamEvent[][];

/** Returns a script that sends these bytes in small chunks, so that events and characters are split. */
const answerStream =
  (kind: Kind, bytes: string, { end = true, pieceBytes = 7 } = {}): Script =>
  async (response) => {
    response.writeHead(200, { 'content-type': contentTypes[kind] });
    const buffer = Buffer.from(bytes);
    for (let at = 0; at < buffer.length; at += pieceBytes) {
      const piece = buffer.subarray(at, at + pieceBytes);
      await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    }
    if (end) response.end();
  };

const call = async (kind: Kind, script: Script, more: object = {}) => {
  provider.script = script;
  const response = await gateway.complete({ model: `${kind}/m`, stream: true, ...more });
  return { response, row: () => gateway.waitForRow(response.headers.get('x-request-id') ?? '') };
};
const chunksOf = (events: string[]) =>
  events.filter((data) => data !== '[DONE]').map((data) => JSON.parse(data));
const textOf = (events: string[]) =>
  chunksOf(events)
    .map(({ choices }) => choices?.[0]?.delta.content ?? '')
    .join('');

describe.each(kinds)('translated streams of %s', (kind) => {
  it("a translated stream in chunks of 7 bytes is complete in the caller's protocol", async () => {
    const { response, row } = await call(kind, answerStream(kind, write(kind, ...whole)));
    expect(provider.calls[0]).toMatchObject({
      path: `/v1/${kind}/m/stream`,
      headers: { accept: contentTypes[kind] },
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const events = await readEvents(response);
    expect(events.at(-1)).toBe('[DONE]');
    expect(chunksOf(events)).toEqual(
      [
        [{ role: 'assistant', content: '' }, null],
        [{ content: 'Hé' }, null],
        [{ content: '😀' }, null],
        [{}, 'stop'],
      ].map(([delta, finish_reason]) => ({
        id: 'plain-1',
        object: 'chat.completion.chunk',
        created: 5,
        model: 'plain-7',
        choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      })),
    );
    expect(await row()).toMatchObject({
      status: 'success',
      http_status: 200,
      prompt_tokens: 9,
      cache_read_tokens: 2,
      completion_tokens: 2,
      usage_source: 'provider',
      response: 'Hé😀',
    });
  });

  it('a translated stream reports usage last, on request', async () => {
    const more = { stream_options: { include_usage: true } };
    const { response } = await call(kind, answerStream(kind, write(kind, ...whole)), more);
    const chunks = chunksOf(await readEvents(response));
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
  });

  it('a translated stream relays each piece while the next one is still being written', async () => {
    const more = Promise.withResolvers<void>();
    const { response } = await call(kind, async (answer) => {
      answer.writeHead(200, { 'content-type': contentTypes[kind] });
      answer.write(write(kind, [start, begin, say('first')]));
      await more.promise;
      answer.end(write(kind, [close, finish]));
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('first')) text += (await reader.read()).value ?? '';
    more.resolve();
    for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value;
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('a translated stream with all choices finished is complete even without an end marker', async () => {
    const { response, row } = await call(
      kind,
      answerStream(kind, write(kind, [start, begin, say('a'), close, finish])),
    );
    expect((await readEvents(response)).at(-1)).toBe('[DONE]');
    expect(await row()).toMatchObject({ status: 'success', usage_source: 'partial', completion_tokens: 1 });
  });

  it.each<[name: string, script: Script, code: string]>([
    ['ends too early', answerStream(kind, write(kind, [start, begin, say('a')])), 'upstream_error'],
    [
      'is cut',
      async (response, received) => {
        await answerStream(kind, write(kind, [start, begin, say('a')]), { end: false })(response, received);
        response.destroy();
      },
      'upstream_error',
    ],
    [
      'falls silent',
      answerStream(kind, write(kind, [start, begin, say('a')]), { end: false }),
      'upstream_timeout',
    ],
    [
      'reports an error',
      answerStream(
        kind,
        write(
          kind,
          [start, begin, say('a')],
          [{ type: 'error', code: 'rate_limited', message: 'slow down' }],
        ),
        { end: false },
      ),
      'rate_limited',
    ],
    [
      'contains an event that never ends',
      answerStream(kind, `${write(kind, [start, begin, say('a')])}data: ${'x'.repeat(frameBytesMax)}`, {
        pieceBytes: 1_048_576,
      }),
      'upstream_invalid_response',
    ],
  ])('a translated stream that %s ends with an error and without [DONE]', async (_, script, code) => {
    const { response, row } = await call(kind, script);
    const events = await readEvents(response);
    expect(response.status).toBe(200);
    expect(textOf(events)).toBe('a');
    expect(events).not.toContain('[DONE]');
    expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ error: { code } });
    expect(await row()).toMatchObject({
      status: 'error',
      http_status: 200,
      error_code: code,
      completion_tokens: 1,
      response: 'a',
    });
  });

  it.each<[name: string, script: Script, status: number]>([
    [
      'an error',
      answerStream(kind, write(kind, [{ type: 'error', code: 'upstream_overloaded', message: 'busy' }])),
      502,
    ],
    ['an announcement only', answerStream(kind, write(kind, [start], [usage(0)])), 502],
    ['nothing', answerStream(kind, ''), 502],
    ['a page', answerWith(200, '<html></html>', { 'content-type': 'text/html' }), 502],
    ['a refusal', answerWith(429, '{"say":"no"}'), 429],
  ])('a translated stream that starts with %s becomes an error status', async (_, script, status) => {
    const { response } = await call(kind, script);
    expect(response.status).toBe(status);
    expect((await readError(response)).message).toMatch(/\w/);
  });

  it('a translated stream sends warnings in the headers before its first event', async () => {
    const { response } = await call(kind, answerStream(kind, write(kind, ...whole)), { seed: 7 });
    expect(response.headers.get('x-sluice-warning')).toBe('seed');
    await response.text();
  });

  it('a translated stream whose caller disconnects is aborted at the provider and charged for its output', async () => {
    const hungUp = Promise.withResolvers<void>();
    provider.script = async (response, received) => {
      response.on('close', hungUp.resolve);
      await answerStream(kind, write(kind, [start, begin, say('some text')]), { end: false })(
        response,
        received,
      );
    };
    const clientRequestId = `left-a-stream-of-${kind}`;
    await leaveMidAnswer(gateway, { model: `${kind}/m`, stream: true }, clientRequestId, (text) =>
      text.includes('some text'),
    );
    await hungUp.promise;
    expect(await gateway.waitForRowOf(clientRequestId)).toMatchObject({
      status: 'client_closed',
      completion_tokens: 2,
      response: 'some text',
    });
  });
});

it('translated lines may end with CRLF, be empty, or lack the last line feed', async () => {
  const bytes = write('lines', ...whole).replaceAll('\n', '\r\n\n');
  const { response, row } = await call('lines', answerStream('lines', bytes.trimEnd()));
  expect((await readEvents(response)).at(-1)).toBe('[DONE]');
  expect(await row()).toMatchObject({ status: 'success', response: 'Hé😀' });
});

it('translated streams log no problems', () => {
  expect(gateway.problems).toEqual([]);
});
