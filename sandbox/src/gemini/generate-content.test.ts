import {
  ApiError,
  type Content,
  FunctionCallingConfigMode,
  type FunctionDeclaration,
  type GenerateContentConfig,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
  ThinkingLevel,
} from '@google/genai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countTokens } from '../generation/prompt.ts';
import { type Sandbox, startSandbox } from '../start.ts';
import { postJson } from '../testing/raw-http.ts';

let sandbox: Sandbox;
let client: GoogleGenAI;

beforeAll(async () => {
  sandbox = await startSandbox();
  const httpOptions = { baseUrl: sandbox.origin, retryOptions: { attempts: 1 } };
  client = new GoogleGenAI({ apiKey: 'sk-test', httpOptions });
});
afterAll(() => sandbox.close());

const weather: FunctionDeclaration = {
  name: 'weather',
  parametersJsonSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const clock: FunctionDeclaration = { name: 'clock' };
const tools = [{ functionDeclarations: [weather, clock] }];
const png = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };

interface Asked {
  model?: string;
  contents?: Content[] | string;
  config?: GenerateContentConfig;
}

/** Joins consecutive texts and removes the empty end. */
function joinParts(responses: GenerateContentResponse[]): Part[] {
  const joined: Part[] = [];
  for (const part of responses.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])) {
    const last = joined.at(-1);
    if (part.text === undefined || last?.text === undefined || last.thought !== part.thought)
      joined.push({ ...part });
    else Object.assign(last, part, { text: last.text + part.text });
  }
  return joined.filter(({ text, thoughtSignature }) => text !== '' || thoughtSignature);
}

const idless = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/\d{12}/g, ''));

/** Sends a request with and without streaming, and expects the same response. */
async function ask({ model = 'sandbox-normal', contents = 'Tell me about rivers', config = {} }: Asked = {}) {
  const request = { model, contents, config: { systemInstruction: 'Be brief.', ...config } };
  const whole = await client.models.generateContent(request);
  const stream = await Array.fromAsync(await client.models.generateContentStream(request));
  const candidate = whole.candidates?.[0];
  if (candidate?.content?.parts) expect(idless(joinParts(stream))).toEqual(idless(candidate.content.parts));
  expect(stream.at(-1)?.candidates?.[0]?.finishReason).toBe(candidate?.finishReason);
  expect(stream.at(-1)?.usageMetadata).toEqual(whole.usageMetadata);
  return whole;
}

