import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hello, startGateway, type TestGateway } from '#test/console/gateway.ts';

const silentMaxMs = 100;
const comment = ': keep-alive\n\n';
const slow = 'sandbox-normal:tokens=4,interval_ms=250,first_byte_ms=500';
const failing = 'sandbox-error-500:first_byte_ms=500';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({
    timeouts: { keepAliveMs: silentMaxMs, retriesMax: 0 },
    seed: (seed) => seed.addInstance({ name: 'lab', models: [slow, failing], aliases: { slow, failing } }),
  });
});
afterAll(() => gateway.stop());

const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
const callers: Record<string, { path: string; body: object; word: RegExp }> = {
  'chat completions': { path: '/v1/chat/completions', body: { messages: hello }, word: /"content":"\w/ },
  messages: { path: '/v1/messages', body: { messages: hello, max_tokens: 50 }, word: /text_delta/ },
  responses: { path: '/v1/responses', body: { input: 'Hello' }, word: /output_text\.delta/ },
  Gemini: { path: '/v1beta/models/slow:streamGenerateContent?alt=sse', body: { contents }, word: /"text":/ },
};

async function stream(path: string, body: object, model = 'slow') {
  const response = await fetch(`${gateway.origin}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(path.includes('Generate') ? body : { model, stream: true, ...body }),
  });
  return { status: response.status, id: response.headers.get('x-request-id')!, text: await response.text() };
}

describe('keep-alive of silent streams', () => {
  it.each(Object.entries(callers))(
    'a silent stream in %s gets keep-alive comments before and after the first word',
    async (_, { path, body, word }) => {
      const { text } = await stream(path, body);
      const first = text.search(word);
      expect(first).toBeGreaterThan(0);
      expect(text.slice(0, first)).toContain(comment);
      expect(text.slice(first)).toContain(comment);
      for (const event of text.split('\n\n').filter(Boolean))
        expect(event).toMatch(/^(event|data|: keep-alive)/);
    },
  );

  it("a stream with keep-alive comments can be read by the vendors' clients", async () => {
    const { apiKey, origin } = gateway;
    const openai = new OpenAI({ apiKey, baseURL: `${origin}/api/v1`, maxRetries: 0 });
    const chat = await openai.chat.completions.create({
      model: 'slow',
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
    });
    expect(await Array.fromAsync(chat)).not.toEqual([]);
    const responses = await openai.responses.create({ model: 'slow', input: 'Hello', stream: true });
    expect((await Array.fromAsync(responses)).at(-1)?.type).toBe('response.completed');
    const anthropic = new Anthropic({ apiKey, baseURL: `${origin}/api`, maxRetries: 0 });
    const message = await anthropic.messages
      .stream({ model: 'slow', max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] })
      .finalMessage();
    expect(message.content).toMatchObject([{ type: 'text' }]);
    const google = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: `${origin}/api` } });
    const parts = await Array.fromAsync(
      await google.models.generateContentStream({ model: 'slow', contents: 'Hello' }),
    );
    expect(parts.map(({ text }) => text).join('')).not.toBe('');
  });

  it('a silent stream that fails contains the error, and its row records it', async () => {
    const { status, id, text } = await stream('/v1/chat/completions', { messages: hello }, 'failing');
    expect(status).toBe(200);
    expect(text).toContain(comment);
    const lastEvent = text.trimEnd().split('\n\n').at(-1);
    expect(lastEvent).toContain('"code":"upstream_error"');
    expect(await gateway.waitForRow(id)).toMatchObject({
      status: 'error',
      http_status: 200,
      error_code: 'upstream_error',
    });
  });

  it('a silent stream in a protocol without comments gets no keep-alive', async () => {
    const path = '/v1beta/models/slow:streamGenerateContent';
    const { text } = await stream(path, { contents });
    expect(JSON.parse(text)).not.toEqual([]);
  });
});
