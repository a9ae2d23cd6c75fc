import { describe, expect, it } from 'vitest';
import type { CanonicalRequest, Tool } from '../canonical/request.ts';
import { answerToolName } from './answer-format.ts';
import { encodeFor, encodingProblem, user } from './testing/exchange.ts';

const old = 'claude-3-5-sonnet-20241022';
const current = 'claude-sonnet-4-5';
const newest = 'claude-opus-4-8';
const read: Tool = { name: 'read', parameters: { type: 'object', properties: {} } };
const write: Tool = { name: 'write', description: 'Writes.', parameters: { type: 'object' }, isStrict: true };
const town = {
  kind: 'json-schema',
  name: 'town',
  schema: {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1 } },
    required: ['messages.name'],
  },
} as const;

describe('limits and counts', () => {
  it("P1: encodeRequest uses the caller's output token limit or the default", () => {
    expect(encodeFor(current, { outputTokensMax: 77 }).body.max_tokens).toBe(77);
    expect(encodeFor(current).body.max_tokens).toBe(4096);
  });

  it('encodeRequest sends only requested fields', () => {
    expect(encodeFor(current)).toEqual({
      body: {
        model: current,
        max_tokens: 4096,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
        stream: false,
      },
      warnings: [],
    });
  });

  it('P6: encodeRequest rejects a count above 1', () => {
    expect(encodingProblem(current, { count: 2 })).toMatchObject({ code: 'invalid_request', param: 'n' });
    expect(encodingProblem(current, { count: 1 })).toBeNull();
  });

  it('P3: encodeRequest sends stop sequences and rejects blank ones', () => {
    expect(encodeFor(current, { stop: ['END', '###'] }).body.stop_sequences).toEqual(['END', '###']);
    expect(encodingProblem(current, { stop: ['END', '\n'] })?.param).toBe('stop');
    expect(encodingProblem(current, { stop: [''] })?.param).toBe('stop');
  });

  it('P6: encodeRequest sends the end user as metadata.user_id', () => {
    expect(encodeFor(current, { endUser: 'u-1' }).body.metadata).toEqual({ user_id: 'u-1' });
  });

  it("G10: encodeRequest warns about features of the caller's protocol that it omits", () => {
    expect(encodeFor(current, { extensions: ['store', 'prompt_cache_key'] }).warnings).toEqual([
      'store',
      'prompt_cache_key',
    ]);
  });
});

describe('tools', () => {
  it('T1: encodeRequest sends tools and their strictness if the model enforces it', () => {
    expect(encodeFor(current, { tools: [read, write] })).toMatchObject({
      body: {
        tools: [
          { name: 'read', input_schema: { type: 'object', properties: {} } },
          {
            name: 'write',
            description: 'Writes.',
            input_schema: { type: 'object', additionalProperties: false },
            strict: true,
          },
        ],
      },
      warnings: [],
    });
    const { body, warnings } = encodeFor(old, { tools: [write] });
    expect(body.tools).toEqual([{ name: 'write', description: 'Writes.', input_schema: { type: 'object' } }]);
    expect(warnings).toEqual(['strict']);
  });

  it.each<[CanonicalRequest['toolChoice'], object | undefined]>([
    [undefined, undefined],
    [{ kind: 'auto' }, { type: 'auto' }],
    [{ kind: 'none' }, { type: 'none' }],
    [{ kind: 'required' }, { type: 'any' }],
    [
      { kind: 'tool', name: 'read' },
      { type: 'tool', name: 'read' },
    ],
  ])('T3: encodeRequest sends the tool choice %j as %j if there are tools', (toolChoice, expected) => {
    const { body } = encodeFor(current, { tools: [read], ...(toolChoice && { toolChoice }) });
    expect(body.tool_choice).toEqual(expected);
    expect(encodeFor(current, { ...(toolChoice && { toolChoice }) }).body).not.toHaveProperty('tool_choice');
  });

  it.each<[CanonicalRequest['toolChoice'], object]>([
    [undefined, { type: 'auto', disable_parallel_tool_use: true }],
    [{ kind: 'required' }, { type: 'any', disable_parallel_tool_use: true }],
    [
      { kind: 'tool', name: 'read' },
      { type: 'tool', name: 'read', disable_parallel_tool_use: true },
    ],
    [{ kind: 'none' }, { type: 'none' }],
  ])(
    'T4: encodeRequest sends disabled parallel tool calls with the tool choice %j as %j',
    (toolChoice, expected) => {
      const overrides = { tools: [read], isParallelToolUse: false, ...(toolChoice && { toolChoice }) };
      expect(encodeFor(current, overrides).body.tool_choice).toEqual(expected);
    },
  );

  it('T4: encodeRequest sends enabled parallel tool calls', () => {
    expect(encodeFor(current, { tools: [read], isParallelToolUse: true }).body.tool_choice).toEqual({
      type: 'auto',
      disable_parallel_tool_use: false,
    });
  });
});