test('generateContent returns a complete response with types and token counts, streamed or not', async () => {
  const response = await ask();
  expect(response).toMatchObject({
    candidates: [{ content: { role: 'model', parts: [{}] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 40, totalTokenCount: 47 },
    modelVersion: 'sandbox-normal',
    responseId: expect.any(String),
  });
  expect(countTokens(response.text ?? '')).toBe(40);
});

test('streamGenerateContent sends the usage so far with each part', async () => {
  const request = { model: 'sandbox-normal:tokens=3', contents: 'Hello' };
  const stream = await Array.fromAsync(await client.models.generateContentStream(request));
  expect(stream.map(({ usageMetadata: usage }) => usage?.candidatesTokenCount)).toEqual([1, 2, 3, 3]);
  expect(stream.map(({ candidates }) => candidates?.[0]?.finishReason)).toEqual([
    undefined,
    undefined,
    undefined,
    'STOP',
  ]);
});

test('generateContent ends the text at a limit or stop sequence', async () => {
  const cut = await ask({ config: { maxOutputTokens: 3 } });
  expect(cut).toMatchObject({
    candidates: [{ finishReason: 'MAX_TOKENS' }],
    usageMetadata: { candidatesTokenCount: 3 },
  });
  const echo = await ask({
    model: 'sandbox-echo',
    contents: 'one two, three',
    config: { stopSequences: [', th'] },
  });
  expect(echo.text).toBe('one two');
});

test('generateContent returns and bills all candidates', async () => {
  const { candidates, usageMetadata } = await client.models.generateContent({
    model: 'sandbox-normal',
    contents: 'Hello',
    config: { candidateCount: 2 },
  });
  expect(candidates?.map(({ index }) => index)).toEqual([0, 1]);
  expect(usageMetadata?.candidatesTokenCount).toBe(80);
});

test('generateContent calls several functions in parallel, one without arguments', async () => {
  const response = await ask({ model: 'sandbox-tools', config: { tools } });
  expect(response.candidates?.[0]).toMatchObject({
    finishReason: 'STOP',
    content: {
      parts: [
        { text: expect.any(String) },
        { functionCall: { name: 'weather', args: { city: 'text' } } },
        { functionCall: { name: 'clock', args: {} } },
      ],
    },
  });
});

test('generateContent calls a required function with sandbox-normal, and no function if calls are forbidden', async () => {
  const functionCallingConfig = { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: ['clock'] };
  const forced = await ask({ config: { tools, toolConfig: { functionCallingConfig } } });
  expect(forced.functionCalls).toMatchObject([{ name: 'clock', args: {} }]);
  const none = { functionCallingConfig: { mode: FunctionCallingConfigMode.NONE } };
  expect(
    (await ask({ model: 'sandbox-tool', config: { tools, toolConfig: none } })).functionCalls,
  ).toBeUndefined();
});

test('generateContent signs the first call after thinking and requires the unchanged signature in the next turn', async () => {
  const model = 'sandbox-tools:reasoning_tokens=6,preface_tokens=0';
  const config = { tools, thinkingConfig: { includeThoughts: true } };
  const first = await ask({ model, config });
  expect(first.usageMetadata).toMatchObject({ thoughtsTokenCount: 6, promptTokenCount: 7 });
  const [thought, signed, unsigned] = first.candidates?.[0]?.content?.parts ?? [];
  if (!thought || !signed || !unsigned) throw new Error('no thought or no calls');
  expect(countTokens(thought.text ?? '')).toBe(6);
  expect(signed).toMatchObject({
    functionCall: { id: expect.any(String) },
    thoughtSignature: expect.any(String),
  });
  expect(unsigned).not.toHaveProperty('thoughtSignature');

  const results = ['weather', 'clock'].map((name) => ({
    functionResponse: { name, response: { output: 'Sunny' } },
  }));
  const next = (...calls: Part[]) =>
    client.models.generateContent({
      model,
      config,
      contents: [
        { role: 'user', parts: [{ text: 'Hello' }] },
        { role: 'model', parts: calls },
        { role: 'user', parts: results },
      ],
    });
  expect((await next(thought, signed, unsigned)).candidates?.[0]?.finishReason).toBe('STOP');
  const { thoughtSignature, ...bare } = signed;
  const changes: [Part, RegExp][] = [
    [bare, /missing a thought_signature/],
    [{ ...signed, thoughtSignature: 'AAAA' }, /Corrupted thought signature/],
    [
      { functionCall: { name: 'weather', args: { city: 'Bern' } }, thoughtSignature },
      /Corrupted thought signature/,
    ],
  ];
  for (const [call, message] of changes) await expect(next(call, unsigned)).rejects.toThrow(message);
  const placeholder = { ...bare, thoughtSignature: btoa('skip_thought_signature_validator') };
  expect((await next(placeholder, unsigned)).candidates?.[0]?.finishReason).toBe('STOP');
});

test('generateContent bills hidden thinking and applies its limit', async () => {
  const silent = await ask({ model: 'sandbox-reasoning' });
  expect(silent.candidates?.[0]?.content?.parts).toMatchObject([
    { text: silent.text, thoughtSignature: expect.any(String) },
  ]);
  expect(silent.usageMetadata).toMatchObject({
    thoughtsTokenCount: 24,
    candidatesTokenCount: 40,
    totalTokenCount: 71,
  });
  const budget = await ask({ model: 'sandbox-reasoning', config: { thinkingConfig: { thinkingBudget: 5 } } });
  expect(budget.usageMetadata?.thoughtsTokenCount).toBe(5);
  const off = await ask({ model: 'sandbox-reasoning', config: { thinkingConfig: { thinkingBudget: 0 } } });
  expect(off.usageMetadata?.thoughtsTokenCount).toBeUndefined();
  const level = await ask({ config: { thinkingConfig: { thinkingLevel: ThinkingLevel.LOW } } });
  expect(level.usageMetadata?.thoughtsTokenCount).toBe(24);
  const cut = await ask({ model: 'sandbox-reasoning', config: { maxOutputTokens: 10 } });
  expect(cut).toMatchObject({
    candidates: [{ finishReason: 'MAX_TOKENS' }],
    usageMetadata: { thoughtsTokenCount: 10 },
  });
});

test('generateContent returns JSON on request, matching the schema if there is one', async () => {
  const responseMimeType = 'application/json';
  const responseSchema = {
    type: 'OBJECT',
    properties: { depth: { type: 'NUMBER', minimum: 2 } },
    required: ['depth'],
  };
  expect((await ask({ config: { responseMimeType, responseSchema } as GenerateContentConfig })).text).toBe(
    '{"depth":2}',
  );
  const { text } = await ask({ config: { responseMimeType } });
  expect(JSON.parse(text ?? '')).toEqual({ answer: expect.any(String) });
});

test('generateContent detects images next to user text and next to function results', async () => {
  const { text, usageMetadata } = await ask({ contents: [{ role: 'user', parts: [{ text: 'Look' }, png] }] });
  expect(text).toMatch(/^I see image\/png of 8 bytes\.\n/);
  expect(usageMetadata?.promptTokenCount).toBe(3 + 1 + 85);
  const afterFunction = await ask({
    contents: [
      { role: 'user', parts: [{ text: 'Look' }] },
      { role: 'model', parts: [{ functionCall: { name: 'clock' } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'clock', response: { output: 'Here' } } }, png] },
    ],
  });
  expect(afterFunction.text).toMatch(/^I see image\/png/);
});

test('generateContent includes tokens read from a cache in the input', async () => {
  const { usageMetadata } = await ask({ model: 'sandbox-normal:cached_tokens=5' });
  expect(usageMetadata).toMatchObject({ promptTokenCount: 7, cachedContentTokenCount: 5 });
});

test('generateContent returns filtered candidates without content, or no candidate at all', async () => {
  const refused = await ask({ model: 'sandbox-refusal' });
  expect(refused.candidates).toMatchObject([{ content: {}, finishReason: 'SAFETY' }]);
  const blocked = await ask({ model: 'sandbox-blocked' });
  expect(blocked.candidates).toBeUndefined();
  expect(blocked).toMatchObject({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } });
});

