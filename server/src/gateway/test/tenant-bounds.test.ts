import type { ErrorCode } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  answerCompletion,
  answerWith,
  generatedText,
  messageText,
  responseText,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

let provider: ScriptedProvider;
let gateway: TestGateway;
let person: Principal & { apiKey: string };
let tenantId: number;
let count = 0;

const caps: Readonly<Record<string, (body: Record<string, never>) => unknown>> = {
  openai: ({ max_tokens }) => max_tokens,
  // Uses the same field as the caller.
  reasoning: ({ max_completion_tokens, max_tokens }) => max_completion_tokens ?? max_tokens,
  anthropic: ({ max_tokens }) => max_tokens,
  google: ({ generationConfig }) => Reflect.get(generationConfig ?? {}, 'maxOutputTokens'),
};

beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

/** Creates a tenant per test, since changes take a moment to arrive. */
beforeEach(async () => {
  provider.calls.length = 0;
  provider.script = answerCompletion();
  tenantId = await gateway.seed.addTenant(`bounds-${++count}`);
  const { origin } = provider;
  const add = (name: string, providerKey: string, models: string[], endpoint: string) =>
    gateway.seed.addInstance({ name: `${name}-${count}`, providerKey, models, endpoint, tenantId });
  await add('openai', 'custom', ['openai', 'other'], `${origin}/v1`);
  await add('reasoning', 'openai', ['o3'], `${origin}/v1`);
  await add('anthropic', 'anthropic', ['anthropic'], origin);
  await add('google', 'google', ['google'], origin);
  person = await gateway.seed.addPerson({ name: `bounds-${count}`, tenantId });
});

const set = (column: string, value: unknown) =>
  gateway.pool.query(`UPDATE tenants SET ${column} = $1 WHERE id = $2`, [value, tenantId]);

async function post(path: string, body: object) {
  const answer = await fetch(`${gateway.origin}/api/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const say = (content = 'Hello there') => [{ role: 'user', content }];
const sent = () => JSON.parse(provider.calls.at(-1)?.body.toString() ?? '{}');

async function settled(check: () => Promise<boolean>) {
  await expect.poll(check).toBe(true);
  provider.calls.length = 0;
}

describe('tenant output cap', () => {
  const isCapped = async () => {
    await post('v1/chat/completions', { model: 'openai', max_tokens: 500, messages: say() });
    return sent().max_tokens === 64;
  };

  it("the tenant's output cap lowers a request's cap in every dialect, and applies if none was sent", async () => {
    await set('max_output_tokens', 64);
    await settled(isCapped);
    const wide = 500;
    const requests: [string, (model: string, cap: number | undefined) => object][] = [
      ['v1/chat/completions', (model, cap) => ({ model, max_tokens: cap, messages: say() })],
      ['v1/messages', (model, cap) => ({ model, max_tokens: cap ?? wide, messages: say() })],
      ['v1/responses', (model, cap) => ({ model, max_output_tokens: cap, input: 'Hello' })],
      [
        'v1beta/models/{model}:generateContent',
        (_, cap) => ({
          contents: [{ parts: [{ text: 'Hello' }] }],
          generationConfig: { maxOutputTokens: cap },
        }),
      ],
    ];
    const answers: Record<string, string> = { anthropic: messageText, google: generatedText };
    for (const [path, request] of requests) {
      for (const [model, readCap] of Object.entries(caps)) {
        provider.script = answers[model] ? answerWith(200, answers[model]) : answerCompletion();
        if (path === 'v1/responses' && model === 'reasoning') provider.script = answerWith(200, responseText);
        for (const cap of [wide, undefined]) {
          provider.calls.length = 0;
          const name = model === 'reasoning' ? 'o3' : model;
          await post(path.replace('{model}', name), request(name, cap));
          const body = sent();
          expect([path, model, readCap(body) ?? body.max_output_tokens]).toEqual([path, model, 64]);
        }
      }
    }
  });

  it("the tenant's output cap leaves a lower cap unchanged, and reports one that it lowered", async () => {
    await set('max_output_tokens', 64);
    await settled(isCapped);
    const low = await post('v1/chat/completions', { model: 'openai', max_tokens: 20, messages: say() });
    expect([sent().max_tokens, low.headers.get('x-sluice-warning')]).toEqual([20, null]);
    const high = await post('v1/chat/completions', { model: 'openai', max_tokens: 500, messages: say() });
    expect(high.headers.get('x-sluice-warning')).toBe(
      "the response is limited to 64 tokens instead of 500 by your organization's max_output_tokens",
    );
  });

  it("the tenant's output cap reduces the hold, so that a request that only fits with it is accepted", async () => {
    await set('max_output_tokens', 64);
    await settled(isCapped);
    await gateway.pool.query('UPDATE users SET daily_quota = 200 WHERE id = $1', [person.userId]);
    await expect
      .poll(async () => {
        await post('v1/chat/completions', { model: 'openai', max_tokens: 5_000, messages: say() });
        return sent().max_tokens;
      })
      .toBe(64);
  });

  it("the tenant's output cap rejects a larger thinking budget with the reason", async () => {
    await set('max_output_tokens', 64);
    await settled(isCapped);
    const refused = await post('v1/messages', {
      model: 'anthropic',
      max_tokens: 2_000,
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      messages: say(),
    });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('Your organization allows 64 tokens per response');
    expect(provider.calls).toEqual([]);
  });
});

describe('trusted models', () => {
  const clear = 'Write a TypeScript function that parses a CSV line and fix the failing import in parser.ts';
  const unclear = 'Review the paper draft and the code examples';
  const code: ErrorCode = 'model_not_trusted';
  const ask = (model: string, prompt: string) =>
    post('v1/chat/completions', { model, messages: say(prompt) });

  it('uncertain prompts are accepted for trusted models and rejected for others, and the score stays below 0.05', async () => {
    await set('trusted_models', ['anth*', 'other']);
    await settled(async () => (await ask('openai', unclear)).status === 403);
    const refused = await ask('openai', unclear);
    expect(JSON.parse(refused.text).error).toMatchObject({ code, param: 'model' });
    expect(provider.calls).toEqual([]);
    for (const [model, prompt] of [
      ['other', unclear],
      ['openai', clear],
    ] as const)
      expect([model, (await ask(model, prompt)).status]).toEqual([model, 200]);
    provider.script = answerWith(200, messageText);
    expect((await ask('anthropic', unclear)).status).toBe(200);
    const countRefusals = async () => {
      const refusals =
        "SELECT FROM request_logs WHERE tenant_id = $1 AND status = 'refused' AND error_code = $2";
      return (await gateway.pool.query(refusals, [tenantId, code])).rowCount;
    };
    await expect.poll(countRefusals).toBe(1);
    const { rows } = await gateway.pool.query('SELECT deviation_score FROM users WHERE id = $1', [
      person.userId,
    ]);
    expect(rows[0].deviation_score).toBeLessThan(0.05);
  });

  it('all models are trusted if no trusted models are set', async () => {
    await settled(async () => (await ask('openai', clear)).status === 200);
    expect((await ask('openai', unclear)).status).toBe(200);
  });
});
