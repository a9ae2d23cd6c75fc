import { ApiError, GoogleGenAI } from '@google/genai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  answerStream,
  answerWith,
  generatedText,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

let provider: ScriptedProvider;
let gateway: TestGateway;
let client: GoogleGenAI;
beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startGateway({
    async seed(seed) {
      await seed.addInstance({ name: 'lab', models: ['sandbox-normal:tokens=30,interval_ms=2'] });
      await seed.addInstance({
        name: 'google',
        providerKey: 'google',
        providerApiKey: 'the-provider-key',
        models: ['gemini-x'],
        aliases: { best: 'gemini-x' },
        endpoint: provider.origin,
      });
    },
  });
  client = createClient(gateway.apiKey);
});
beforeEach(() => {
  provider.calls.length = 0;
  provider.script = answerWith(200, generatedText);
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const createClient = (apiKey: string) =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: `${gateway.origin}/api` } });
const sandboxModel = 'sandbox-normal:tokens=30,interval_ms=2';
const contents = 'Write about rivers';
const failureOf = async (call: Promise<unknown>) => {
  const error = await call.catch((reason: unknown) => reason);
  if (error instanceof ApiError) return error;
  throw new Error(`it did not fail as an API does: ${error}`);
};

const piece = (text: string, more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...more }],
  usageMetadata: { promptTokenCount: 2, candidatesTokenCount: 1, totalTokenCount: 3 },
});
const pieces = [piece('Hel'), piece('lo', { finishReason: 'STOP' })];
const events = pieces.map((data) => `data: ${JSON.stringify(data)}\r\n\r\n`).join('');

describe('Google client', () => {
  it('Google client gets a response from a provider of another protocol', async () => {
    const answer = await client.models.generateContent({ model: sandboxModel, contents });
    expect(answer.text).toMatch(/^\w.{20,}/);
    expect(answer.usageMetadata?.candidatesTokenCount).toBe(30);
    const streamed = await Array.fromAsync(
      await client.models.generateContentStream({ model: sandboxModel, contents }),
    );
    expect(streamed.map(({ text }) => text ?? '').join('')).toBe(answer.text);
  });

  it("Google client reaches a provider of its protocol with its own fields and the instance's key", async () => {
    const answer = await client.models.generateContent({
      model: 'best',
      contents,
      config: { maxOutputTokens: 50 },
    });
    expect(answer.text).toBe('Hello');
    const [call] = provider.calls;
    expect(call?.path).toBe('/v1beta/models/gemini-x:generateContent');
    expect(call?.headers['x-goog-api-key']).toBe('the-provider-key');
    expect(JSON.parse(call?.body.toString() ?? '')).toEqual({
      contents: [{ role: 'user', parts: [{ text: contents }] }],
      generationConfig: { maxOutputTokens: 50 },
    });
  });

  it('Google client streams from a provider of its protocol', async () => {
    provider.script = answerStream(events);
    const streamed = await Array.fromAsync(
      await client.models.generateContentStream({ model: 'gemini-x', contents }),
    );
    expect(streamed.map(({ text }) => text)).toEqual(['Hel', 'lo']);
    expect(provider.calls[0]?.path).toBe('/v1beta/models/gemini-x:streamGenerateContent?alt=sse');
  });

  it("Google client gets the provider's token count, otherwise an upper estimate", async () => {
    provider.script = answerWith(200, '{"totalTokens":41}');
    expect((await client.models.countTokens({ model: 'best', contents })).totalTokens).toBe(41);
    expect(provider.calls[0]?.path).toBe('/v1beta/models/gemini-x:countTokens');
    const estimate = await client.models.countTokens({ model: sandboxModel, contents: 'word '.repeat(500) });
    expect(estimate.totalTokens).toBeGreaterThanOrEqual(500);
  });

  it('Google client lists the names that a request may use, in pages', async () => {
    const pager = await client.models.list({ config: { pageSize: 1 } });
    const names = await Array.fromAsync(pager, ({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['models/gemini-x', 'models/best', `models/${sandboxModel}`]),
    );
    expect(new Set(names).size).toBe(names.length);
    expect((await client.models.get({ model: 'best' })).displayName).toBe('best');
  });

  it.each([
    ['an unknown model', () => client.models.generateContent({ model: 'nobody', contents }), 404],
    [
      'an output cap of 0',
      () => client.models.generateContent({ model: 'gemini-x', contents, config: { maxOutputTokens: 0 } }),
      400,
    ],
    ['an invalid key', () => createClient('slc_x').models.generateContent({ model: 'm', contents }), 401],
    ['the lookup of an unknown model', () => client.models.get({ model: 'nobody' }), 404],
  ])('Google client reads the error for %s', async (_, call, status) => {
    expect((await failureOf(call())).status).toBe(status);
  });
});

describe('stream of generated content', () => {
  const stream = (model: string, query: string) =>
    fetch(`${gateway.origin}/api/v1beta/models/${encodeURIComponent(model)}:streamGenerateContent${query}`, {
      method: 'POST',
      headers: { 'x-goog-api-key': gateway.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: contents }] }] }),
    });

  it('a generateContent stream passes unchanged to a caller that requests events', async () => {
    provider.script = answerStream(events);
    const answer = await stream('gemini-x', '?alt=sse');
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    expect(await answer.text()).toBe(events);
  });

  it.each(['', '?alt=json'])(
    'a generateContent stream is a single array for a caller that does not request events (%j)',
    async (query) => {
      provider.script = answerStream(events);
      const answer = await stream('gemini-x', query);
      expect(answer.headers.get('content-type')).toContain('application/json');
      expect(await answer.json()).toEqual(pieces);
      expect(provider.calls[0]?.path).toContain('alt=sse');
      const translated = await (await stream(sandboxModel, query)).json();
      expect(translated).toEqual(
        expect.arrayContaining([expect.objectContaining({ candidates: expect.any(Array) })]),
      );
    },
  );

  it('a broken generateContent stream is an array that ends with the error', async () => {
    provider.script = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(events.slice(0, events.indexOf('\n\r\n') + 3), () => response.destroy());
    };
    const told = await (await stream('gemini-x', '')).json();
    expect(told).toEqual([pieces[0], { error: expect.objectContaining({ code: 502 }) }]);
  });
});