test('countTokens counts tokens without a response and free of charge', async () => {
  sandbox.journal.clear();
  const { totalTokens } = await client.models.countTokens({
    model: 'sandbox-normal',
    contents: 'Tell me more',
  });
  expect(totalTokens).toBe(3);
  expect(sandbox.journal.entries()).toMatchObject([{ operation: 'count_tokens', promptTokens: 0 }]);
});

test('streamGenerateContent journals the tokens of each response', async () => {
  sandbox.journal.clear();
  const request = {
    model: 'sandbox-tool:reasoning_tokens=6',
    contents: 'Hello',
    config: { tools: [{ functionDeclarations: [clock] }] },
  };
  await Array.fromAsync(await client.models.generateContentStream(request));
  expect(sandbox.journal.entries()).toMatchObject([
    {
      protocol: 'gemini',
      promptTokens: 1,
      completionTokens: 8,
      reasoningTokens: 6,
      frames: [
        { count: 1, tokensEach: 8 },
        { count: 1, tokensEach: 0 },
      ],
    },
  ]);
});

test('streamGenerateContent without server-sent events returns one list, including errors', async () => {
  const send = (model: string) =>
    postJson(
      `${sandbox.origin}/v1beta/models/${encodeURIComponent(model)}:streamGenerateContent?key=sk-test`,
      { contents: [{ parts: [{ text: 'Hello' }] }], generation_config: { max_output_tokens: 2 } },
      {},
    );
  const response = await send('sandbox-normal:tokens=3');
  expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8');
  expect(await response.json()).toMatchObject([{}, {}, { candidates: [{ finishReason: 'MAX_TOKENS' }] }]);
  expect(await (await send('sandbox-overloaded')).json()).toMatchObject([
    { error: { code: 503, status: 'UNAVAILABLE' } },
  ]);
});

