import { describe, expect, it } from 'vitest';
import { decode, decodingProblem } from './testing/exchange.ts';

describe('decodeRequest', () => {
  it('decodeRequest adds nothing to a minimal request', () => {
    expect(decode()).toEqual({
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
      tools: [],
      stop: [],
      sampling: {},
      extensions: [],
    });
  });

  it('decodeRequest reads cap, sampling, tool use, user, reasoning and format settings', () => {
    expect(
      decode({
        max_output_tokens: 100,
        temperature: 0.5,
        top_p: 0.9,
        top_logprobs: 3,
        parallel_tool_calls: false,
        user: 'u1',
        reasoning: { effort: 'low', summary: 'auto' },
        text: { format: { type: 'json_object' } },
      }),
    ).toMatchObject({
      outputTokensMax: 100,
      sampling: { temperature: 0.5, topP: 0.9, topLogprobs: 3 },
      isParallelToolUse: false,
      endUser: 'u1',
      reasoning: { effort: 'low', isShown: true },
      responseFormat: { kind: 'json' },
      extensions: [],
    });
  });

  it.each([[undefined], [null], [''], [[]]])(
    'decodeRequest rejects a request without input (%j)',
    (input) => {
      expect(decodingProblem({ input })).toMatchObject({ code: 'invalid_request', param: 'input' });
    },
  );
});

describe('R1: instructions', () => {
  it('decodeRequest reads instructions as the first system text', () => {
    const { messages } = decode({
      instructions: 'Be brief.',
      input: [
        { role: 'developer', content: 'Be kind.' },
        { role: 'user', content: 'Hi' },
      ],
    });
    expect(messages).toEqual([
      { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] },
      { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
    ]);
  });

  it.each([null, ''])('decodeRequest ignores instructions of %j', (instructions) => {
    expect(decode({ instructions }).messages).toHaveLength(1);
  });
});

describe('R3: fields that need stored state are rejected by name', () => {
  it.each([
    ['previous_response_id', 'resp_1'],
    ['conversation', 'conv_1'],
    ['conversation', { id: 'conv_1' }],
    ['prompt', { id: 'pmpt_1' }],
  ])('decodeRequest rejects %s: %j', (name, value) => {
    expect(decodingProblem({ [name]: value })).toMatchObject({ code: 'invalid_request', param: name });
  });

  it.each([
    ['previous_response_id', null],
    ['conversation', null],
    ['background', false],
  ])('decodeRequest ignores %s: %j', (name, value) => {
    expect(decode({ [name]: value }).extensions).toEqual([]);
  });

  it('decodeRequest warns that responses are not stored', () => {
    expect(decode({ store: true }).extensions).toEqual(['store']);
    expect(decode({ store: false }).extensions).toEqual([]);
  });
});

describe('fields without a canonical form', () => {
  it.each<[fields: object, names: string[]]>([
    [{ service_tier: 'flex' }, ['service_tier']],
    [{ max_tool_calls: 3 }, ['max_tool_calls']],
    [{ truncation: 'auto' }, ['truncation']],
    [{ reasoning: { effort: 'low', context: 'all_turns' } }, ['reasoning.context']],
    [{ include: ['message.output_text.logprobs'] }, ['include']],
    [{ new_field: { a: 1 } }, ['new_field']],
  ])('decodeRequest lists the fields %j as extensions', (fields, names) => {
    expect(decode(fields).extensions).toEqual(names);
  });

  it.each([
    { truncation: 'disabled' },
    { prompt_cache_key: 'k', safety_identifier: 's' },
    { metadata: { a: 'b' } },
    { text: { verbosity: 'low' } },
    { metadata: {} },
    { metadata: { task_id: 1 } },
    { task_id: 1, format: 'openai' },
    { include: ['reasoning.encrypted_content'] },
    { include: [] },
    { stream: true, stream_options: { include_obfuscation: false } },
    { text: { format: { type: 'text' } } },
    { text: { verbosity: null } },
    { service_tier: null },
    { some_switch: false },
  ])('decodeRequest does not list %j, which has no effect or is translated', (fields) => {
    expect(decode(fields).extensions).toEqual([]);
  });
});

describe('P4: reasoning', () => {
  it.each(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'])(
    'decodeRequest reads the effort %s',
    (effort) => {
      expect(decode({ reasoning: { effort } }).reasoning).toEqual({ effort });
    },
  );

  it('decodeRequest maps efforts above the highest supported effort to that effort', () => {
    expect(decode({ reasoning: { effort: 'max' } }).reasoning).toEqual({ effort: 'xhigh' });
  });

  it('decodeRequest rejects an unknown effort', () => {
    expect(decodingProblem({ reasoning: { effort: 'extreme' } })).toMatchObject({
      param: 'reasoning.effort',
    });
  });

  it.each(['auto', 'concise', 'detailed'])(
    'decodeRequest shows reasoning if a summary is requested: %s',
    (summary) => {
      expect(decode({ reasoning: { summary } }).reasoning).toEqual({ isShown: true });
    },
  );

  it.each([null, {}, { effort: null, summary: null }])(
    'decodeRequest reads no reasoning from %j',
    (reasoning) => {
      expect(decode({ reasoning }).reasoning).toBeUndefined();
    },
  );
});

describe('P5: response format', () => {
  it('decodeRequest reads a flat JSON schema', () => {
    const format = {
      type: 'json_schema',
      name: 'a',
      schema: { type: 'object' },
      strict: true,
      description: 'd',
    };
    expect(decode({ text: { format } }).responseFormat).toEqual({
      kind: 'json-schema',
      name: 'a',
      schema: { type: 'object' },
      description: 'd',
      isStrict: true,
    });
  });

  it('decodeRequest decodes the text format as no response format', () => {
    expect(decode({ text: { format: { type: 'text' } } }).responseFormat).toBeUndefined();
  });

  it.each([
    [{ type: 'grammar' }, 'text.format.type'],
    [{ type: 'json_schema', name: 'a' }, 'text.format.schema'],
    [{ type: 'json_schema', schema: {} }, 'text.format.name'],
  ])('decodeRequest rejects the format %j', (format, param) => {
    expect(decodingProblem({ text: { format } })).toMatchObject({ param });
  });
});

describe('settings changed within the input', () => {
  const update = (fields: object) => ({ type: 'configuration_update', ...fields });
  const schema = { type: 'json_schema', name: 'a', schema: { type: 'object' } };

  it('decodeRequest uses the last value of each setting', () => {
    const input = [
      { role: 'user', content: 'q' },
      update({ reasoning: { effort: 'high' }, text: { format: schema } }),
      update({ reasoning: { effort: 'ultra' } }),
      update({ id: 'cu_1' }),
    ];
    const asked = { reasoning: { effort: 'low', summary: 'auto' }, text: { format: { type: 'text' } } };
    expect(decode({ input, ...asked })).toMatchObject({
      reasoning: { effort: 'xhigh', isShown: true },
      responseFormat: { kind: 'json-schema', name: 'a' },
      extensions: [],
    });
  });

  it('decodeRequest rejects changes that are not settings', () => {
    const input = [{ role: 'user', content: 'q' }, update({ reasoning: { effort: 7 } })];
    expect(decodingProblem({ input })).toMatchObject({ param: 'input[1].reasoning.effort' });
  });
});
