import { describe, expect, it } from 'vitest';
import { callerProtocols, passWhole } from '#test/requests/through-callers.ts';
import type { CanonicalRequest, ResponseFormat } from './canonical/request.ts';
import type { Protocol } from './protocol.ts';
import { protocols } from './registry.ts';

const target = {
  model: 'claude-opus-4-8',
  isStream: false,
  defaultOutputTokensMax: 100,
  isReasoningModel: false,
};

/** Creates a request whose call, result, tool and answer format contain the name, at the top level and nested. */
function makeRequest(name: string): CanonicalRequest {
  const value = JSON.stringify({ [name]: 1, inner: { [name]: [1] } });
  const schema = { [name]: 'a note', properties: { [name]: { type: 'string' } }, type: 'object' };
  const call = { type: 'tool-call', id: 'c1', name: 'measure', arguments: value } as const;
  const result = { callId: 'c1', name: 'measure', parts: [{ type: 'text', text: value }] } as const;
  return {
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'How long?' }] },
      { role: 'assistant', parts: [call] },
      { role: 'user', parts: [{ type: 'tool-result', ...result, isError: false }] },
    ],
    tools: [{ name: 'measure', parameters: schema }],
    stop: [],
    sampling: {},
    extensions: [],
  };
}

const encode = ({ provider }: Protocol, request: CanonicalRequest): string => {
  const encoded = provider.encodeRequest(request, target);
  if (!encoded.ok) throw new Error(encoded.problem.message);
  return JSON.stringify(encoded.body);
};

describe.each(callerProtocols)('property names chosen by a caller of $id', (protocol) => {
  const read = (request: CanonicalRequest): CanonicalRequest => {
    const body = Buffer.from(encode(protocol, request));
    const parsed = protocol.caller.parseRequest(body, { model: 'm', isStream: false });
    const decoded = parsed.ok ? parsed.request.toCanonical() : parsed;
    if (!decoded.ok) throw new Error(decoded.problem.message);
    return decoded.request;
  };

  it.each(['__proto__', 'constructor', 'toString'])(
    'property names such as %s reach every provider in arguments, results and schemas',
    (name) => {
      const request = read(makeRequest(name));
      for (const other of Object.values<Protocol>(protocols))
        expect([other.id, encode(other, request).split(name).length - 1]).toEqual([other.id, 6]);
    },
  );

  it('the property name __proto__ is kept when the schema of the response format is decoded', () => {
    const schema = { type: 'object', ['__proto__']: 'a note' };
    const responseFormat: ResponseFormat = { kind: 'json-schema', name: 'answer', schema };
    const request = read({
      ...makeRequest('a'),
      messages: makeRequest('a').messages.slice(0, 1),
      tools: [],
      responseFormat,
    });
    expect(JSON.stringify(request.responseFormat)).toContain('"__proto__":"a note"');
  });

  it('the property name __proto__ is returned to the caller in call arguments', () => {
    const json = '{"__proto__":{"a":1}}';
    const parts = [{ type: 'tool-call', id: 'c1', name: 'measure', arguments: json } as const];
    const finish = { reason: 'tool-calls', native: null } as const;
    const answer = { id: 'a', model: 'm', createdAtSeconds: null, usage: null };
    const told = passWhole(protocol, { ...answer, choices: [{ parts, finish }] });
    expect(told.choices[0]?.parts).toMatchObject([{ arguments: json }]);
  });
});
