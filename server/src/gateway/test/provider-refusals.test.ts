import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  type Refuse,
  type SentBody,
  type StrictProvider,
  startStrictProvider,
} from '#test/providers/strict-provider.ts';

const vendors = [
  'anthropic',
  'azure_openai',
  'cohere',
  'custom',
  'deepseek',
  'fireworks',
  'google',
  'groq',
  'huggingface',
  'mistral',
  'moonshot',
  'ollama',
  'openai',
  'openrouter',
  'perplexity',
  'together',
  'vllm',
  'xai',
] as const;
type Vendor = (typeof vendors)[number];

/** Vendors whose endpoint is entered without a version, since their paths contain one. */
const bare: ReadonlySet<Vendor> = new Set(['anthropic', 'cohere', 'google', 'ollama']);
const modelsOf = (vendor: Vendor) => Array.from({ length: 40 }, (_, index) => `${vendor}-m${index}`);
/** Model of each vendor whose maximum output is listed in the catalog data. */
const listed: Partial<Record<Vendor, string>> = { anthropic: 'claude-sonnet-4-5', openai: 'gpt-5.1' };

let provider: StrictProvider;
let gateway: TestGateway;
let limited: string;
beforeAll(async () => {
  provider = await startStrictProvider(() => gateway.sandbox.origin);
  gateway = await startGateway({
    timeouts: { retriesMax: 0 },
    async seed(seed) {
      for (const vendor of vendors) {
        const root = vendor === 'azure_openai' ? '/openai/v1' : '/v1';
        await seed.addInstance({
          name: vendor,
          providerKey: vendor,
          models: [...modelsOf(vendor), ...(listed[vendor] ? [listed[vendor]] : [])],
          endpoint: bare.has(vendor) ? provider.origin : provider.origin + root,
        });
      }
      const person = await seed.addPerson({ name: 'limited' });
      limited = person.apiKey;
      await seed.pool.query('UPDATE users SET daily_quota = 40000 WHERE id = $1', [person.userId]);
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const unused = new Map<Vendor, string[]>(vendors.map((vendor) => [vendor, modelsOf(vendor)]));
function takeModel(vendor: Vendor, refuse?: Refuse): string {
  const model = unused.get(vendor)?.shift() ?? '';
  if (refuse) provider.rules.set(model, refuse);
  return model;
}

interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly effort?: boolean;
  readonly tools?: boolean;
  readonly temperature?: number;
}

const text = 'Hello there';
const tool = { name: 'look', description: 'Looks', parameters: { type: 'object', properties: {} } };

const callers = {
  'openai-chat': ({ model, stream, effort, tools, temperature }: Asked) => ({
    path: '/api/v1/chat/completions',
    body: {
      ...{ model, stream, temperature, messages: [{ role: 'user', content: text }] },
      ...(effort && { reasoning_effort: 'high' }),
      ...(tools && { tools: [{ type: 'function', function: tool }] }),
    },
  }),
  'openai-responses': ({ model, stream, effort, tools, temperature }: Asked) => ({
    path: '/api/v1/responses',
    body: {
      ...{ model, stream, temperature, input: text },
      ...(effort && { reasoning: { effort: 'high' } }),
      ...(tools && { tools: [{ type: 'function', ...tool }] }),
    },
  }),
  'anthropic-messages': ({ model, stream, effort, tools, temperature }: Asked) => ({
    path: '/api/v1/messages',
    body: {
      ...{ model, stream, temperature, max_tokens: 9_000, messages: [{ role: 'user', content: text }] },
      ...(effort && { thinking: { type: 'enabled', budget_tokens: 5_000 } }),
      ...(tools && { tools: [{ name: tool.name, input_schema: tool.parameters }] }),
    },
  }),
  gemini: ({ model, stream, effort, tools, temperature }: Asked) => ({
    path: `/api/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: {
      contents: [{ role: 'user', parts: [{ text }] }],
      generationConfig: {
        temperature,
        ...(effort && { thinkingConfig: { thinkingBudget: 5_000 } }),
      },
      ...(tools && { tools: [{ functionDeclarations: [tool] }] }),
    },
  }),
};
type Caller = keyof typeof callers;
const callerNames = Object.keys(callers) as Caller[]; // safe because the keys of `callers` are its type's keys

async function ask(caller: Caller, asked: Asked, apiKey = gateway.apiKey) {
  const { path, body } = callers[caller](asked);
  const answer = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const hasCap = (value: unknown): boolean =>
  /"(max_tokens|max_completion_tokens|max_output_tokens|maxOutputTokens|num_predict)"/.test(
    JSON.stringify(value),
  );
const both = [false, true];
const unnamed = callerNames.filter((caller) => caller !== 'anthropic-messages');

describe('a request without an output cap', () => {
  const combinations = vendors
    .filter((vendor) => vendor !== 'anthropic')
    .flatMap((vendor) =>
      unnamed.flatMap((caller) => both.map((stream) => [vendor, caller, stream] as const)),
    );

  it.each(combinations)(
    '%s gets no output cap if the caller of %s sends none (streamed: %s)',
    async (vendor, caller, stream) => {
      const model = takeModel(vendor);
      const answer = await ask(caller, { model, stream });
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      expect(provider.callsFor(model).map(({ body }) => hasCap(body))).toEqual([false]);
      expect(answer.headers.get('x-sluice-output-cap')).toBeNull();
    },
  );

  it.each(unnamed)(
    "Anthropic gets the model's maximum as output cap if the caller of %s sends none",
    async (caller) => {
      const model = 'claude-sonnet-4-5';
      const before = provider.callsFor(model).length;
      expect((await ask(caller, { model })).status).toBe(200);
      const [call] = provider.callsFor(model).slice(before);
      expect(call?.body.max_tokens).toBe(64_000);
    },
  );

  it('the output cap of an unknown Anthropic model is read from its error and remembered', async () => {
    const model = takeModel('anthropic', ({ max_tokens: cap }) =>
      Number(cap) > 8_192
        ? {
            type: 'error',
            error: {
              type: 'invalid_request_error',
              message: `max_tokens: ${cap} > 8192, which is the maximum allowed number of output tokens for m`,
            },
          }
        : null,
    );
    expect((await ask('openai-chat', { model })).status).toBe(200);
    expect((await ask('gemini', { model })).status).toBe(200);
    expect(provider.callsFor(model).map(({ body }) => body.max_tokens)).toEqual([32_000, 8_192, 8_192]);
  });
});

describe('a request without an output cap of a limited user', () => {
  it.each(unnamed)(
    'a limited user gets an output cap and the header that names it, as a caller of %s',
    async (caller) => {
      const model = takeModel('vllm');
      const answer = await ask(caller, { model }, limited);
      expect(answer.status).toBe(200);
      const [, cap] =
        /^(\d+); limit=tokens_per_day$/.exec(answer.headers.get('x-sluice-output-cap') ?? '') ?? [];
      expect(Number(cap)).toBeGreaterThan(4_096);
      expect(provider.callsFor(model)[0]?.body.max_tokens).toBe(Number(cap));
    },
  );

  it.each(['openai', 'azure_openai'] as const)(
    '%s gets the cap as max_completion_tokens, regardless of the model name',
    async (vendor) => {
      const model = takeModel(vendor);
      for (const caller of unnamed.filter((name) => name !== 'openai-responses'))
        await ask(caller, { model }, limited);
      const bodies = provider
        .callsFor(model)
        .map(({ body }) => Object.keys(body).filter((name) => /max_/.test(name)));
      expect(bodies).toEqual([['max_completion_tokens'], ['max_completion_tokens']]);
    },
  );

  it('a server with a small context gets an output cap that fits into it', async () => {
    const model = takeModel('custom', ({ max_tokens: cap }) =>
      Number(cap) > 3_192
        ? {
            error: {
              message: `'max_tokens' or 'max_completion_tokens' is too large: ${cap}. This model's maximum context length is 8192 tokens and your request has 5000 input tokens (${cap} > 8192 - 5000).`,
            },
          }
        : null,
    );
    expect((await ask('openai-chat', { model }, limited)).status).toBe(200);
    expect(provider.callsFor(model).map(({ body }) => body.max_tokens)).toEqual([expect.any(Number), 3_192]);
  });

  it.each(unnamed)(
    'a server that rejects max_tokens gets max_completion_tokens from a caller of %s',
    async (caller) => {
      const model = takeModel('custom', ({ max_tokens: cap }) =>
        cap === undefined
          ? null
          : {
              error: {
                message:
                  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                param: 'max_tokens',
                code: 'unsupported_parameter',
              },
            },
      );
      expect([
        (await ask(caller, { model }, limited)).status,
        (await ask(caller, { model }, limited)).status,
      ]).toEqual([200, 200]);
      const names = provider
        .callsFor(model)
        .map(({ body }) => Object.keys(body).filter((name) => name.startsWith('max_')));
      expect(names).toEqual([['max_tokens'], ['max_completion_tokens'], ['max_completion_tokens']]);
    },
  );

  it.each(both)('a reasoning model of the sandbox responds (streamed: %s)', async (stream) => {
    const answer = await ask('openai-chat', { model: 'sandbox-reasoning', stream }, limited);
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"finish_reason":"stop"')]);
  });
});

