import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError, type FunctionDeclaration, GoogleGenAI, Type } from '@google/genai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CanonicalRequest, CompletionRequest } from '../canonical/request.ts';
import type { CanonicalResponse } from '../canonical/response.ts';
import { toEvents } from '../openai-chat/testing/canonical-values.ts';
import { gemini, geminiInArrays } from './index.ts';
import { answerContext } from './testing/exchange.ts';

let server: Server;
let origin: string;
let client: GoogleGenAI;
let paths: string[] = [];
let answers: (CanonicalResponse | 'broken' | 'refused')[] = [];
let asked: {
  completion: CompletionRequest;
  request: CanonicalRequest;
  headers: IncomingMessage['headers'];
}[] = [];

const overloaded = {
  code: 'upstream_overloaded',
  providerCode: null,
  status: 503,
  message: 'Too much to do.',
  param: null,
} as const;

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', 'http://gateway');
  paths.push(url.pathname);
  const [, model = '', method] = /^\/api\/v1(?:beta)?\/models\/(.+):(\w+)$/.exec(url.pathname) ?? [];
  const { caller } = url.searchParams.get('alt') === 'sse' ? gemini : geminiInArrays;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const isStream = method === 'streamGenerateContent';
  const parsed = caller.parseRequest(Buffer.concat(chunks), { model: decodeURIComponent(model), isStream });
  const decoded = parsed.ok ? parsed.request.toCanonical() : parsed;
  const answer = answers.shift();
  if (!parsed.ok || !decoded.ok || !('request' in decoded) || answer === undefined || answer === 'refused') {
    const problem = 'problem' in decoded ? decoded.problem : null;
    const facts = problem ? { ...problem, status: 400, providerCode: null } : overloaded;
    response.writeHead(facts.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(caller.encodeError(facts, 'r1')));
    return;
  }
  asked.push({
    completion: parsed.request,
    request: decoded.request as CanonicalRequest,
    headers: request.headers,
  }); // safe because a request with a problem has returned before
  if (!isStream) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(answer === 'broken' ? '{' : JSON.stringify(caller.encodeResponse(answer, answerContext)));
    return;
  }
  response.writeHead(200, { 'content-type': caller.streamContentType });
  const encoder = caller.createStreamEncoder(answerContext);
  const events = toEvents(answer === 'broken' ? say('Half a th') : answer, 4);
  for (const event of answer === 'broken' ? events.slice(0, 3) : events)
    response.write(encoder.encode(event));
  response.end(answer === 'broken' ? caller.encodeStreamError(overloaded, answerContext) : '');
}

beforeAll(async () => {
  server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // safe because the server listens on a port
  client = new GoogleGenAI({ apiKey: 'slc_test', httpOptions: { baseUrl: `${origin}/api` } });
});
afterAll(() => server.close());
beforeEach(() => {
  answers = [];
  asked = [];
  paths = [];
});

const usage = {
  inputTokens: 6,
  cacheReadTokens: 4,
  cacheWriteTokens: 0,
  outputTokens: 9,
  reasoningTokens: 3,
};

const say = (text: string): CanonicalResponse => ({
  id: 'answer-1',
  model: 'claude-opus-4-8',
  createdAtSeconds: null,
  choices: [
    {
      parts: [
        { type: 'reasoning', text: 'Let me think.', isRedacted: false },
        { type: 'text', text },
      ],
      finish: { reason: 'stop', native: 'end_turn' },
    },
  ],
  usage,
});

const callWeather: CanonicalResponse = {
  ...say(''),
  choices: [
    {
      parts: [
        {
          type: 'reasoning',
          text: 'I need the weather.',
          isRedacted: false,
          signature: { protocol: 'anthropic-messages', value: 'c2lnbmVk' },
        },
        { type: 'tool-call', id: 'toolu_1', name: 'weather', arguments: '{"town":"Rome"}' },
        { type: 'tool-call', id: 'toolu_2', name: 'now', arguments: '{}' },
      ],
      finish: { reason: 'tool-calls', native: 'tool_use' },
    },
  ],
};

