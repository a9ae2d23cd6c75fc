import { describe, expect, it } from 'vitest';
import { isOllamaCase } from './ollama-cases.ts';
import { ownCases, readRecordedCases, recordedProviders, type WireCase } from './wire-cases.ts';
import { listShapes } from './wire-shapes.ts';

const recorded = recordedProviders.flatMap(readRecordedCases);

function findProtocol(wireCase: WireCase): string {
  const { provider, endpoint } = wireCase;
  if (endpoint === 'responses') return 'openai-responses';
  if (provider === 'anthropic') return 'anthropic-messages';
  if (provider === 'gemini' || provider === 'vertex') return 'gemini';
  if (provider === 'cohere' || isOllamaCase(wireCase)) return provider;
  return 'openai-chat';
}

const shapesOf = (cases: readonly WireCase[]) => new Set(cases.flatMap((one) => [...listShapes(one)]));

describe('listShapes', () => {
  const shape = (body: unknown, sse?: string[]) => [
    ...listShapes({
      name: 'a',
      provider: 'openai',
      endpoint: 'chat',
      features: [],
      request: { path: '/', body },
      response: { status: 200, ...(sse && { sse }) },
    }),
  ];

  it('listShapes returns paths, types and discriminating values', () => {
    expect(
      shape({ messages: [{ role: 'user', content: 'Hello' }, { role: 'user' }], n: 1, stop: null }),
    ).toEqual([
      'chat request object',
      'chat request.messages array',
      'chat request.messages[] object',
      'chat request.messages[].role = user',
      'chat request.messages[].content string',
      'chat request.n number',
      'chat request.stop null',
      'chat response status 200',
    ]);
  });

  it('listShapes omits user-defined names, but not the keywords of schemas', () => {
    const named = (name: string) =>
      shape({
        arguments: { [name]: 1 },
        parameters: { type: 'object', properties: { [name]: { enum: ['a'] } } },
      });
    expect(named('city')).toEqual(named('street'));
    expect(named('city')).toContain('chat request.parameters keyword enum array');
  });

  it('listShapes returns the order of event kinds', () => {
    const events = ['data: {"type":"start"}', 'event: end\ndata: {"type":"end","n":1}', 'data: [DONE]'];
    expect(shape({}, events)).toEqual(
      expect.arrayContaining([
        'chat end after start',
        'chat event: end',
        'chat event.n number',
        'chat data [DONE]',
      ]),
    );
  });
});

// The recorded cases are not part of the repository.
if (recorded.length > 0)
  describe('handwritten wire cases', () => {
    it.each([...ownCases])(
      'handwritten cases of %s cover all shapes of the recorded cases',
      (protocol, own) => {
        const ours = shapesOf(own);
        const theirs = shapesOf(recorded.filter((one) => findProtocol(one) === protocol));
        expect(theirs.size).toBeGreaterThan(20);
        expect([...theirs].filter((shape) => !ours.has(shape))).toEqual([]);
      },
    );

    it('handwritten cases contain no more than 20 characters of a recorded text', () => {
      const length = 21;
      const windows = new Map<string, string>();
      for (const one of [...ownCases.values()].flat())
        for (const text of textsOf(one))
          for (let at = 0; at + length <= text.length; at++)
            windows.set(text.slice(at, at + length), one.name);
      const copied = new Set<string>();
      for (const text of recorded.flatMap(textsOf))
        for (let at = 0; at + length <= text.length; at++) {
          const part = text.slice(at, at + length);
          if (windows.has(part)) copied.add(`${windows.get(part)}: ${part}`);
        }
      expect([...copied]).toEqual([]);
    });
  });

function textsOf({ request, response }: WireCase): string[] {
  const events = (response.sse ?? []).map((event) => {
    const data = event.slice(event.indexOf('data:') + 5);
    return data.trim().startsWith('{') ? readJson(data) : null;
  });
  return [request?.body, response.body, response.ndjson, events].flatMap(listTexts);
}

const vendorAddress = /https:\/\/(?:generativelanguage|storage)\.googleapis\.com\//;

function listTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listTexts);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(listTexts);
  if (typeof value !== 'string') return [];
  const isWord = /^[\w.:/@-]{1,60}$/.test(value);
  return isWord ||
    vendorAddress.test(value) ||
    /^(?:data:[\w/+-]+;base64,)?(?:iVBORw0KGgo|\/9j\/|JVBERi0|UklGR)/.test(value)
    ? []
    : [value];
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
