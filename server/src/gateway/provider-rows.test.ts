import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import { providers } from '#providers/registry.ts';
import { hello, startGateway, type TestGateway } from '../../test/gateway.ts';
import {
  completionText,
  messageText,
  type ScriptedProvider,
  startScriptedProvider,
} from '../../test/scripted-provider.ts';

interface Row {
  /** The path and query of what an administrator types behind the host. */
  readonly typed: string;
  /** Headers that sign a call. */
  readonly signed: Readonly<Record<string, string>>;
  /** By the protocol of the caller, where the provider is asked and in which protocol. */
  readonly asked: Partial<Record<'openai-chat' | 'anthropic-messages', Asked>>;
}

type Asked = readonly [path: string, protocol: ProtocolId];

const apiKey = 'sk-of-the-provider';
const bearer = { authorization: `Bearer ${apiKey}` };

/** A vendor that speaks OpenAI's protocol alone. */
const openaiLike = (typed: string, path: string): Row => ({
  typed,
  signed: bearer,
  asked: { 'openai-chat': [path, 'openai-chat'], 'anthropic-messages': [path, 'openai-chat'] },
});
const azure = (typed: string, path: string): Row => ({
  ...openaiLike(typed, path),
  signed: { 'api-key': apiKey },
});

const rows: Readonly<Record<string, readonly Row[]>> = {
  openai: [openaiLike('', '/v1/chat/completions'), openaiLike('/v1', '/v1/chat/completions')],
  anthropic: ['', '/v1', '/v1/messages'].map((typed) => ({
    typed,
    signed: { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' },
    asked: {
      'openai-chat': ['/v1/messages', 'anthropic-messages'],
      'anthropic-messages': ['/v1/messages', 'anthropic-messages'],
    },
  })),
  deepseek: [openaiLike('', '/chat/completions'), openaiLike('/v1/', '/v1/chat/completions')],
  mistral: [openaiLike('', '/v1/chat/completions')],
  azure_openai: [
    azure('', '/openai/v1/chat/completions'),
    azure('/openai/', '/openai/v1/chat/completions'),
    azure(
      '/openai/deployments/gpt-4o/chat/completions?api-version=2024-12-01-preview',
      '/openai/deployments/a%20model%2F1/chat/completions?api-version=2024-12-01-preview',
    ),
    azure('/models', '/models/chat/completions?api-version=2024-05-01-preview'),
  ],
  huggingface: [
    openaiLike('', '/v1/chat/completions'),
    openaiLike('/together/v1', '/together/v1/chat/completions'),
  ],
  groq: [openaiLike('', '/openai/v1/chat/completions')],
  xai: [openaiLike('', '/v1/chat/completions')],
  openrouter: [openaiLike('', '/api/v1/chat/completions')],
  together: [openaiLike('', '/v1/chat/completions')],
  fireworks: [openaiLike('', '/inference/v1/chat/completions')],
  perplexity: [openaiLike('', '/chat/completions')],
  moonshot: [openaiLike('', '/v1/chat/completions')],
  vllm: [openaiLike('', '/v1/chat/completions')],
  custom: [openaiLike('/deep/v3', '/deep/v3/chat/completions')],
};

const answers: Partial<Record<ProtocolId, string>> = {
  'openai-chat': completionText,
  'anthropic-messages': messageText,
};
const endpoints = {
  'openai-chat': '/api/v1/chat/completions',
  'anthropic-messages': '/api/v1/messages',
} as const;

const cases = Object.entries(rows).flatMap(([providerKey, ofProvider]) =>
  ofProvider.flatMap((row) =>
    // safe because the table's type names these protocols only
    (Object.keys(row.asked) as (keyof Row['asked'])[]).map((caller) => ({ providerKey, ...row, caller })),
  ),
);

/** Holds what a path and a body must encode. */
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

it('every provider that needs an address has its rows here', () => {
  expect(Object.keys(rows).sort()).toEqual(
    Object.keys(providers)
      .filter((key) => key !== 'sandbox')
      .sort(),
  );
});

describe.each(cases)('$providerKey at "$typed", for a caller of $caller', (item) => {
  it('is asked at its path, in its protocol, with its key', async () => {
    const [path, protocol] = item.asked[item.caller] ?? [];
    provider.script = (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(answers[protocol!]);
    provider.calls.length = 0;
    const answer = await fetch(gateway.origin + endpoints[item.caller], {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.apiKey}`,
        'content-type': 'application/json',
        'anthropic-beta': 'a-beta',
      },
      body: JSON.stringify({ model: `${nameOf(item)}/${model}`, max_tokens: 9, messages: hello, extra: 'e' }),
    });
    expect({ status: answer.status, body: await answer.text() }).toMatchObject({ status: 200 });
    const [call] = provider.calls;
    expect(call?.path).toBe(path);
    expect(call?.headers).toMatchObject(item.signed);
    expect(JSON.stringify(call)).not.toContain(gateway.apiKey);
    const body = JSON.parse(call?.body.toString() ?? '');
    expect(body.model).toBe(model);
    const isPassThrough = protocol === item.caller;
    expect(body.extra).toBe(isPassThrough ? 'e' : undefined);
    expect(call?.headers['anthropic-beta']).toBe(
      isPassThrough && protocol === 'anthropic-messages' ? 'a-beta' : undefined,
    );
  });
});
