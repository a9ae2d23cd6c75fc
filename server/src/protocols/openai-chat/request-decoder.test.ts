import { describe, expect, it } from 'vitest';
import { parseRequest } from './read-request.ts';

const hello = [{ role: 'user', content: 'hello' }];
const decode = (fields: object) => {
  const parsed = parseRequest(Buffer.from(JSON.stringify({ model: 'm', messages: hello, ...fields })));
  if (!parsed.ok) throw new Error(`the gateway refuses this: ${parsed.problem.message}`);
  return parsed.request.toCanonical();
};
const requestOf = (fields: object) => {
  const decoded = decode(fields);
  if (!decoded.ok) throw new Error(decoded.problem.message);
  return decoded.request;
};
const problemOf = (fields: object) => {
  const decoded = decode(fields);
  return decoded.ok ? null : decoded.problem;
};

const plain = {
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }],
  tools: [],
  stop: [],
  sampling: {},
  extensions: [],
};

describe('decodeRequest', () => {
  it('decodeRequest adds nothing to a minimal request', () => {
    expect(requestOf({})).toEqual(plain);
  });

  it.each<[fields: object, means: object]>([
    [{ max_tokens: 9 }, { outputTokensMax: 9 }],
    [{ max_completion_tokens: 9 }, { outputTokensMax: 9 }],
    [{ max_tokens: 9, max_completion_tokens: 8 }, { outputTokensMax: 8 }],
    [{ n: 3 }, { count: 3 }],
    [{ stop: 'END' }, { stop: ['END'] }],
    [{ stop: ['a', 'b'] }, { stop: ['a', 'b'] }],
    [{ user: 'u1' }, { endUser: 'u1' }],
    [
      { temperature: 0.5, top_p: 0.9, seed: 7, presence_penalty: -1, frequency_penalty: 1 },
      { sampling: { temperature: 0.5, topP: 0.9, seed: 7, presencePenalty: -1, frequencyPenalty: 1 } },
    ],
    [{ temperature: 0, top_p: 0, seed: 0 }, { sampling: { temperature: 0, topP: 0, seed: 0 } }],
    [{ top_k: 40, logit_bias: { 50256: -100 } }, { sampling: { topK: 40, logitBias: { 50256: -100 } } }],
    [{ logprobs: true }, { sampling: { topLogprobs: 0 } }],
    [{ logprobs: true, top_logprobs: 5 }, { sampling: { topLogprobs: 5 } }],
    [{ logprobs: false }, {}],
    [{ parallel_tool_calls: false }, { isParallelToolUse: false }],
    [{ reasoning_effort: 'high' }, { reasoning: { effort: 'high' } }],
    [{ reasoning: { effort: 'low' } }, { reasoning: { effort: 'low' } }],
    [{ reasoning: { max_tokens: 2000 } }, { reasoning: { budgetTokens: 2000 } }],
    [{ reasoning: { enabled: false } }, { reasoning: { effort: 'none' } }],
    [{ reasoning: { effort: 'low', exclude: true } }, { reasoning: { effort: 'low', isShown: false } }],
    [{ thinking: { type: 'disabled' } }, { reasoning: { effort: 'none' } }],
    [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, { reasoning: { budgetTokens: 1024 } }],
    [{ response_format: { type: 'text' } }, {}],
    [{ response_format: { type: 'json_object' } }, { responseFormat: { kind: 'json' } }],
    [
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 's', schema: { type: 'object' }, strict: true, description: 'd' },
        },
      },
      {
        responseFormat: {
          kind: 'json-schema',
          name: 's',
          schema: { type: 'object' },
          isStrict: true,
          description: 'd',
        },
      },
    ],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 's' } } },
      { responseFormat: { kind: 'json-schema', name: 's', schema: {} } },
    ],
    [{ tool_choice: 'auto' }, { toolChoice: { kind: 'auto' } }],
    [{ tool_choice: 'none' }, { toolChoice: { kind: 'none' } }],
    [{ tool_choice: 'required' }, { toolChoice: { kind: 'required' } }],
    [{ tool_choice: 'any' }, { toolChoice: { kind: 'required' } }],
    [
      { tool_choice: { type: 'function', function: { name: 'f' } } },
      { toolChoice: { kind: 'tool', name: 'f' } },
    ],
    [{ modalities: ['text'] }, {}],
    [{ stream: true, stream_options: { include_usage: true }, task_id: 5, format: 'openai' }, {}],
    [{ metadata: { task_id: '5' } }, {}],
  ])('decodeRequest keeps the meaning of %j', (fields, means) => {
    expect(requestOf(fields)).toEqual({ ...plain, ...means });
  });

  it('decodeRequest reads null fields as absent', () => {
    const fields = [
      'max_tokens',
      'n',
      'stop',
      'tools',
      'tool_choice',
      'response_format',
      'user',
      'seed',
      'logprobs',
    ];
    const more = [
      'logit_bias',
      'reasoning_effort',
      'reasoning',
      'thinking',
      'functions',
      'modalities',
      'service_tier',
    ];
    expect(requestOf(Object.fromEntries([...fields, ...more].map((name) => [name, null])))).toEqual(plain);
  });

  it('decodeRequest adds an empty parameter object to tools without parameters', () => {
    const tools = [
      {
        type: 'function',
        function: {
          name: 'f',
          description: 'd',
          strict: true,
          parameters: { type: 'object', properties: { a: {} }, required: ['a'] },
        },
      },
      { type: 'function', function: { name: 'g' } },
      { function: { name: 'h', parameters: {} } },
    ];
    expect(requestOf({ tools }).tools).toEqual([
      {
        name: 'f',
        description: 'd',
        isStrict: true,
        parameters: { type: 'object', properties: { a: {} }, required: ['a'] },
      },
      { name: 'g', parameters: { type: 'object', properties: {} } },
      { name: 'h', parameters: { type: 'object', properties: {} } },
    ]);
  });

  it('decodeRequest lists fields that only chat completions have as extensions', () => {
    const messages = [
      { role: 'system', content: 'a', cache_control: {} },
      { role: 'assistant', content: 'b', prefix: true, cache_control: {} },
      ...hello,
    ];
    const fields = {
      service_tier: 'flex',
      store: true,
      prediction: {},
      x_future: 0,
    };
    expect(requestOf({ messages, ...fields }).extensions.toSorted()).toEqual(
      ['messages.prefix', ...Object.keys(fields)].toSorted(),
    );
  });

  it('decodeRequest does not list fields that are false', () => {
    expect(requestOf({ store: false, echo: null, safe_prompt: false }).extensions).toEqual([]);
  });
});