const wishes: readonly (readonly [Vendor, 'effort' | 'temperature', (body: SentBody) => boolean, string])[] =
  [
    [
      'custom',
      'temperature',
      ({ temperature }) => temperature !== undefined,
      '`temperature` is not supported',
    ],
    [
      'mistral',
      'temperature',
      ({ temperature }) => temperature !== undefined,
      'Extra inputs are not permitted: temperature',
    ],
    [
      'openai',
      'effort',
      (body) => body.reasoning_effort !== undefined,
      'Unrecognized request argument supplied: reasoning_effort',
    ],
    [
      'azure_openai',
      'effort',
      (body) => body.reasoning_effort !== undefined,
      'Unrecognized request argument supplied: reasoning_effort',
    ],
    [
      'openrouter',
      'effort',
      (body) => (body.reasoning_effort ?? body.reasoning) !== undefined,
      '`reasoning_effort` and reasoning are not supported',
    ],
    ['ollama', 'effort', ({ think }) => think !== undefined, 'it does not support thinking'],
    ['cohere', 'effort', ({ thinking }) => thinking !== undefined, 'it does not support thinking'],
    [
      'anthropic',
      'effort',
      ({ thinking }) => thinking !== undefined,
      'thinking is not supported for this model',
    ],
    [
      'anthropic',
      'temperature',
      ({ temperature }) => temperature !== undefined,
      '`temperature` is deprecated for this model.',
    ],
  ];