describe('key in the URL', () => {
  const generate = (version: string, query: string, headers: Record<string, string> = {}) =>
    fetch(`${gateway.origin}/api/${version}/models/gemini-x:generateContent${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ contents: [{ parts: [{ text: contents }] }] }),
    });

  it("a key in the URL is accepted from Google's callers and not forwarded", async () => {
    const answer = await generate('v1beta', `?key=${gateway.apiKey}&alt=json`);
    expect(answer.status).toBe(200);
    await gateway.waitForRow(answer.headers.get('x-request-id') ?? '');
    expect(JSON.stringify(provider.calls)).not.toContain(gateway.apiKey);
    expect(JSON.stringify(await gateway.readRows())).not.toContain(gateway.apiKey);
    expect(JSON.stringify(gateway.problems)).not.toContain(gateway.apiKey);
  });

  it('a key given twice in the URL is rejected, even if both are valid', async () => {
    const answer = await generate('v1beta', `?key=${gateway.apiKey}&key=${gateway.apiKey}`);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("The query parameter 'key' was sent more than once");
  });

  it.each(['?key=', '?key=slc_x', ''])(
    'an invalid or missing key in the URL is rejected: %j',
    async (query) => {
      expect((await generate('v1beta', query)).status).toBe(401);
    },
  );

  it('a key in a header takes precedence over one in the URL', async () => {
    const answer = await generate('v1beta', '?key=slc_leaked', { 'x-goog-api-key': gateway.apiKey });
    expect(answer.status).toBe(200);
    expect(JSON.stringify(provider.calls)).not.toContain('slc_leaked');
  });

  it('a key in the URL is ignored on other paths', async () => {
    for (const path of ['/api/v1/models', '/api/v1/models/gemini-x']) {
      const answer = await fetch(`${gateway.origin}${path}?key=${gateway.apiKey}`);
      expect([path, answer.status]).toEqual([path, 401]);
    }
  });
});