describe('sampling', () => {
  it('P2: encodeRequest limits temperature to 1 with a warning', () => {
    expect(encodeFor(old, { sampling: { temperature: 0.7 } })).toMatchObject({
      body: { temperature: 0.7 },
      warnings: [],
    });
    expect(encodeFor(old, { sampling: { temperature: 1.5 } })).toMatchObject({
      body: { temperature: 1 },
      warnings: ['temperature'],
    });
  });

  it('P2: encodeRequest omits top_p with a warning if the model does not accept it with temperature', () => {
    const sampling = { temperature: 0.7, topP: 0.9 };
    expect(encodeFor(old, { sampling }).body).toMatchObject({ temperature: 0.7, top_p: 0.9 });
    const { body, warnings } = encodeFor(current, { sampling });
    expect(body).toMatchObject({ temperature: 0.7 });
    expect(body).not.toHaveProperty('top_p');
    expect(warnings).toEqual(['top_p']);
    expect(encodeFor(current, { sampling: { topP: 0.9 } }).body).toMatchObject({ top_p: 0.9 });
    expect(encodeFor(current, { sampling: { temperature: 0.7, topP: 1 } }).warnings).toEqual([]);
  });

  it('P2: encodeRequest omits sampling parameters for the newest models and warns unless they are defaults', () => {
    const { body, warnings } = encodeFor(newest, { sampling: { temperature: 0.7, topP: 0.9, topK: 5 } });
    for (const name of ['temperature', 'top_p', 'top_k']) expect(body).not.toHaveProperty(name);
    expect(warnings).toEqual(['temperature', 'top_p', 'top_k']);
    expect(encodeFor(newest, { sampling: { temperature: 1, topP: 1 } }).warnings).toEqual([]);
  });

  it('P2: encodeRequest omits sampling parameters with a warning if thinking is on', () => {
    const { body, warnings } = encodeFor(current, {
      sampling: { temperature: 0.7, topK: 5 },
      reasoning: { budgetTokens: 1024 },
    });
    expect(body).not.toHaveProperty('temperature');
    expect(warnings).toEqual(['temperature', 'top_k']);
  });

  it('P2: encodeRequest warns about unsupported sampling parameters that are set', () => {
    const sampling = {
      seed: 0,
      presencePenalty: 0.5,
      frequencyPenalty: -1,
      logitBias: { 50256: -100 },
      topLogprobs: 0,
    };
    expect(encodeFor(current, { sampling }).warnings).toEqual([
      'seed',
      'presence_penalty',
      'frequency_penalty',
      'logit_bias',
      'logprobs',
    ]);
    expect(
      encodeFor(current, { sampling: { presencePenalty: 0, frequencyPenalty: 0, logitBias: {} } }).warnings,
    ).toEqual([]);
  });
});

describe('JSON output', () => {
  it('P5: encodeRequest sends a schema as output_config if the model supports it', () => {
    const { body } = encodeFor(current, { responseFormat: town, tools: [read] });
    expect(body.output_config).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: { name: { type: 'string', description: 'Must satisfy {"minLength":1}.' } },
          required: ['messages.name'],
          additionalProperties: false,
        },
      },
    });
    expect(body.tools).toHaveLength(1);
    expect(body).not.toHaveProperty('tool_choice');
  });

  it('P5: encodeRequest forces a call of the answer tool for models without output_config', () => {
    for (const model of [old, 'claude-sonnet-4-20250514', 'kimi-k2']) {
      const { body } = encodeFor(model, { responseFormat: town });
      expect(body).not.toHaveProperty('output_config');
      expect(body.tools).toMatchObject([{ name: answerToolName, input_schema: town.schema }]);
      expect(body.tool_choice).toEqual({
        type: 'tool',
        name: answerToolName,
        disable_parallel_tool_use: true,
      });
    }
  });

  it("P5: encodeRequest lets the model choose between the caller's tools and the answer tool", () => {
    const { body } = encodeFor(old, { responseFormat: town, tools: [read] });
    expect(body.tools?.map(({ name }) => name)).toEqual(['read', answerToolName]);
    expect(body.tool_choice).toEqual({ type: 'any', disable_parallel_tool_use: true });
  });

  it('P5: encodeRequest forces the answer tool for the tool choice none', () => {
    const { body } = encodeFor(old, {
      responseFormat: town,
      tools: [read],
      toolChoice: { kind: 'none' },
    });
    expect(body.tool_choice).toMatchObject({ type: 'tool', name: answerToolName });
  });

  it('P5: encodeRequest sends no answer tool if the caller forces a tool call', () => {
    for (const toolChoice of [{ kind: 'required' }, { kind: 'tool', name: 'read' }] as const) {
      const { body } = encodeFor(old, { responseFormat: town, tools: [read], toolChoice });
      expect(body.tools?.map(({ name }) => name)).toEqual(['read']);
    }
  });

  it('P5: encodeRequest requests JSON without a schema in the system text', () => {
    const { body } = encodeFor(current, {
      responseFormat: { kind: 'json' },
      messages: [{ role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] }, user('a')],
    });
    expect(body.system).toHaveLength(2);
    expect(body.system?.[1]).toMatchObject({ text: expect.stringContaining('JSON object') });
    expect(body).not.toHaveProperty('tools');
  });

  it('P5: encodeRequest rejects a schema that is not an object if the model needs the answer tool', () => {
    const responseFormat = { kind: 'json-schema', name: 'list', schema: { type: 'array' } } as const;
    expect(encodingProblem(old, { responseFormat })?.param).toBe('response_format');
    expect(encodingProblem(current, { responseFormat })).toBeNull();
  });

  it("P5: encodeRequest rejects a caller's tool with the name of the answer tool", () => {
    expect(encodingProblem(current, { tools: [{ ...read, name: answerToolName }] })?.param).toBe('tools');
  });
});