const spoken: Partial<Record<Vendor, Caller>> = { anthropic: 'anthropic-messages', google: 'gemini' };
const refusals = wishes.flatMap(([vendor, wish, isRefused, message]) =>
  callerNames
    .filter((caller) => caller !== (spoken[vendor] ?? 'openai-chat'))
    // These vendors receive Responses API requests untranslated.
    .filter(
      (caller) => caller !== 'openai-responses' || !['openai', 'azure_openai', 'openrouter'].includes(vendor),
    )
    .flatMap((caller) => both.map((stream) => ({ vendor, wish, isRefused, message, caller, stream }))),
);

describe('a translated field that the provider rejects', () => {
  it.each(refusals)(
    'the gateway no longer sends $wish to $vendor after one rejection ($caller request, streamed: $stream)',
    async ({ vendor, wish, isRefused, message, caller, stream }) => {
      const model = takeModel(vendor, (body) => (isRefused(body) ? { error: { message }, message } : null));
      const asked = { model, stream, ...(wish === 'effort' ? { effort: true } : { temperature: 0.3 }) };
      const first = await ask(caller, asked);
      expect([first.status, first.text]).toEqual([200, expect.any(String)]);
      expect(first.headers.get('x-sluice-warning')).toMatch(/temperature|reasoning|thinking/);
      const second = await ask(caller, asked);
      expect(second.status).toBe(200);
      expect(second.headers.get('x-sluice-warning')).toBe(first.headers.get('x-sluice-warning'));
      const sent = provider.callsFor(model).map(({ body }) => isRefused(body));
      expect(sent).toEqual([true, false, false]);
    },
  );

  it('an error that persists without the translated field is returned, and nothing is remembered', async () => {
    const refusal = { error: { message: "Invalid schema for 'temperature': not supported" } };
    const model = takeModel('custom', () => refusal);
    const answer = await ask('gemini', { model, temperature: 0.3 });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('Invalid schema')]);
    provider.rules.delete(model);
    expect((await ask('gemini', { model, temperature: 0.3 })).headers.get('x-sluice-warning')).toBeNull();
  });

  it("a caller of the provider's own protocol gets the provider's error", async () => {
    const refuse: Refuse = ({ temperature }) =>
      temperature === undefined ? null : { error: { message: '`temperature` is not supported', code: 'x' } };
    const model = takeModel('custom', refuse);
    expect((await ask('openai-chat', { model, temperature: 0.3 })).status).toBe(400);
    expect(provider.callsFor(model)).toHaveLength(1);
  });

  it('a rejected field is stored for other workers and nodes', async () => {
    const model = takeModel('ollama', ({ think }) =>
      think ? { error: '"m" does not support thinking' } : null,
    );
    await ask('openai-chat', { model, effort: true });
    const stored = async () =>
      (await gateway.pool.query('SELECT kind, value FROM provider_refusals WHERE model = $1', [model])).rows;
    await expect.poll(stored).toEqual([{ kind: 'field', value: 'think' }]);
  });
});

