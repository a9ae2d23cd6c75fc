import { describe, expect, it } from 'vitest';
import type { Sampling, Tool } from '../canonical/request.ts';
import { encodeWishes, encodingProblem } from './testing/exchange.ts';

const tool = (name: string, rest: Partial<Tool> = {}): Tool => ({
  name,
  parameters: { type: 'object', properties: {} },
  ...rest,
});

it('P8: a whole answer must be asked for, since Ollama streams by itself', () => {
  expect(encodeWishes().body).toEqual({
    model: 'qwen3:8b',
    messages: [{ role: 'user', content: 'Hello' }],
    stream: false,
    truncate: false,
    shift: false,
  });
  expect(encodeWishes({}, 'llama3', true).body).toMatchObject({ model: 'llama3', stream: true });
});

it('A8: half a conversation is never answered in silence', () => {
  expect(encodeWishes().body).toMatchObject({ truncate: false, shift: false });
});

describe('T1: a tool', () => {
  it('has the shape that OpenAI gave it, without what only OpenAI knows', () => {
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

describe('T3: the choice of a tool', () => {
  const tools = [tool('read'), tool('write')];
  const encode = (toolChoice: Parameters<typeof encodeWishes>[0] & object) => {
    const { body, warnings } = encodeWishes({ tools, ...toolChoice });
    expect(body).not.toHaveProperty('tool_choice');
    return { names: body.tools?.map((offered) => offered.function.name), warnings };
  };

  it('auto is what Ollama does anyway', () => {
    expect(encode({ toolChoice: { kind: 'auto' } })).toEqual({ names: ['read', 'write'], warnings: [] });
  });

  it('none offers none', () => {
    expect(encode({ toolChoice: { kind: 'none' } })).toEqual({ names: undefined, warnings: [] });
  });

  it('required cannot be enforced, which is said', () => {
    expect(encode({ toolChoice: { kind: 'required' } })).toEqual({
      names: ['read', 'write'],
      warnings: ['tool_choice'],
    });
  });

  it('one tool is offered alone, which cannot be enforced either', () => {
    expect(encode({ toolChoice: { kind: 'tool', name: 'write' } })).toEqual({
      names: ['write'],
      warnings: ['tool_choice'],
    });
  });

  it('one that is not there is refused', () => {
    expect(encodingProblem({ tools, toolChoice: { kind: 'tool', name: 'run' } })).toMatchObject({
      code: 'invalid_request',
      param: 'tool_choice',
    });
  });
});

it('T4: that calls come one by one cannot be asked for, which is said', () => {
  const tools = [tool('read')];
  expect(encodeWishes({ tools, isParallelToolUse: false }).warnings).toEqual(['parallel_tool_calls']);
  expect(encodeWishes({ tools, isParallelToolUse: true }).warnings).toEqual([]);
});

describe('P1, P3, P6: the options', () => {
  it('hold the cap, the stop sequences and all sampling, by names of their own', () => {
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

  it('are absent when nobody asked for any', () => {
    expect(encodeWishes().body).not.toHaveProperty('options');
  });

  it.each<[Sampling, string]>([
    [{ logitBias: { 7: -100 } }, 'logit_bias'],
    [{ topLogprobs: 2 }, 'logprobs'],
  ])('have no place for %j, which is said', (sampling, name) => {
    const { body, warnings } = encodeWishes({ sampling });
    expect(body).not.toHaveProperty('options');
    expect(warnings).toEqual([name]);
  });

  it('say nothing of what says nothing', () => {
    expect(encodeWishes({ sampling: { logitBias: {} } }).warnings).toEqual([]);
  });
});

describe('P5: a format', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } };

  it('of JSON is the word for it', () => {
    expect(encodeWishes({ responseFormat: { kind: 'json' } }).body.format).toBe('json');
  });

  it('by a schema is the schema', () => {
    const responseFormat = { kind: 'json-schema', name: 'city', schema } as const;
    expect(encodeWishes({ responseFormat })).toMatchObject({ body: { format: schema }, warnings: [] });
  });

  it('by a schema that demands nothing is any JSON', () => {
    expect(
      encodeWishes({ responseFormat: { kind: 'json-schema', name: 'any', schema: {} } }).body.format,
    ).toBe('json');
  });
});

it('P6: several answers are refused, one is not', () => {
  expect(encodingProblem({ count: 2 })).toMatchObject({ code: 'invalid_request', param: 'n' });
  expect(encodingProblem({ count: 1 })).toBeNull();
});

it('G10: what has no place is named', () => {
  const { body, warnings } = encodeWishes({ endUser: 'u1', extensions: ['service_tier'] });
  expect(warnings).toEqual(['service_tier', 'user']);
  expect(JSON.stringify(body)).not.toContain('u1');
});
