import { describe, expect, it } from 'vitest';
import { decodeResponse } from './response.ts';

const decode = (fields: object) =>
  decodeResponse(
    Buffer.from(
      JSON.stringify({ id: 'a1', message: { role: 'assistant' }, finish_reason: 'COMPLETE', ...fields }),
    ),
  );
const partsOf = (message: object) => decode({ message })?.choices[0]?.parts;

it('decodeResponse returns the ID, no model, and one choice', () => {
  expect(decode({})).toEqual({
    id: 'a1',
    model: null,
    createdAtSeconds: null,
    choices: [{ parts: [], finish: { reason: 'stop', native: 'COMPLETE' } }],
    usage: null,
  });
});

it('decodeResponse keeps the order of thinking and text parts and drops empty ones', () => {
  const content = [
    { type: 'thinking', thinking: 'Hm.' },
    { type: 'text', text: '' },
    { type: 'text', text: 'Yes.' },
  ];
  expect(partsOf({ content })).toEqual([
    { type: 'reasoning', text: 'Hm.', isRedacted: false },
    { type: 'text', text: 'Yes.' },
  ]);
});

it('decodeResponse accepts content that is a string', () => {
  expect(partsOf({ content: 'Yes.' })).toEqual([{ type: 'text', text: 'Yes.' }]);
});

describe('T13: tool plan', () => {
  it('decodeResponse returns tool_plan as reasoning before the tool calls', () => {
    const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"a":1}' } }];
    expect(partsOf({ tool_plan: 'I will read.', tool_calls })).toEqual([
      { type: 'reasoning', text: 'I will read.', isRedacted: false },
      { type: 'tool-call', id: 'c1', name: 'read', arguments: '{"a":1}' },
    ]);
  });

  it('decodeResponse ignores an empty tool_plan', () => {
    expect(partsOf({ tool_plan: '', content: 'Yes.' })).toEqual([{ type: 'text', text: 'Yes.' }]);
  });
});

it.each(['', 'null', undefined, null, '{}'])(
  'T5: decodeResponse reads arguments written as %j as an empty object',
  (json) => {
    const tool_calls = [{ id: 'c1', function: { name: 'now', arguments: json } }];
    expect(partsOf({ tool_calls })).toEqual([{ type: 'tool-call', id: 'c1', name: 'now', arguments: '{}' }]);
  },
);

it('T6: decodeResponse generates unique, stable IDs for tool calls without IDs', () => {
  const tool_calls = [{ function: { name: 'now' } }, { function: { name: 'now' } }];
  const idsOf = () => partsOf({ tool_calls })?.map((part) => part.type === 'tool-call' && part.id);
  expect(new Set(idsOf()).size).toBe(2);
  expect(idsOf()).toEqual(idsOf());
  expect(idsOf()?.[0]).toMatch(/^call_[a-zA-Z0-9]{24}$/);
});

it('T12: decodeResponse returns the finish reason tool-calls if there are tool calls', () => {
  const tool_calls = [{ id: 'c1', function: { name: 'now' } }];
  expect(decode({ message: { tool_calls } })?.choices[0]?.finish.reason).toBe('tool-calls');
});

it('G2: decodeResponse ignores citations, unknown parts, and unknown fields', () => {
  const message = {
    content: [{ type: 'hologram', data: 7 }, null, 'loose', { type: 'text', text: 'Yes.' }],
    citations: [{ start: 0, end: 3, text: 'Yes', sources: [] }],
    mood: 'good',
  };
  expect(partsOf(message)).toEqual([{ type: 'text', text: 'Yes.' }]);
});

it.each(['', '<html></html>', 'null', '7', '[]', '{}', '{"message":null}'])(
  'decodeResponse returns null for %s',
  (body) => {
    expect(decodeResponse(Buffer.from(body))).toBeNull();
  },
);