describe('stream options that the gateway added', () => {
  const withoutResponses = ['together', 'fireworks', 'perplexity', 'moonshot', 'vllm'] as const;

  it.each(
    withoutResponses.map((vendor, index) => [vendor, callerNames[index % callerNames.length]!] as const),
  )(
    '%s gets no more stream options after it has rejected them once (caller of %s)',
    async (vendor, caller) => {
      const refuse: Refuse = (body) =>
        body.stream_options === undefined ? null : { error: { message: 'Unknown field: stream_options' } };
      const models = [takeModel(vendor, refuse), takeModel(vendor, refuse)] as const;
      for (const model of models) {
        const answer = await ask(caller, { model, stream: true });
        expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
        expect(answer.headers.get('x-sluice-warning') ?? '').not.toContain('stream_options');
      }
      const asked = models.map((model) =>
        provider.callsFor(model).map(({ body }) => 'stream_options' in body),
      );
      expect(asked).toEqual([[true, false], [false]]);
    },
  );
});

describe('requests that a provider serves only through its Responses API', () => {
  const words = (model: string) =>
    `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. Please use /v1/responses instead.`;
  const refuseWith =
    (isRefused: (body: SentBody) => boolean): Refuse =>
    (body, path) =>
      path.endsWith('/chat/completions') && 'tools' in body && isRefused(body)
        ? { error: { message: words(String(body.model)), param: 'reasoning_effort', code: null } }
        : null;
  const combinations = (['openai', 'azure_openai'] as const).flatMap((vendor) =>
    callerNames
      .filter((caller) => caller !== 'openai-responses')
      .flatMap((caller) => both.map((stream) => [vendor, caller, stream] as const)),
  );

  it.each(combinations)(
    '%s gets tools at its Responses API after it has rejected them (caller of %s, streamed: %s)',
    async (vendor, caller, stream) => {
      const model = takeModel(
        vendor,
        refuseWith(({ reasoning_effort: effort }) => effort !== undefined),
      );
      const asked = { model, stream, tools: true, effort: true };
      const answers = [await ask(caller, asked), await ask(caller, asked)];
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      for (const answer of answers) expect(answer.text).toContain(tool.name);
      // Without an effort, chat completions still serve the requests.
      expect((await ask(caller, { ...asked, effort: false })).status).toBe(200);
      const paths = provider.callsFor(model).map(({ path }) => path.slice(path.lastIndexOf('/')));
      expect(paths).toEqual(['/completions', '/responses', '/responses', '/completions']);
      expect(provider.callsFor(model)[1]?.body.reasoning).toMatchObject({ effort: expect.any(String) });
    },
  );

  it.each(['openai-chat', 'gemini'] as const)(
    'a model that rejects all tools gets them at the Responses API, with or without an effort (caller of %s)',
    async (caller) => {
      const model = takeModel(
        'openai',
        refuseWith(() => true),
      );
      for (const effort of both) expect((await ask(caller, { model, tools: true, effort })).status).toBe(200);
      const paths = provider.callsFor(model).map(({ path }) => path.slice(path.lastIndexOf('/')));
      expect(paths).toEqual(['/completions', '/responses', '/responses']);
      expect((await ask(caller, { model })).status).toBe(200);
      expect(provider.callsFor(model).at(-1)?.path).toContain('/chat/completions');
    },
  );
});

