import { describe, expect, it } from 'vitest';
import type { Sampling, Tool } from '../canonical/request.ts';
import { encodeWishes, encodingProblem } from './testing/exchange.ts';

const tool = (name: string, rest: Partial<Tool> = {}): Tool => ({
  name,
  parameters: { type: 'object', properties: {} },
  ...rest,
});

it('P8: encodeRequest sets stream to false for a complete response, because Ollama streams by default', () => {
  expect(encodeWishes().body).toEqual({
    model: 'qwen3:8b',
    messages: [{ role: 'user', content: 'Hello' }],
    stream: false,
    truncate: false,
    shift: false,
  });
  expect(encodeWishes({}, 'llama3', true).body).toMatchObject({ model: 'llama3', stream: true });
});

it('A8: encodeRequest disables truncation of the conversation', () => {
  expect(encodeWishes().body).toMatchObject({ truncate: false, shift: false });
});

describe('T1: tools', () => {
  it("encodeRequest sends tools in OpenAI's format without OpenAI-only fields", () => {
    const { body, warnings } = encodeWishes({
      tools: [tool('read', { description: 'Reads a file', isStrict: true })],
    });
    expect(body.tools).toEqual([
      {
        type: 'function',
        function: {
          name: 'read',
          description: 'Reads a file',
          parameters: { type: 'object', properties: {} },
        },
      },
    ]);
    expect(warnings).toEqual(['strict']);
  });
});

describe('T3: tool choice', () => {
  const tools = [tool('read'), tool('write')];
  const encode = (toolChoice: Parameters<typeof encodeWishes>[0] & object) => {
    const { body, warnings } = encodeWishes({ tools, ...toolChoice });
    expect(body).not.toHaveProperty('tool_choice');
    return { names: body.tools?.map((offered) => offered.function.name), warnings };
  };

  it("encodeRequest omits tool choice auto, which is Ollama's default", () => {
    expect(encode({ toolChoice: { kind: 'auto' } })).toEqual({ names: ['read', 'write'], warnings: [] });
  });

  it('encodeRequest sends no tools for tool choice none', () => {
    expect(encode({ toolChoice: { kind: 'none' } })).toEqual({ names: undefined, warnings: [] });
  });

  it('encodeRequest warns that tool choice required cannot be enforced', () => {
    expect(encode({ toolChoice: { kind: 'required' } })).toEqual({
      names: ['read', 'write'],
      warnings: ['tool_choice'],
    });
  });

  it('encodeRequest sends only the chosen tool and warns that it cannot be enforced', () => {
    expect(encode({ toolChoice: { kind: 'tool', name: 'write' } })).toEqual({
      names: ['write'],
      warnings: ['tool_choice'],
    });
  });

  it('encodeRequest rejects a tool choice that is not among the tools', () => {
    expect(encodingProblem({ tools, toolChoice: { kind: 'tool', name: 'run' } })).toMatchObject({
      code: 'invalid_request',
      param: 'tool_choice',
    });
  });
});

it('T4: encodeRequest warns that parallel tool calls cannot be disabled', () => {
  const tools = [tool('read')];
  expect(encodeWishes({ tools, isParallelToolUse: false }).warnings).toEqual(['parallel_tool_calls']);
  expect(encodeWishes({ tools, isParallelToolUse: true }).warnings).toEqual([]);
});

describe('P1, P3, P6: options', () => {
  it('encodeRequest sends the output token limit, stop sequences, and sampling parameters as options', () => {
    const sampling: Sampling = {
      temperature: 1.5,
      topP: 0.9,
      topK: 40,
      seed: 7,
      presencePenalty: -1,
      frequencyPenalty: 0,
    };
    const { body, warnings } = encodeWishes({ outputTokensMax: 77, stop: ['a', 'b'], sampling });
    expect(body.options).toEqual({
      num_predict: 77,
      stop: ['a', 'b'],
      temperature: 1.5,
      top_p: 0.9,
      top_k: 40,
      seed: 7,
      presence_penalty: -1,
      frequency_penalty: 0,
    });
    expect(warnings).toEqual([]);
  });

  it('encodeRequest omits options if none are set', () => {
    expect(encodeWishes().body).not.toHaveProperty('options');
  });

  it.each<[Sampling, string]>([
    [{ logitBias: { 7: -100 } }, 'logit_bias'],
    [{ topLogprobs: 2 }, 'logprobs'],
  ])('encodeRequest omits %j from the options with a warning', (sampling, name) => {
    const { body, warnings } = encodeWishes({ sampling });
    expect(body).not.toHaveProperty('options');
    expect(warnings).toEqual([name]);
  });

  it('encodeRequest omits an empty logit_bias without a warning', () => {
    expect(encodeWishes({ sampling: { logitBias: {} } }).warnings).toEqual([]);
  });
});

describe('P5: response format', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } };

  it('encodeRequest maps the JSON format to the string json', () => {
    expect(encodeWishes({ responseFormat: { kind: 'json' } }).body.format).toBe('json');
  });

  it('encodeRequest sends a JSON schema as the format', () => {
    const responseFormat = { kind: 'json-schema', name: 'city', schema } as const;
    expect(encodeWishes({ responseFormat })).toMatchObject({ body: { format: schema }, warnings: [] });
  });

  it('encodeRequest maps an empty JSON schema to the string json', () => {
    expect(
      encodeWishes({ responseFormat: { kind: 'json-schema', name: 'any', schema: {} } }).body.format,
    ).toBe('json');
  });
});

it('P6: encodeRequest rejects a count above 1', () => {
  expect(encodingProblem({ count: 2 })).toMatchObject({ code: 'invalid_request', param: 'n' });
  expect(encodingProblem({ count: 1 })).toBeNull();
});

it('G10: encodeRequest omits extensions and the end user with a warning each', () => {
  const { body, warnings } = encodeWishes({ endUser: 'u1', extensions: ['service_tier'] });
  expect(warnings).toEqual(['service_tier', 'user']);
  expect(JSON.stringify(body)).not.toContain('u1');
});
