import { describe, expect, it } from 'vitest';
import { protocols } from '../registry.ts';
import { describeTarget, upstreams } from '../testing/translation/page.ts';
import { limitCacheMarks } from './cache-marks.ts';

const mark = { cache_control: { type: 'ephemeral' } };
const text = (name: string) => ({ type: 'text', text: name, ...mark });

function countMarks(value: object): number {
  return JSON.stringify(value).split('"cache_control"').length - 1;
}

const places: Readonly<Record<string, (count: number) => object>> = {
  parts: (count) => ({
    messages: [{ role: 'user', content: Array.from({ length: count }, (_, at) => text(`part ${at}`)) }],
  }),
  messages: (count) => ({
    messages: Array.from({ length: count * 2 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `message ${at}`,
      ...(at % 2 === 0 && mark),
    })),
  }),
  'system messages': (count) => ({
    messages: [
      ...Array.from({ length: count }, (_, at) => ({ role: 'system', content: `rule ${at}`, ...mark })),
      { role: 'user', content: 'Hi' },
    ],
  }),
  tools: (count) => ({
    tools: Array.from({ length: count }, (_, at) => ({
      type: 'function',
      function: { name: `tool_${at}`, parameters: { type: 'object', properties: {} } },
      ...mark,
    })),
    messages: [{ role: 'user', content: 'Hi' }],
  }),
  'tool results': (count) => ({
    tools: [{ type: 'function', function: { name: 'find', parameters: { type: 'object' } } }],
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        tool_calls: Array.from({ length: count }, (_, at) => ({
          id: `call_${at}`,
          type: 'function',
          function: { name: 'find', arguments: '{}' },
        })),
      },
      ...Array.from({ length: count }, (_, at) => ({
        role: 'tool',
        tool_call_id: `call_${at}`,
        content: [text(`result ${at}`)],
      })),
    ],
  }),
};

function translate(body: object) {
  const bytes = Buffer.from(JSON.stringify({ model: 'm', ...body }));
  const parsed = protocols['openai-chat'].caller.parseRequest(bytes);
  const decoded = parsed.ok ? parsed.request.toCanonical() : parsed;
  if (!decoded.ok) throw new Error(decoded.problem.message);
  const { key, model, service } = upstreams['anthropic-messages'];
  const target = { ...describeTarget(key, service, model), isStream: false };
  const encoded = protocols['anthropic-messages'].provider.encodeRequest(decoded.request, target);
  if (!encoded.ok) throw new Error(encoded.problem.message);
  return encoded;
}

const cases = Object.keys(places).flatMap((place) =>
  [0, 1, 4, 5, 20].map((count) => ({ place, count, body: places[place]!(count) })),
);

describe('cache marks', () => {
  it.each(cases.filter(({ count, place }) => count > 0 || place === 'tools'))(
    '$count marks on $place of a chat request become at most 4, with a warning if any is removed',
    ({ body, count }) => {
      const { body: sent, warnings } = translate(body);
      expect(countMarks(sent)).toBe(Math.min(count, 4));
      expect(warnings.includes('cache_control')).toBe(count > 4);
    },
  );

  it('reducing cache marks keeps the last marks and does not change tool arguments', () => {
    const input = { cache_control: 'kept' };
    const body = {
      tools: [{ name: 'a', input_schema: { properties: { cache_control: {} } }, ...mark }],
      system: [text('one'), text('two')],
      messages: [
        { role: 'user', content: [text('three')] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'a', input, ...mark }] },
        { role: 'user', content: [{ type: 'tool_result', content: [text('four')], ...mark }] },
      ],
    };
    const { body: sent, isReduced } = limitCacheMarks(body);
    expect(isReduced).toBe(true);
    expect(sent).toEqual({
      tools: [{ name: 'a', input_schema: { properties: { cache_control: {} } } }],
      system: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
      messages: body.messages,
    });
  });

  it('a Messages request keeps all its cache marks', () => {
    const content = Array.from({ length: 6 }, (_, at) => text(`part ${at}`));
    const bytes = Buffer.from(
      JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] }),
    );
    const parsed = protocols['anthropic-messages'].caller.parseRequest(bytes, {
      model: null,
      isStream: null,
    });
    expect(String(parsed.ok && parsed.request.encodeFor('m'))).toBe(bytes.toString());
  });
});