const weather: FunctionDeclaration = {
  name: 'weather',
  parameters: { type: Type.OBJECT, properties: { town: { type: Type.STRING } }, required: ['town'] },
};
const model = 'claude-opus-4-8';

describe("Google's official client", () => {
  it("Google's client receives a complete response with separate thoughts and usage", async () => {
    answers = [say('Rome is mild.')];
    const answer = await client.models.generateContent({ model, contents: 'How is Rome?' });
    expect(answer.text).toBe('Rome is mild.');
    expect(answer.candidates?.[0]?.content?.parts?.[0]).toEqual({ text: 'Let me think.', thought: true });
    expect(answer.candidates?.[0]?.finishReason).toBe('STOP');
    expect(answer.usageMetadata).toEqual({
      promptTokenCount: 10,
      cachedContentTokenCount: 4,
      candidatesTokenCount: 6,
      thoughtsTokenCount: 3,
      totalTokenCount: 19,
    });
    expect(answer.modelVersion).toBe('claude-opus-4-8');
    expect(asked[0]?.completion).toMatchObject({ model, isStream: false, prompt: 'How is Rome?' });
    expect(asked[0]?.headers['x-goog-api-key']).toBe('slc_test');
  });

  it("Google's client sends a system instruction, an image, sampling parameters, a schema and thinking settings", async () => {
    answers = [say('{}')];
    await client.models.generateContent({
      model: 'models/claude-opus-4-8',
      contents: [
        { role: 'user', parts: [{ text: 'Look' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
      ],
      config: {
        systemInstruction: 'Be brief.',
        temperature: 0.2,
        topK: 3,
        maxOutputTokens: 50,
        stopSequences: ['END'],
        responseMimeType: 'application/json',
        responseSchema: { type: Type.OBJECT, properties: { size: { type: Type.INTEGER, nullable: true } } },
        thinkingConfig: { thinkingBudget: 2048, includeThoughts: true },
      },
    });
    expect(asked[0]?.completion.model).toBe('claude-opus-4-8');
    expect(asked[0]?.request).toEqual({
      messages: [
        { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'Look' },
            { type: 'image', source: { kind: 'data', mediaType: 'image/png', base64: 'AAAA' } },
          ],
        },
      ],
      tools: [],
      outputTokensMax: 50,
      stop: ['END'],
      sampling: { temperature: 0.2, topK: 3 },
      responseFormat: {
        kind: 'json-schema',
        name: 'answer',
        schema: { type: 'object', properties: { size: { type: ['integer', 'null'] } } },
      },
      reasoning: { budgetTokens: 2048, isShown: true },
      extensions: [],
    });
  });

  it("Google's client streams a response in pieces, with usage last", async () => {
    answers = [say('Rome is mild today.')];
    const stream = await client.models.generateContentStream({ model, contents: 'How is Rome?' });
    const texts: string[] = [];
    let last = null;
    for await (const piece of stream) {
      if (piece.text) texts.push(piece.text);
      last = piece;
    }
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.join('')).toBe('Rome is mild today.');
    expect(last?.candidates?.[0]?.finishReason).toBe('STOP');
    expect(last?.usageMetadata?.totalTokenCount).toBe(19);
    expect(asked[0]?.completion.isStream).toBe(true);
  });

  it.each(['whole', 'streamed'])("Google's client completes a tool loop in a chat, %s", async (form) => {
    answers = [callWeather, say('Rome is mild.')];
    const chat = client.chats.create({ model, config: { tools: [{ functionDeclarations: [weather] }] } });
    const send = async (message: Parameters<typeof chat.sendMessage>[0]['message']) => {
      if (form === 'whole') return (await chat.sendMessage({ message })).functionCalls ?? [];
      const calls = [];
      for await (const piece of await chat.sendMessageStream({ message }))
        calls.push(...(piece.functionCalls ?? []));
      return calls;
    };
    const calls = await send('How is Rome?');
    expect(calls).toEqual([
      { id: 'toolu_1', name: 'weather', args: { town: 'Rome' } },
      { id: 'toolu_2', name: 'now', args: {} },
    ]);
    await send(
      calls.map(({ id = '', name = '' }) => ({
        functionResponse: { id, name, response: { output: 'mild' } },
      })),
    );
    const messages = asked[1]?.request.messages ?? [];
    expect(messages[1]).toEqual({ role: 'assistant', parts: callWeather.choices[0]?.parts });
    expect(messages[2]).toEqual({
      role: 'user',
      parts: [
        {
          type: 'tool-result',
          callId: 'toolu_1',
          name: 'weather',
          parts: [{ type: 'text', text: 'mild' }],
          isError: false,
        },
        {
          type: 'tool-result',
          callId: 'toolu_2',
          name: 'now',
          parts: [{ type: 'text', text: 'mild' }],
          isError: false,
        },
      ],
    });
    expect(asked[1]?.request.tools).toEqual([
      {
        name: 'weather',
        parameters: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
      },
    ]);
  });

  it("Google's client throws its ApiError with the status for a provider error", async () => {
    answers = ['refused'];
    const failure = await client.models
      .generateContent({ model, contents: 'Go' })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ status: 503, message: expect.stringContaining('Too much to do.') });
  });

  it("Google's client throws its ApiError with the field for an unsupported feature", async () => {
    const config = { responseModalities: ['AUDIO'] };
    const failure = await client.models
      .generateContent({ model, contents: 'Go', config })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ status: 400, message: expect.stringContaining('responseModalities') });
  });

  it("Google's client throws its ApiError if a stream breaks off", async () => {
    answers = ['broken'];
    const texts: string[] = [];
    const read = async () => {
      const stream = await client.models.generateContentStream({ model, contents: 'Go' });
      for await (const piece of stream) texts.push(piece.text ?? '');
    };
    const failure = await read().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ message: expect.stringContaining('Too much to do.') });
  });
});