const png = 'iVBORw0KGgo=';
const pngUrl = `data:image/png;base64,${png}`;

const withImage = {
  'openai-chat': {
    path: '/api/v1/chat/completions',
    fields: { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: pngUrl } }] }] },
  },
  'openai-responses': {
    path: '/api/v1/responses',
    fields: { input: [{ role: 'user', content: [{ type: 'input_image', image_url: pngUrl }] }] },
  },
  'anthropic-messages': {
    path: '/api/v1/messages',
    fields: {
      max_tokens: 99,
      messages: [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }],
        },
      ],
    },
  },
  gemini: {
    path: '/api/v1beta/models/{model}:generateContent',
    fields: { contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: png } }] }] },
  },
} as const;

async function askWithImage(caller: Caller, model: string, apiKey = gateway.apiKey) {
  const { path, fields } = withImage[caller];
  const answer = await fetch(gateway.origin + path.replace('{model}', model), {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...(caller !== 'gemini' && { model }), ...fields }),
  });
  return { status: answer.status, text: await answer.text() };
}

const ownVendors: Partial<Record<Vendor, Caller>> = { anthropic: 'anthropic-messages', google: 'gemini' };
const blindPairs = (['anthropic', 'cohere', 'google', 'ollama', 'vllm'] as const).flatMap((vendor) =>
  callerNames
    .filter((caller) => caller !== (ownVendors[vendor] ?? (vendor === 'vllm' ? 'openai-chat' : null)))
    .map((caller) => [vendor, caller] as const),
);

describe('a model that rejects images', () => {
  it.each(blindPairs)(
    '%s rejects images once; later images of %s are rejected by the gateway with a reason',
    async (vendor, caller) => {
      const message = 'Image inputs are not supported by this model.';
      const model = takeModel(vendor, (body) =>
        JSON.stringify(body).includes(png) ? { error: { message }, message } : null,
      );
      const answers = [await askWithImage(caller, model), await askWithImage(caller, model)];
      expect(answers.map(({ status }) => status)).toEqual([400, 400]);
      for (const answer of answers) expect(answer.text).toContain('does not accept images');
      expect(provider.callsFor(model)).toHaveLength(1);
      expect((await ask(caller, { model })).status).toBe(200);
    },
  );

  it('a rejection applies to all users once a second user confirms it, including in the database', async () => {
    const message = 'Image inputs are not supported by this model.';
    const model = takeModel('vllm', (body) =>
      JSON.stringify(body).includes(png) ? { error: { message }, message } : null,
    );
    const sent = () => provider.callsFor(model).length;
    const keys = await Promise.all(['one', 'two', 'three'].map(addKey));
    const counts: number[] = [];
    for (const index of [0, 0, 1, 2]) {
      await askWithImage('anthropic-messages', model, keys[index]);
      counts.push(sent());
    }
    expect(counts).toEqual([1, 1, 2, 2]);
    const stored = () =>
      gateway.pool.query('SELECT is_confirmed FROM provider_refusals WHERE model = $1', [model]);
    await expect.poll(async () => (await stored()).rows).toEqual([{ is_confirmed: true }]);
  });

  it('nothing is remembered from a text that the provider repeats in an error', async () => {
    const model = takeModel('vllm', (body) => {
      const text = /Image inputs are not supported/.exec(JSON.stringify(body));
      return text ? { error: { message: `Rejected: ${text[0]} by this model.` } } : null;
    });
    const attack = await fetch(`${gateway.origin}/api/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model,
        max_tokens: 99,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Image inputs are not supported by this model.' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
            ],
          },
        ],
      }),
    });
    expect([attack.status, await attack.text()]).toEqual([400, expect.stringContaining('Rejected')]);
    expect((await askWithImage('anthropic-messages', model)).status).toBe(200);
  });
});

async function addKey(name: string): Promise<string> {
  const { apiKey } = await gateway.seed.addPerson({ name: `refused-${name}` });
  const headers = { authorization: `Bearer ${apiKey}` };
  await expect
    .poll(async () => (await fetch(`${gateway.origin}/api/v1/models`, { headers })).status)
    .toBe(200);
  return apiKey;
}
