import { describe, expect, it } from 'vitest';
import type { Tool } from '../canonical/request.ts';
import { encodeWishes, encodingProblem } from './testing/exchange.ts';

const tool = (name: string, rest: Partial<Tool> = {}): Tool => ({
  name,
  parameters: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  ...rest,
});

it('a request without wishes has the model, the messages and how it is to be answered', () => {
  expect(encodeWishes().body).toEqual({
    model: 'command-a-03-2025',
    messages: [{ role: 'user', content: 'Hello' }],
    stream: false,
  });
  expect(encodeWishes({}, 'command-r', true).body).toMatchObject({ model: 'command-r', stream: true });
});

describe('T1: a tool', () => {
  it('has the shape that OpenAI gave it, without what only OpenAI knows', () => {
    const { body } = encodeWishes({
      tools: [tool('read', { description: 'Reads a file', isStrict: false })],
    });
    expect(body.tools).toEqual([
      {
        type: 'function',
        function: { name: 'read', description: 'Reads a file', parameters: tool('read').parameters },
      },
    ]);
    expect(body).not.toHaveProperty('strict_tools');
  });

  it('is strict when all are', () => {
    const strict = tool('read', { isStrict: true });
    expect(encodeWishes({ tools: [strict] })).toMatchObject({ body: { strict_tools: true }, warnings: [] });
  });

  it.each<[string, Tool[]]>([
    ['others are not', [tool('read', { isStrict: true }), tool('write')]],
    ['it demands no argument', [tool('now', { isStrict: true, parameters: { type: 'object' } })]],
  ])('cannot be strict when %s, which is said', (_, tools) => {
    const { body, warnings } = encodeWishes({ tools });
    expect(body).not.toHaveProperty('strict_tools');
    expect(warnings).toEqual(['strict']);
  });
});

describe('T3: the choice of a tool', () => {
  const tools = [tool('read'), tool('write')];

  it.each([
    ['required', 'REQUIRED'],
    ['none', 'NONE'],
  ] as const)('%s is %s', (kind, word) => {
    const { body } = encodeWishes({ tools, toolChoice: { kind } });
    expect(body.tool_choice).toBe(word);
    expect(body.tools).toHaveLength(2);
  });

  it('auto is what Cohere does anyway', () => {
    expect(encodeWishes({ tools, toolChoice: { kind: 'auto' } }).body).not.toHaveProperty('tool_choice');
  });

  it('one tool is that tool alone, and required', () => {
    const { body, warnings } = encodeWishes({ tools, toolChoice: { kind: 'tool', name: 'write' } });
    expect(body.tools?.map((offered) => offered.function.name)).toEqual(['write']);
    expect(body.tool_choice).toBe('REQUIRED');
    expect(warnings).toEqual([]);
  });

  it('one that is not there is refused', () => {
    expect(encodingProblem({ tools, toolChoice: { kind: 'tool', name: 'run' } })).toEqual({
      code: 'invalid_request',
      param: 'tool_choice',
      message: "There is no tool 'run' among the tools.",
    });
  });

  it('means nothing without tools', () => {
    expect(encodeWishes({ toolChoice: { kind: 'required' } }).body).not.toHaveProperty('tool_choice');
  });
});

it('T4: that calls come one by one cannot be asked for, which is said', () => {
  const tools = [tool('read')];
  expect(encodeWishes({ tools, isParallelToolUse: false }).warnings).toEqual(['parallel_tool_calls']);
  expect(encodeWishes({ tools, isParallelToolUse: true }).warnings).toEqual([]);
});

it('P1: the cap is max_tokens, and absent when nobody named one', () => {
  expect(encodeWishes({ outputTokensMax: 77 }).body.max_tokens).toBe(77);
  expect(encodeWishes().body).not.toHaveProperty('max_tokens');
});

describe('P3: stop sequences', () => {
  it('have a name of their own', () => {
    expect(encodeWishes({ stop: ['a', 'b'] }).body.stop_sequences).toEqual(['a', 'b']);
  });

  it('are at most five', () => {
    expect(encodingProblem({ stop: ['a', 'b', 'c', 'd', 'e'] })).toBeNull();
    expect(encodingProblem({ stop: ['a', 'b', 'c', 'd', 'e', 'f'] })).toMatchObject({
      code: 'invalid_request',
      param: 'stop',
    });
  });
});

describe('P5: a format', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } };

  it('of JSON is a JSON object', () => {
    expect(encodeWishes({ responseFormat: { kind: 'json' } }).body.response_format).toEqual({
      type: 'json_object',
    });
  });

  it('by a schema is a JSON object with that schema', () => {
    const responseFormat = { kind: 'json-schema', name: 'city', schema, isStrict: true } as const;
    expect(encodeWishes({ responseFormat })).toMatchObject({
      body: { response_format: { type: 'json_object', json_schema: schema } },
      warnings: [],
    });
  });

  it.each([{ kind: 'json' }, { kind: 'json-schema', name: 'city', schema }] as const)(
    '$kind is refused beside tools',
    (responseFormat) => {
      expect(encodingProblem({ responseFormat, tools: [tool('read')] })).toMatchObject({
        code: 'invalid_request',
        param: 'response_format',
      });
    },
  );
});

it('P6: several answers are refused, one is not', () => {
  expect(encodingProblem({ count: 2 })).toMatchObject({ code: 'invalid_request', param: 'n' });
  expect(encodingProblem({ count: 1 })).toBeNull();
});

it('G10: what has no place is named', () => {
  const { body, warnings } = encodeWishes({ endUser: 'u1', extensions: ['service_tier', 'store'] });
  expect(warnings).toEqual(['service_tier', 'store', 'user']);
  expect(JSON.stringify(body)).not.toContain('u1');
});
