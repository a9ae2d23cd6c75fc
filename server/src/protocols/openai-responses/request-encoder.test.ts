import { describe, expect, it } from 'vitest';
import type { ReasoningEffort, ReasoningOptions, Sampling } from '../canonical/request.ts';
import { closeStrictly } from '../translation/strict-schema.ts';
import { encodeFor, encodingProblem } from './testing/exchange.ts';

describe('encodeRequest', () => {
  it('encodeRequest disables storage and adds nothing else', () => {
    expect(encodeFor().body).toEqual({
      model: 'gpt-9',
      input: [{ role: 'user', content: 'Hello' }],
      store: false,
    });
  });

  it('encodeRequest writes the stream field', () => {
    expect(encodeFor({}, { isStream: true }).body).toMatchObject({ stream: true });
  });

  it('encodeRequest writes the end user', () => {
    expect(encodeFor({ endUser: 'u1' }).body).toMatchObject({ user: 'u1' });
  });

  it("encodeRequest repeats the warnings of the caller's protocol", () => {
    expect(encodeFor({ extensions: ['a', 'b', 'a'] }).warnings).toEqual(['a', 'b']);
  });
});

describe('P1: output cap', () => {
  it.each([
    [16, 16, []],
    [4_096, 4_096, []],
    [15, 16, ['max_tokens']],
    [1, 16, ['max_tokens']],
  ])('encodeRequest writes the cap %d as %d', (outputTokensMax, sent, expected) => {
    const { body, warnings } = encodeFor({ outputTokensMax });
    expect(body.max_output_tokens).toBe(sent);
    expect(warnings).toEqual(expected);
  });

  it('encodeRequest writes no cap for a request without one', () => {
    expect(encodeFor().body).not.toHaveProperty('max_output_tokens');
  });
});

describe('features that this protocol lacks', () => {
  it('P6: encodeRequest rejects several choices', () => {
    expect(encodingProblem({ count: 2 })).toMatchObject({ code: 'invalid_request', param: 'n' });
    expect(encodingProblem({ count: 1 })).toBeNull();
  });

  it('P3: encodeRequest rejects stop sequences', () => {
    expect(encodingProblem({ stop: ['END'] })).toMatchObject({ code: 'invalid_request', param: 'stop' });
  });

  it.each<[field: keyof Sampling, value: number, name: string]>([
    ['topK', 40, 'top_k'],
    ['seed', 7, 'seed'],
    ['presencePenalty', 0.5, 'presence_penalty'],
    ['frequencyPenalty', 0.5, 'frequency_penalty'],
    ['topLogprobs', 0, 'logprobs'],
  ])('P6: encodeRequest leaves out %s with a warning', (field, value, name) => {
    const { body, warnings } = encodeFor({ sampling: { [field]: value } });
    expect(Object.keys(body)).toEqual(['model', 'input', 'store']);
    expect(warnings).toEqual([name]);
  });

  it('P6: encodeRequest leaves out token biases with a warning', () => {
    expect(encodeFor({ sampling: { logitBias: { 50256: -100 } } }).warnings).toEqual(['logit_bias']);
  });
});

describe('P2: sampling', () => {
  const sampling = { temperature: 0, topP: 0.5 };

  it('encodeRequest writes sampling options', () => {
    expect(encodeFor({ sampling })).toMatchObject({ body: { temperature: 0, top_p: 0.5 }, warnings: [] });
  });

  it('encodeRequest leaves out sampling options of reasoning models, which reject them, with a warning', () => {
    const { body, warnings } = encodeFor({ sampling }, { isReasoningModel: true });
    expect(body).not.toHaveProperty('temperature');
    expect(body).not.toHaveProperty('top_p');
    expect(warnings).toEqual(['temperature', 'top_p']);
  });
});

describe('P4: reasoning', () => {
  const fitting = { fitReasoningEffort: (_: string, effort: ReasoningEffort) => effort };
  const encode = (reasoning: ReasoningOptions, isReasoningModel = true) =>
    encodeFor({ reasoning }, { isReasoningModel, dialect: fitting });

  it.each<[options: ReasoningOptions, sent: object | undefined]>([
    [{ effort: 'low' }, { effort: 'low' }],
    [{ effort: 'none' }, { effort: 'none' }],
    [{ budgetTokens: 2_000 }, { effort: 'low' }],
    [{ budgetTokens: 10_000 }, { effort: 'medium' }],
    [
      { budgetTokens: 30_000, isShown: true },
      { effort: 'high', summary: 'auto' },
    ],
    [{ isShown: true }, { summary: 'auto' }],
    [{ isShown: false }, undefined],
    [{}, undefined],
  ])('encodeRequest writes the reasoning %j as %j', (options, sent) => {
    const { body, warnings } = encode(options);
    expect(body.reasoning).toEqual(sent);
    expect(warnings).toEqual([]);
  });

  it('encodeRequest maps the effort to one that the model accepts', () => {
    const dialect = { fitReasoningEffort: (model: string) => (model === 'gpt-9' ? 'high' : null) } as const;
    expect(encodeFor({ reasoning: { effort: 'xhigh' } }, { dialect }).body.reasoning).toEqual({
      effort: 'high',
    });
  });

  it('encodeRequest leaves out reasoning for models without it, with a warning', () => {
    const { body, warnings } = encodeFor({ reasoning: { effort: 'low', isShown: true } });
    expect(body).not.toHaveProperty('reasoning');
    expect(warnings).toEqual(['reasoning_effort']);
  });

  it('encodeRequest does not warn if reasoning is disabled', () => {
    expect(encodeFor({ reasoning: { effort: 'none' } }).warnings).toEqual([]);
  });

  it('M7: encodeRequest requests encrypted reasoning from reasoning models', () => {
    expect(encodeFor({}, { isReasoningModel: true }).body.include).toEqual(['reasoning.encrypted_content']);
    expect(encodeFor().body).not.toHaveProperty('include');
  });
});

describe('P5: response format', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };

  it('encodeRequest writes the format as a field of `text`', () => {
    expect(encodeFor({ responseFormat: { kind: 'json' } }).body.text).toEqual({
      format: { type: 'json_object' },
    });
  });

  it('encodeRequest writes a flat JSON schema', () => {
    const responseFormat = {
      kind: 'json-schema',
      name: 'a',
      schema,
      description: 'd',
      isStrict: true,
    } as const;
    expect(encodeFor({ responseFormat }).body.text).toEqual({
      format: {
        type: 'json_schema',
        name: 'a',
        description: 'd',
        schema: closeStrictly(schema),
        strict: true,
      },
    });
  });

  it('encodeRequest rejects a schema that the provider does not support', () => {
    const responseFormat = { kind: 'json-schema', name: 'a', schema } as const;
    expect(encodingProblem({ responseFormat }, { lacksJsonSchema: true })).toMatchObject({
      code: 'invalid_request',
      param: 'response_format',
    });
    expect(encodingProblem({ responseFormat: { kind: 'json' } }, { lacksJsonSchema: true })).toBeNull();
  });
});
