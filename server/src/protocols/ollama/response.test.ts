import { describe, expect, it } from 'vitest';
import { decodeResponse } from './response.ts';

const decode = (fields: object) =>
  decodeResponse(
    Buffer.from(
      JSON.stringify({
        model: 'qwen3:8b',
        created_at: '2026-09-01T10:00:00.123456789Z',
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: 'stop',
        ...fields,
      }),
    ),
  );
const partsOf = (message: object) => decode({ message })?.choices[0]?.parts;
const idsOf = (tool_calls: object[], fields: object = {}) =>
  decode({ message: { tool_calls }, ...fields })?.choices[0]?.parts.map(
    (part) => part.type === 'tool-call' && part.id,
  );

it('decodeResponse returns the model and time, no ID, and one choice', () => {
  expect(decode({})).toEqual({
    id: null,
    model: 'qwen3:8b',
    createdAtSeconds: Date.UTC(2026, 8, 1, 10) / 1_000,
    choices: [{ parts: [], finish: { reason: 'stop', native: 'stop' } }],
    usage: null,
  });
});

it.each(['', 'yesterday', 7, null])('decodeResponse ignores created_at written as %j', (created_at) => {
  expect(decode({ created_at })).toMatchObject({ createdAtSeconds: null });
});

it('decodeResponse returns reasoning before the text', () => {
  expect(partsOf({ content: 'Yes.', thinking: 'Hm.' })).toEqual([
    { type: 'reasoning', text: 'Hm.', isRedacted: false },
    { type: 'text', text: 'Yes.' },
  ]);
});

describe('T5: tool call arguments', () => {
  it.each<[unknown, string]>([
    [{ a: 1 }, '{"a":1}'],
    [{}, '{}'],
    [null, '{}'],
    [undefined, '{}'],
    ['{"a":1}', '{"a":1}'],
    ['', '{}'],
  ])('decodeResponse reads the arguments %j as %s', (input, json) => {
    expect(partsOf({ tool_calls: [{ function: { name: 'read', arguments: input } }] })).toMatchObject([
      { type: 'tool-call', name: 'read', arguments: json },
    ]);
  });

  it('decodeResponse keeps the digits of long numbers in arguments', () => {
    const body = `{"message":{"tool_calls":[{"function":{"name":"read","arguments":{"id":12345678901234567890}}}]},"done":true}`;
    expect(decodeResponse(Buffer.from(body))?.choices[0]?.parts).toMatchObject([
      { arguments: '{"id":12345678901234567890}' },
    ]);
  });
});

describe('T6: tool call IDs', () => {
  const now = { function: { name: 'now', arguments: {} } };

  it('decodeResponse keeps the ID of a tool call', () => {
    expect(idsOf([{ id: 'call_2k7ryu9k', ...now }])).toEqual(['call_2k7ryu9k']);
  });

  it('decodeResponse generates unique, stable IDs for tool calls without IDs', () => {
    const ids = idsOf([now, now]);
    expect(new Set(ids).size).toBe(2);
    expect(ids?.[0]).toMatch(/^call_[a-zA-Z0-9]{24}$/);
    expect(idsOf([now, now])).toEqual(ids);
  });

  it('decodeResponse generates different tool call IDs for different turns', () => {
    expect(idsOf([now])).not.toEqual(idsOf([now], { created_at: '2026-09-01T10:00:00.123456790Z' }));
  });
});

it('T12: decodeResponse returns tool-calls if there are tool calls, although Ollama sends stop', () => {
  const message = { content: '', tool_calls: [{ function: { name: 'now', arguments: {} } }] };
  expect(decode({ message })?.choices[0]?.finish).toEqual({ reason: 'tool-calls', native: 'stop' });
});

it('decodeResponse accepts a missing done_reason from older servers', () => {
  expect(decode({ done_reason: undefined })?.choices[0]?.finish).toEqual({ reason: 'stop', native: null });
});

it('U7: decodeResponse reads usage from the two counters', () => {
  expect(decode({ prompt_eval_count: 17, eval_count: 66 })?.usage).toMatchObject({
    inputTokens: 17,
    outputTokens: 66,
  });
});

it('G2: decodeResponse ignores unknown fields and invalid tool calls', () => {
  expect(partsOf({ content: 'Yes.', mood: 'good', tool_calls: [null, 7], images: null })).toEqual([
    { type: 'text', text: 'Yes.' },
  ]);
});

it('decodeResponse returns null if done is false', () => {
  expect(decode({ done: false })).toBeNull();
});

it.each(['', '<html></html>', 'null', '7', '[]', '{}', '{"message":"no"}', '{"done":true}'])(
  'decodeResponse returns null for %s',
  (body) => {
    expect(decodeResponse(Buffer.from(body))).toBeNull();
  },
);
