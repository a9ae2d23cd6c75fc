import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatewayError } from '#errors/gateway-error.ts';
import type { Protocol } from '#protocols/protocol.ts';
import { protocols } from '#protocols/registry.ts';
import { createAttemptStage } from '#test/console/attempt-stage.ts';
import {
  answerWith,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import { readWireCases, type WireCase } from '#test/requests/wire-cases.ts';

const vendors =
  'alibaba anthropic azure cohere deepseek gemini groq huggingface mistral moonshotai ollama openai openrouter perplexity together vertex xai';

const byWords: readonly (readonly [name: RegExp, told: [status: number, code: string]])[] = [
  [/insufficient-quota/, [502, 'provider_out_of_credit']],
  [/gemini.*auth-error/, [502, 'provider_auth_failed']],
  [
    /context-length-exceeded|context-too-long|prompt-too-long|too-many-tokens/,
    [400, 'context_length_exceeded'],
  ],
];

function expectTold({ name, response: { status } }: WireCase): [status: number, code: string] {
  const told = byWords.find(([pattern]) => pattern.test(name))?.[1];
  if (told) return told;
  if (status === 401 || status === 403) return [502, 'provider_auth_failed'];
  if (status === 402) return [502, 'provider_out_of_credit'];
  if (status === 429) return [429, 'rate_limited'];
  if (status === 503 || status === 529) return [502, 'upstream_overloaded'];
  return status >= 500 ? [502, 'upstream_error'] : [status, 'provider_rejected'];
}

function findProtocol({ provider, endpoint }: WireCase): Protocol | undefined {
  const id = /^(cohere|ollama)$/.test(provider)
    ? provider
    : /generateContent/i.test(endpoint)
      ? 'gemini'
      : { chat: 'openai-chat', messages: 'anthropic-messages', responses: 'openai-responses' }[endpoint];
  return Object.values<Protocol>(protocols).find((protocol) => protocol.id === id);
}

const refusals = vendors
  .split(' ')
  .flatMap(readWireCases)
  .filter(({ response: { status } }) => status >= 400)
  .flatMap((refusal) => {
    const protocol = findProtocol(refusal);
    return protocol ? [{ ...refusal, protocol }] : [];
  });

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await startScriptedProvider();
});
afterAll(() => provider.close());

describe('recorded provider errors', () => {
  it.each(refusals)(
    'a recorded provider error is mapped by its meaning: $provider, $endpoint, $name',
    async ({ response: { status, body, headers = {} }, protocol, ...refusal }) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      provider.script = answerWith(status, text, { ...headers });
      const error: unknown = await createAttemptStage({ retriesMax: 0 })
        .run([provider.origin], { protocol })
        .result.catch((reason: unknown) => reason);
      if (!(error instanceof GatewayError)) throw new Error('it should have been refused', { cause: error });
      const isOwnCode =
        error.code === 'provider_rejected' && error.providerCode === 'context_length_exceeded';
      expect([error.status, isOwnCode ? error.providerCode : error.code]).toEqual(
        expectTold({ ...refusal, response: { status } }),
      );
      const waitMs = Number(headers['retry-after-ms']) || Number(headers['retry-after']) * 1000;
      if (!Number.isNaN(waitMs)) expect(error.retryAfterMs).toBe(waitMs);
      expect(error.message).not.toMatch(/undefined|\[object|<html/);
    },
  );
});
