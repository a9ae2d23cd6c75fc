import { expect, it } from 'vitest';
import { GatewayError } from '#errors/gateway-error.ts';
import { protocols } from '#protocols/registry.ts';
import { providers } from '#providers/registry.ts';
import { createEncoder } from './encode-for-provider.ts';

const request = { model: 'm', max_tokens: 900, messages: [{ role: 'user', content: 'Hi' }] };

const encode = (body: object, provider: keyof typeof providers) => {
  const parsed = protocols['openai-chat'].caller.parseRequest(Buffer.from(JSON.stringify(body)));
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const encoded = createEncoder(parsed.request)('m', providers[provider].chat);
  if (encoded instanceof GatewayError) throw encoded;
  return (cap: number | null = null) => JSON.parse(encoded.encodeBody(cap).toString());
};

it.each(['openai', 'anthropic'] as const)(
  'a request for %s keeps its cap, or takes that of the gate',
  (provider) => {
    const bodyOf = encode(request, provider);
    expect(bodyOf()).toMatchObject({ max_tokens: 900 });
    expect(bodyOf(5)).toEqual({ ...bodyOf(), max_tokens: 5 });
    expect(bodyOf()).toMatchObject({ max_tokens: 900 });
  },
);
