import { expect, it } from 'vitest';
import { GatewayError } from '#errors/gateway-error.ts';
import { PacedWork, Turns } from '#platform/paced-work.ts';
import { protocols } from '#protocols/registry.ts';
import { providers } from '#providers/registry.ts';
import { createEncoder } from './encode-for-provider.ts';
import { collectRefusals } from './refusals.ts';

const request = { model: 'm', max_tokens: 900, messages: [{ role: 'user', content: 'Hi' }] };

const encode = async (body: object, provider: keyof typeof providers) => {
  const parsed = protocols['openai-chat'].caller.parseRequest(Buffer.from(JSON.stringify(body)));
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const knowledge = { facts: null, refusals: collectRefusals([]) };
  const service = providers[provider].chat;
  const encoded = await createEncoder(
    parsed.request,
    new PacedWork(new Turns(), 'a user'),
  )({
    model: 'm',
    service,
    knowledge,
    isAccountShared: false,
  });
  if (encoded instanceof GatewayError) throw encoded;
  return async (cap: number | null = null) => JSON.parse((await encoded.encodeBody(cap, 0)).toString());
};

it.each(['mistral', 'anthropic'] as const)(
  "a request for %s keeps its output cap, or gets the gateway's",
  async (provider) => {
    const bodyOf = await encode(request, provider);
    expect(await bodyOf()).toMatchObject({ max_tokens: 900 });
    expect(await bodyOf(5)).toEqual({ ...(await bodyOf()), max_tokens: 5 });
    expect(await bodyOf()).toMatchObject({ max_tokens: 900 });
  },
);