describe('decodeRequest rejections', () => {
  it.each<[fields: object, param: string]>([
    [{ functions: [{ name: 'f' }] }, 'functions'],
    [{ function_call: 'auto' }, 'function_call'],
    [{ modalities: ['text', 'audio'] }, 'modalities'],
    [{ audio: { voice: 'alloy', format: 'mp3' } }, 'audio'],
    [{ tools: [{ type: 'custom', custom: {} }] }, 'tools[0].custom.name'],
    [{ tool_choice: { type: 'web_search' } }, 'tool_choice'],
    [
      { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [] } } },
      'tool_choice',
    ],
    [{ tools: [{ type: 'function', function: { description: 'nameless' } }] }, 'tools[0].function.name'],
    [
      { tools: [{ type: 'function', function: { name: 'f', parameters: 'none' } }] },
      'tools[0].function.parameters',
    ],
    [{ tool_choice: { type: 'allowed_tools' } }, 'tool_choice'],
    [{ tool_choice: 'sometimes' }, 'tool_choice'],
    [{ response_format: { type: 'grammar' } }, 'response_format.type'],
    [{ response_format: { type: 'json_schema' } }, 'response_format.json_schema'],
    [{ reasoning_effort: 'very' }, 'reasoning_effort'],
    [{ top_logprobs: 99 }, 'top_logprobs'],
    [{ logit_bias: { 1: 'much' } }, 'logit_bias.1'],
  ])('decodeRequest rejects untranslatable and invalid fields with their param: %j', (fields, param) => {
    expect(problemOf(fields)).toMatchObject({
      code: 'invalid_request',
      param,
      message: expect.stringMatching(/\w+/),
    });
  });

  it('decodeRequest rejects legacy functions and suggests a replacement', () => {
    expect(problemOf({ functions: [] })?.message).toContain("'tools'");
  });
});
