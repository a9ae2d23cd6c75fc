import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import { providers } from '#providers/registry.ts';
import { hello, startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  cohereText,
  completionText,
  generatedText,
  messageText,
  ollamaText,
  responseText,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

type CallerId = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini';

interface Row {
  readonly typed: string;
  readonly signed: Readonly<Record<string, string>>;
  readonly main: Asked;
  readonly others?: readonly Asked[];
}

type Asked = readonly [protocol: ProtocolId, path: string];

const apiKey = 'sk-of-the-provider';
const bearer = { authorization: `Bearer ${apiKey}` };

const openaiLike = (typed: string, chat: string, responses?: string): Row => ({
  typed,
  signed: bearer,
  main: ['openai-chat', chat],
  ...(responses && { others: [['openai-responses', responses]] }),
});
const azure = (typed: string, chat: string, responses?: string): Row => ({
  ...openaiLike(typed, chat, responses),
  signed: { 'api-key': apiKey },
});

const rows: Readonly<Record<string, readonly Row[]>> = {
  openai: ['', '/v1', '/v1/responses'].map((typed) =>
    openaiLike(typed, '/v1/chat/completions', '/v1/responses'),
  ),
  anthropic: ['', '/v1', '/v1/messages'].map((typed) => ({
    typed,
    signed: { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' },
    main: ['anthropic-messages', '/v1/messages'],
  })),
  google: ['', '/v1beta'].map((typed) => ({
    typed,
    signed: { 'x-goog-api-key': apiKey },
    main: ['gemini', '/v1beta/models/a%20model%2F1:generateContent'],
  })),
  deepseek: [
    openaiLike('', '/chat/completions', '/responses'),
    openaiLike('/v1/', '/v1/chat/completions', '/v1/responses'),
  ],
  mistral: [openaiLike('', '/v1/chat/completions')],
  cohere: ['', '/v2/chat'].map((typed) => ({ typed, signed: bearer, main: ['cohere', '/v2/chat'] })),
  ollama: ['', '/v1', '/api'].map((typed) => ({ typed, signed: bearer, main: ['ollama', '/api/chat'] })),
  azure_openai: [
    azure('', '/openai/v1/chat/completions', '/openai/v1/responses'),
    azure('/openai/', '/openai/v1/chat/completions', '/openai/v1/responses'),
    azure(
      '/openai/deployments/gpt-4o/chat/completions?api-version=2024-12-01-preview',
      '/openai/deployments/a%20model%2F1/chat/completions?api-version=2024-12-01-preview',
    ),
    azure('/models', '/models/chat/completions?api-version=2024-05-01-preview'),
  ],
  huggingface: [
    openaiLike('', '/v1/chat/completions', '/v1/responses'),
    openaiLike('/together/v1', '/together/v1/chat/completions', '/together/v1/responses'),
  ],
  groq: [openaiLike('', '/openai/v1/chat/completions', '/openai/v1/responses')],
  xai: [openaiLike('', '/v1/chat/completions', '/v1/responses')],
  openrouter: [openaiLike('', '/api/v1/chat/completions', '/api/v1/responses')],
  together: [openaiLike('', '/v1/chat/completions')],
  fireworks: [openaiLike('', '/inference/v1/chat/completions')],
  perplexity: [openaiLike('', '/chat/completions')],
  moonshot: [openaiLike('', '/v1/chat/completions')],
  vllm: [openaiLike('', '/v1/chat/completions')],
  custom: [openaiLike('/deep/v3', '/deep/v3/chat/completions')],
};

const answers: Partial<Record<ProtocolId, string>> = {
  'openai-chat': completionText,
  'openai-responses': responseText,
  'anthropic-messages': messageText,
  gemini: generatedText,
  cohere: cohereText,
  ollama: ollamaText,
};

const callers: Record<CallerId, (model: string) => { path: string; body: object }> = {
  'openai-chat': (name) => ({
    path: '/api/v1/chat/completions',
    body: { model: name, max_tokens: 9, messages: hello, extra: 'e' },
  }),
  'openai-responses': (name) => ({
    path: '/api/v1/responses',
    body: { model: name, max_output_tokens: 16, input: 'Hello', extra: 'e' },
  }),
  'anthropic-messages': (name) => ({
    path: '/api/v1/messages',
    body: { model: name, max_tokens: 9, messages: hello, extra: 'e' },
  }),
  gemini: (name) => ({
    path: `/api/v1beta/models/${encodeURIComponent(name)}:generateContent`,
    body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }], extra: 'e' },
  }),
};

/** Headers in which clients name the betas that their requests use, by vendor. */
const betaHeaderOf: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['anthropic-beta'],
  openai: ['openai-beta'],
  azure_openai: ['openai-beta'],
};
const betaHeaders = [...new Set(Object.values(betaHeaderOf).flat())];

const cases = Object.entries(rows).flatMap(([providerKey, ofProvider]) =>
  ofProvider.flatMap((row) =>
    // safe because these are the record's keys
    (Object.keys(callers) as CallerId[]).map((caller) => ({ providerKey, ...row, caller })),
  ),
);

/** Contains characters that a path and a body must encode. */
const model = 'a model/1';
const nameOf = ({ providerKey, typed }: { providerKey: string; typed: string }) =>
  `${providerKey}${typed.replaceAll(/[^a-z0-9]/g, '-')}`;

let provider: ScriptedProvider;
let gateway: TestGateway;
beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startGateway({
    async seed(seed) {
      for (const [providerKey, ofProvider] of Object.entries(rows)) {
        for (const row of ofProvider) {
          await seed.addInstance({
            name: nameOf({ providerKey, ...row }),
            providerKey,
            providerApiKey: apiKey,
            models: [model],
            endpoint: provider.origin + row.typed,
          });
        }
      }
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

it('the provider rows cover every provider except the sandbox', () => {
  expect(Object.keys(rows).sort()).toEqual(
    Object.keys(providers)
      .filter((key) => key !== 'sandbox')
      .sort(),
  );
});

describe.each(cases)('provider row: $providerKey at "$typed", for a caller of $caller', (item) => {
  it('a provider is called at its path, in its protocol and with its key', async () => {
    const [protocol, path] = item.others?.find(([other]) => other === item.caller) ?? item.main;
    provider.script = (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(answers[protocol]);
    provider.calls.length = 0;
    const request = callers[item.caller](`${nameOf(item)}/${model}`);
    const answer = await fetch(gateway.origin + request.path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.apiKey}`,
        'content-type': 'application/json',
        ...Object.fromEntries(betaHeaders.map((name) => [name, 'a-beta'])),
      },
      body: JSON.stringify(request.body),
    });
    expect({ status: answer.status, body: await answer.text() }).toMatchObject({ status: 200 });
    const [call] = provider.calls;
    expect(call?.path).toBe(path);
    expect(call?.headers).toMatchObject(item.signed);
    expect(JSON.stringify(call)).not.toContain(gateway.apiKey);
    const body = JSON.parse(call?.body.toString() ?? '');
    expect(body.model).toBe(protocol === 'gemini' ? undefined : model);
    const isPassThrough = protocol === item.caller;
    expect(body.extra).toBe(isPassThrough ? 'e' : undefined);
    const betas = betaHeaders.filter((name) => call?.headers[name] === 'a-beta');
    expect(betas).toEqual(isPassThrough ? (betaHeaderOf[item.providerKey] ?? []) : []);
  });
});