test.each([
  ['sandbox-refuse-key', 400, 'API_KEY_INVALID'],
  ['sandbox-rate-limited', 429, '"retryDelay":"7s"'],
  ['sandbox-error-500', 500, 'INTERNAL'],
  ['sandbox-overloaded', 503, 'UNAVAILABLE'],
  ['sandbox-nothing', 404, 'NOT_FOUND'],
  ['sandbox-embedding', 404, 'NOT_FOUND'],
  ['sandbox-normal:tokens=x', 400, 'INVALID_ARGUMENT'],
])('generateContent rejects %s with an error that the client recognizes', async (model, status, part) => {
  for (const method of ['generateContent', 'generateContentStream'] as const) {
    const error = await client.models[method]({ model, contents: 'Hello' }).catch((reason) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status, message: expect.stringContaining(part) });
  }
});

test('generateContent accepts keys in a header or the URL and masks them', async () => {
  const url = `${sandbox.origin}/v1beta/models/sandbox-inspect:generateContent`;
  const body = { contents: [{ parts: [{ text: 'Hello' }] }] };
  expect((await postJson(url, body, {})).status).toBe(403);
  expect((await postJson(`${url}?key=sk-wrong`, body, {})).status).toBe(400);
  const text = await (
    await postJson(`${url}?key=sk-secret-9876`, body, { 'x-goog-api-key': 'sk-secret-5432' })
  ).text();
  expect(text).not.toContain('secret');
  const [candidate] = JSON.parse(text).candidates;
  expect(JSON.parse(candidate.content.parts[0].text)).toMatchObject({
    path: '/v1beta/models/sandbox-inspect:generateContent?key=****9876',
    headers: { 'x-goog-api-key': '****5432' },
  });
});

test('embedContent and batchEmbedContents return vectors', async () => {
  sandbox.journal.clear();
  const model = 'sandbox-embedding';
  const { embeddings } = await client.models.embedContent({ model, contents: ['rivers and gates', 'gates'] });
  expect(embeddings?.map(({ values }) => values?.length)).toEqual([256, 256]);
  const alone = await postJson(
    `${sandbox.origin}/v1beta/models/${model}:embedContent`,
    { content: { parts: [{ text: 'gates' }] }, outputDimensionality: 256 },
    { 'x-goog-api-key': 'sk-test' },
  );
  expect(await alone.json()).toEqual({ embedding: embeddings?.[1] });
  expect(sandbox.journal.entries()).toMatchObject([
    { protocol: 'gemini', operation: 'embed', promptTokens: 4 },
    { promptTokens: 1 },
  ]);
  const config = { outputDimensionality: 8 };
  const short = await client.models.embedContent({ model, contents: 'rivers', config });
  expect(short.embeddings?.[0]?.values).toHaveLength(8);
});

test('listModels returns more than 20 models over several pages, with their capabilities', async () => {
  const names = await Array.fromAsync(await client.models.list({ config: { pageSize: 5 } }));
  expect(names.length).toBeGreaterThan(20);
  expect(names.at(0)).toMatchObject({
    name: 'models/sandbox-normal',
    supportedActions: ['generateContent', 'countTokens'],
  });
  expect(await client.models.get({ model: 'sandbox-embedding' })).toMatchObject({
    supportedActions: ['embedContent', 'batchEmbedContents'],
  });
  await expect(client.models.get({ model: 'gpt-4o' })).rejects.toMatchObject({ status: 404 });
});
