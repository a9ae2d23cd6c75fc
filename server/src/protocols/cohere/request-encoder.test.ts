import { describe, expect, it } from 'vitest';
import type { Tool } from '../canonical/request.ts';
import { encodeWishes, encodingProblem } from './testing/exchange.ts';

const tool = (name: string, rest: Partial<Tool> = {}): Tool => ({
  name,
  parameters: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  ...rest,
});

it('encodeRequest sends only model, messages, and stream by default', () => {
  expect(encodeWishes().body).toEqual({
    model: 'command-a-03-2025',
    messages: [{ role: 'user', content: 'Hello' }],
    stream: false,
  });
  expect(encodeWishes({}, 'command-r', true).body).toMatchObject({ model: 'command-r', stream: true });
});

describe('T1: tools', () => {
  it("encodeRequest sends tools in OpenAI's format without OpenAI-only fields", () => {
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

  it('encodeRequest sets strict_tools if all tools are strict', () => {
    const strict = tool('read', { isStrict: true });
    expect(encodeWishes({ tools: [strict] })).toMatchObject({ body: { strict_tools: true }, warnings: [] });
  });

  it.each<[string, Tool[]]>([
    ['another tool is not strict', [tool('read', { isStrict: true }), tool('write')]],
    ['a tool has no required parameter', [tool('now', { isStrict: true, parameters: { type: 'object' } })]],
  ])('encodeRequest does not set strict_tools and warns if %s', (_, tools) => {
    const { body, warnings } = encodeWishes({ tools });
    expect(body).not.toHaveProperty('strict_tools');
    expect(warnings).toEqual(['strict']);
  });
});

describe('T3: tool choice', () => {
  const tools = [tool('read'), tool('write')];

  it.each([
    ['required', 'REQUIRED'],
    ['none', 'NONE'],
  ] as const)('encodeRequest sends the tool choice %s as %s', (kind, word) => {
    const { body } = encodeWishes({ tools, toolChoice: { kind } });
    expect(body.tool_choice).toBe(word);
    expect(body.tools).toHaveLength(2);
  });

  it("encodeRequest omits tool_choice auto, which is Cohere's default", () => {
    expect(encodeWishes({ tools, toolChoice: { kind: 'auto' } }).body).not.toHaveProperty('tool_choice');
  });

  it('encodeRequest sends only the chosen tool with tool_choice REQUIRED', () => {
    const { body, warnings } = encodeWishes({ tools, toolChoice: { kind: 'tool', name: 'write' } });
    expect(body.tools?.map((offered) => offered.function.name)).toEqual(['write']);
    expect(body.tool_choice).toBe('REQUIRED');
    expect(warnings).toEqual([]);
  });

  it('encodeRequest rejects a tool choice that is not among the tools', () => {
    expect(encodingProblem({ tools, toolChoice: { kind: 'tool', name: 'run' } })).toEqual({
      code: 'invalid_request',
      param: 'tool_choice',
      message: "The tool 'run' is not in the list of tools.",
    });
  });

  it('encodeRequest omits tool_choice without tools', () => {
    expect(encodeWishes({ toolChoice: { kind: 'required' } }).body).not.toHaveProperty('tool_choice');
  });
});

it('T4: encodeRequest warns that parallel tool calls cannot be disabled', () => {
  const tools = [tool('read')];
  expect(encodeWishes({ tools, isParallelToolUse: false }).warnings).toEqual(['parallel_tool_calls']);
  expect(encodeWishes({ tools, isParallelToolUse: true }).warnings).toEqual([]);
});

it('P1: encodeRequest sends the output token limit as max_tokens only if it is set', () => {
  expect(encodeWishes({ outputTokensMax: 77 }).body.max_tokens).toBe(77);
  expect(encodeWishes().body).not.toHaveProperty('max_tokens');
});

describe('P3: stop sequences', () => {
  it('encodeRequest sends stop as stop_sequences', () => {
    expect(encodeWishes({ stop: ['a', 'b'] }).body.stop_sequences).toEqual(['a', 'b']);
  });

  it('encodeRequest rejects more than five stop sequences', () => {
    expect(encodingProblem({ stop: ['a', 'b', 'c', 'd', 'e'] })).toBeNull();
    expect(encodingProblem({ stop: ['a', 'b', 'c', 'd', 'e', 'f'] })).toMatchObject({
      code: 'invalid_request',
      param: 'stop',
    });
  });
});

describe('P5: response format', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } };

  it('encodeRequest maps the JSON format to json_object', () => {
    expect(encodeWishes({ responseFormat: { kind: 'json' } }).body.response_format).toEqual({
      type: 'json_object',
    });
  });

  it('encodeRequest maps a JSON schema to json_object with that schema', () => {
    const responseFormat = { kind: 'json-schema', name: 'city', schema, isStrict: true } as const;
    expect(encodeWishes({ responseFormat })).toMatchObject({
      body: { response_format: { type: 'json_object', json_schema: schema } },
      warnings: [],
    });
  });

  it.each([{ kind: 'json' }, { kind: 'json-schema', name: 'city', schema }] as const)(
    'encodeRequest rejects the response format $kind together with tools',
    (responseFormat) => {
      expect(encodingProblem({ responseFormat, tools: [tool('read')] })).toMatchObject({
        code: 'invalid_request',
        param: 'response_format',
      });
    },
  );
});

it('P6: encodeRequest rejects a count above 1', () => {
  expect(encodingProblem({ count: 2 })).toMatchObject({ code: 'invalid_request', param: 'n' });
  expect(encodingProblem({ count: 1 })).toBeNull();
});

it('G10: encodeRequest omits extensions and the end user with a warning each', () => {
  const { body, warnings } = encodeWishes({ endUser: 'u1', extensions: ['service_tier', 'store'] });
  expect(warnings).toEqual(['service_tier', 'store', 'user']);
  expect(JSON.stringify(body)).not.toContain('u1');
});