it.each([
  { apiVersion: undefined, path: '/api/v1/models/team/fast%20one:generateContent' },
  { apiVersion: 'v1beta', path: '/api/v1beta/models/team/fast%20one:generateContent' },
])("Google's client requests $path", async ({ apiVersion, path }) => {
  answers = [say('Yes.')];
  const httpOptions = { baseUrl: `${origin}/api`, ...(apiVersion && { apiVersion }) };
  const other = new GoogleGenAI({ apiKey: 'slc_test', httpOptions });
  const answer = await other.models.generateContent({ model: 'team/fast one', contents: 'Go' });
  expect(answer.text).toBe('Yes.');
  expect(paths).toEqual([path]);
  expect(asked[0]?.completion.model).toBe('team/fast one');
});

it("Google's client names a task in the body, which is not sent to the provider", async () => {
  answers = [say('Yes.')];
  const config = { httpOptions: { extraBody: { task_id: 3 } } };
  await client.models.generateContent({ model, contents: 'Go', config });
  const completion = asked[0]?.completion;
  expect(completion?.taskId).toBe(3);
  expect(completion?.encodeFor('gemini-3-pro').toString()).not.toContain('task_id');
});

describe('streams without alt=sse', () => {
  const ask = () =>
    fetch(`${origin}/api/v1beta/models/${model}:streamGenerateContent`, {
      method: 'POST',
      body: JSON.stringify({ contents: [{ parts: [{ text: 'Go' }] }] }),
    });

  it('streamGenerateContent without alt=sse returns one JSON array', async () => {
    answers = [say('Rome is mild today.')];
    const response = await ask();
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const pieces = (await response.json()) as {
      candidates: { content: { parts: { text: string; thought?: true }[] } }[];
    }[]; // safe because the assertions fail for any other shape
    const texts = pieces.flatMap(({ candidates }) => candidates[0]?.content.parts ?? []);
    expect(texts.flatMap(({ text, thought }) => (thought ? [] : [text])).join('')).toBe(
      'Rome is mild today.',
    );
  });

  it('streamGenerateContent without alt=sse ends the array with the error if the stream breaks off', async () => {
    answers = ['broken'];
    const pieces = (await (await ask()).json()) as object[]; // safe because the assertions fail for any other shape
    expect(pieces.at(-1)).toMatchObject({
      error: { code: 503, status: 'UNAVAILABLE', message: 'Too much to do.' },
    });
    expect(pieces.length).toBeGreaterThan(1);
  });
});
