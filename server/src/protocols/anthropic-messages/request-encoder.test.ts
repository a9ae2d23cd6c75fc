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

describe('caps and counts', () => {
  it("P1: the cap is the caller's, else the default", () => {
    expect(encodeFor(current, { outputTokensMax: 77 }).body.max_tokens).toBe(77);
    expect(encodeFor(current).body.max_tokens).toBe(4096);
  });

  it('says what is asked for and nothing else', () => {
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

  it('P6: more than one answer is refused, one is not', () => {
    expect(encodingProblem(current, { count: 2 })).toMatchObject({ code: 'invalid_request', param: 'n' });
    expect(encodingProblem(current, { count: 1 })).toBeNull();
  });

  it('P3: stop sequences, but none of white space', () => {
    expect(encodeFor(current, { stop: ['END', '###'] }).body.stop_sequences).toEqual(['END', '###']);
    expect(encodingProblem(current, { stop: ['END', '\n'] })?.param).toBe('stop');
    expect(encodingProblem(current, { stop: [''] })?.param).toBe('stop');
  });

  it('P6: the end user', () => {
    expect(encodeFor(current, { endUser: 'u-1' }).body.metadata).toEqual({ user_id: 'u-1' });
  });

  it("G10: what only the caller's protocol knows comes back as warnings", () => {
    expect(encodeFor(current, { extensions: ['store', 'prompt_cache_key'] }).warnings).toEqual([
      'store',
      'prompt_cache_key',
    ]);
  });
});

describe('tools', () => {
  it('T1: name, description, schema; strictness where the model enforces it', () => {
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
  ])('T3: the choice %j', (toolChoice, expected) => {
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
  ])('T4: one call at a time with the choice %j', (toolChoice, expected) => {
    const wishes = { tools: [read], isParallelToolUse: false, ...(toolChoice && { toolChoice }) };
    expect(encodeFor(current, wishes).body.tool_choice).toEqual(expected);
  });

  it('T4: a wish for parallel calls is said as well', () => {
    expect(encodeFor(current, { tools: [read], isParallelToolUse: true }).body.tool_choice).toEqual({
      type: 'auto',
      disable_parallel_tool_use: false,
    });
  });
});

describe('sampling', () => {
  it('P2: temperature goes to 1 at most, with a warning when it was more', () => {
    expect(encodeFor(old, { sampling: { temperature: 0.7 } })).toMatchObject({
      body: { temperature: 0.7 },
      warnings: [],
    });
    expect(encodeFor(old, { sampling: { temperature: 1.5 } })).toMatchObject({
      body: { temperature: 1 },
      warnings: ['temperature'],
    });
  });

  it('P2: temperature and top_p together only where the model takes both', () => {
    const sampling = { temperature: 0.7, topP: 0.9 };
    expect(encodeFor(old, { sampling }).body).toMatchObject({ temperature: 0.7, top_p: 0.9 });
    const { body, warnings } = encodeFor(current, { sampling });
    expect(body).toMatchObject({ temperature: 0.7 });
    expect(body).not.toHaveProperty('top_p');
    expect(warnings).toEqual(['top_p']);
    expect(encodeFor(current, { sampling: { topP: 0.9 } }).body).toMatchObject({ top_p: 0.9 });
    expect(encodeFor(current, { sampling: { temperature: 0.7, topP: 1 } }).warnings).toEqual([]);
  });

  it('P2: none on the newest models, with warnings but for the defaults', () => {
    const { body, warnings } = encodeFor(newest, { sampling: { temperature: 0.7, topP: 0.9, topK: 5 } });
    for (const name of ['temperature', 'top_p', 'top_k']) expect(body).not.toHaveProperty(name);
    expect(warnings).toEqual(['temperature', 'top_p', 'top_k']);
    expect(encodeFor(newest, { sampling: { temperature: 1, topP: 1 } }).warnings).toEqual([]);
  });

  it('P2: none beside thinking', () => {
    const { body, warnings } = encodeFor(current, {
      sampling: { temperature: 0.7, topK: 5 },
      reasoning: { budgetTokens: 1024 },
    });
    expect(body).not.toHaveProperty('temperature');
    expect(warnings).toEqual(['temperature', 'top_k']);
  });

  it('P2: what Anthropic has no word for is a warning, where it says anything', () => {
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

describe('answers in JSON', () => {
  it('P5: a schema goes to output_config on models that know it', () => {
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

  it('P5: older models and others are made to call a tool that takes the answer', () => {
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

  it("P5: with tools of the caller's own the model may call one of them or answer", () => {
    const { body } = encodeFor(old, { responseFormat: town, tools: [read] });
    expect(body.tools?.map(({ name }) => name)).toEqual(['read', answerToolName]);
    expect(body.tool_choice).toEqual({ type: 'any', disable_parallel_tool_use: true });
  });

  it('P5: where calls are forbidden it must answer', () => {
    const { body } = encodeFor(old, {
      responseFormat: town,
      tools: [read],
      toolChoice: { kind: 'none' },
    });
    expect(body.tool_choice).toMatchObject({ type: 'tool', name: answerToolName });
  });

  it('P5: where a call is forced there is no answer yet to give a form', () => {
    for (const toolChoice of [{ kind: 'required' }, { kind: 'tool', name: 'read' }] as const) {
      const { body } = encodeFor(old, { responseFormat: town, tools: [read], toolChoice });
      expect(body.tools?.map(({ name }) => name)).toEqual(['read']);
    }
  });

  it('P5: JSON without a schema is asked for in words', () => {
    const { body } = encodeFor(current, {
      responseFormat: { kind: 'json' },
      messages: [{ role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] }, user('a')],
    });
    expect(body.system).toHaveLength(2);
    expect(body.system?.[1]).toMatchObject({ text: expect.stringContaining('JSON object') });
    expect(body).not.toHaveProperty('tools');
  });

  it('P5: a schema that no tool can take is refused', () => {
    const responseFormat = { kind: 'json-schema', name: 'list', schema: { type: 'array' } } as const;
    expect(encodingProblem(old, { responseFormat })?.param).toBe('response_format');
    expect(encodingProblem(current, { responseFormat })).toBeNull();
  });

  it("P5: the name of the answer's tool is closed to callers", () => {
    expect(encodingProblem(current, { tools: [{ ...read, name: answerToolName }] })?.param).toBe('tools');
  });
});
