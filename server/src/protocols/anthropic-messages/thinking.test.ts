import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanonicalRequest, ReasoningEffort, Tool } from '../canonical/request.ts';
import { readModelTraits } from './model-traits.ts';
import { assistant, encodeFor, user } from './testing/exchange.ts';
import { decodeThinking, encodeThinking } from './thinking.ts';

const old = 'claude-3-5-sonnet-20241022';
const current = 'claude-sonnet-4-5';
const newest = 'claude-opus-4-8';
const read: Tool = { name: 'read', parameters: { type: 'object', properties: {} } };
const town = { kind: 'json-schema', name: 'town', schema: { type: 'object' } } as const;

describe('thinking', () => {
  const thinkingOf = (model: string, overrides: Partial<CanonicalRequest>) => {
    const { body, warnings } = encodeFor(model, { outputTokensMax: 10_000, ...overrides });
    return { thinking: body.thinking, config: body.output_config, warnings };
  };

  it.each([
    ['minimal', 1024],
    ['low', 2000],
    ['medium', 5000],
    ['high', 8000],
    ['xhigh', 9500],
  ] as const)(
    'P4: encodeThinking maps effort %s to a share of the output token limit if the model accepts budgets',
    (effort, budget) => {
      expect(thinkingOf(current, { reasoning: { effort } })).toEqual({
        thinking: { type: 'enabled', budget_tokens: budget },
        config: undefined,
        warnings: [],
      });
    },
  );

  it.each([
    ['minimal', 'low', 'low'],
    ['low', 'low', 'low'],
    ['medium', 'medium', 'medium'],
    ['high', 'high', 'high'],
    ['xhigh', 'max', 'xhigh'],
  ] as const)(
    'P4: encodeThinking maps effort %s to %s for Claude 4.6 and to %s for newer models',
    (effort, on46, onNewer) => {
      for (const [model, expected] of [
        ['claude-opus-4-6', on46],
        [newest, onNewer],
      ] as const)
        expect(thinkingOf(model, { reasoning: { effort } })).toEqual({
          thinking: { type: 'adaptive' },
          config: { effort: expected },
          warnings: [],
        });
    },
  );

  it.each([
    [512, 'low'],
    [2048, 'low'],
    [4096, 'medium'],
    [20_000, 'high'],
  ])(
    'P4: encodeThinking maps a budget of %i to the effort %s if the model accepts no budgets',
    (budgetTokens, effort) => {
      expect(thinkingOf(newest, { reasoning: { budgetTokens } }).config).toEqual({ effort });
    },
  );

  it('P4: encodeThinking sends no effort to adaptive models and half of the output limit as budget by default', () => {
    expect(thinkingOf(newest, { reasoning: {} })).toMatchObject({
      thinking: { type: 'adaptive' },
      config: undefined,
    });
    expect(thinkingOf(current, { reasoning: {} }).thinking).toMatchObject({ budget_tokens: 5000 });
  });

  it('P4: encodeThinking sends whether thinking is displayed', () => {
    expect(thinkingOf(newest, { reasoning: { isShown: true } }).thinking).toEqual({
      type: 'adaptive',
      display: 'summarized',
    });
    expect(thinkingOf(current, { reasoning: { isShown: false } }).thinking).toMatchObject({
      display: 'omitted',
    });
  });

  it.each([
    [current, undefined, undefined, []],
    [newest, undefined, undefined, []],
    ['claude-sonnet-5', { type: 'disabled' }, undefined, []],
    ['kimi-k2', { type: 'disabled' }, undefined, []],
    ['claude-opus-5-5', undefined, { effort: 'low' }, ['reasoning_effort']],
    ['claude-fable-5', undefined, { effort: 'low' }, ['reasoning_effort']],
  ])(
    'P4: encodeThinking encodes the effort none for %s as the thinking %j and the output_config %j, with the warnings %j',
    (model, thinking, config, warnings) => {
      expect(thinkingOf(model, { reasoning: { effort: 'none' } })).toEqual({ thinking, config, warnings });
    },
  );

  it('P4: encodeThinking treats a budget of 0 as disabled thinking', () => {
    expect(thinkingOf(current, { reasoning: { budgetTokens: 0 } })).toEqual({
      thinking: undefined,
      config: undefined,
      warnings: [],
    });
  });

  it("P1: encodeThinking raises the requested budget to Anthropic's minimum", () => {
    expect(thinkingOf(current, { reasoning: { budgetTokens: 3000 } }).thinking).toMatchObject({
      budget_tokens: 3000,
    });
    expect(thinkingOf(current, { reasoning: { budgetTokens: 100 } }).thinking).toMatchObject({
      budget_tokens: 1024,
    });
  });

  it('P1: encodeThinking lowers a requested budget that leaves no room for the response', () => {
    const request = (outputTokensMax: number) =>
      thinkingOf(current, { outputTokensMax, reasoning: { budgetTokens: 3000 } });
    expect(request(3000)).toMatchObject({
      thinking: { budget_tokens: 2400 },
      warnings: ['reasoning_effort'],
    });
    expect(request(3064)).toMatchObject({ thinking: { budget_tokens: 3000 }, warnings: [] });
    expect(request(1000)).toMatchObject({ thinking: undefined, warnings: ['reasoning_effort'] });
  });

  it('P1: encodeThinking omits an effort with a warning if the output token limit is too low', () => {
    expect(thinkingOf(current, { outputTokensMax: 500, reasoning: { effort: 'high' } })).toEqual({
      thinking: undefined,
      config: undefined,
      warnings: ['reasoning_effort'],
    });
  });

  it('P4: encodeThinking warns if the model cannot think', () => {
    expect(thinkingOf(old, { reasoning: { effort: 'high' } })).toMatchObject({
      thinking: undefined,
      warnings: ['reasoning_effort'],
    });
  });

  it('T3: encodeThinking omits a thinking budget but not adaptive thinking if a tool call is forced', () => {
    const overrides = {
      tools: [read],
      toolChoice: { kind: 'required' },
      reasoning: { effort: 'high' },
    } as const;
    expect(thinkingOf(current, overrides)).toMatchObject({
      thinking: undefined,
      warnings: ['reasoning_effort'],
    });
    expect(thinkingOf(newest, overrides)).toMatchObject({
      thinking: { type: 'adaptive' },
      warnings: [],
    });
  });

  it('T3: encodeThinking omits a thinking budget if the answer tool is forced', () => {
    expect(
      thinkingOf('claude-sonnet-4-20250514', { responseFormat: town, reasoning: { effort: 'high' } }),
    ).toMatchObject({ thinking: undefined, warnings: ['reasoning_effort'] });
  });

  it('P4, P5: encodeRequest combines effort and format in output_config', () => {
    expect(thinkingOf(newest, { responseFormat: town, reasoning: { effort: 'low' } }).config).toMatchObject({
      effort: 'low',
      format: { type: 'json_schema' },
    });
  });
});

describe('M7: thinking during a tool loop', () => {
  const call = { type: 'tool-call', id: 't', name: 'read', arguments: '{}' } as const;
  const signed = {
    type: 'reasoning',
    text: 'hm',
    isRedacted: false,
    signature: { protocol: 'anthropic-messages', value: 'c2ln' },
  } as const;
  const result = { type: 'tool-result', callId: 't', parts: [], isError: false } as const;
  const loop = (...parts: (typeof call | typeof signed)[]) => ({
    tools: [read],
    reasoning: { effort: 'low' } as const,
    messages: [user('a'), { role: 'assistant', parts }, { role: 'user', parts: [result] }] as const,
  });

  it('encodeRequest keeps thinking on if the calls came with thinking', () => {
    expect(encodeFor(current, loop(signed, call)).body).toHaveProperty('thinking');
  });

  it('encodeRequest turns thinking off with a warning if the calls came without thinking', () => {
    const { body, warnings } = encodeFor(current, loop(call));
    expect(body).not.toHaveProperty('thinking');
    expect(warnings).toEqual(['reasoning_effort']);
  });

  it('encodeRequest keeps adaptive thinking on during a tool loop', () => {
    expect(encodeFor(newest, loop(call)).body).toHaveProperty('thinking');
  });

  it('encodeRequest turns thinking on again for the next question', () => {
    const { messages } = loop(call);
    const { body } = encodeFor(current, {
      ...loop(call),
      messages: [...messages, assistant('Done.'), user('And now?')],
    });
    expect(body).toHaveProperty('thinking');
  });
});

describe('P1, P4: any reasoning request', () => {
  const efforts: ReasoningEffort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'];
  const wish = fc.record(
    { effort: fc.constantFrom(...efforts), isShown: fc.boolean() },
    { requiredKeys: [] },
  );
  const free = { isForced: false, isThoughtless: false };

  it("encodeThinking returns a budget between Anthropic's minimum and the output token limit", () => {
    fc.assert(
      fc.property(wish, fc.integer({ min: 1, max: 200_000 }), (wished, outputTokensMax) => {
        const { thinking, isThinking, isRefused } = encodeThinking(wished, readModelTraits(current), {
          ...free,
          outputTokensMax,
        });
        const budget = thinking && 'budget_tokens' in thinking ? Number(thinking.budget_tokens) : null;
        expect(isThinking).toBe(budget !== null);
        expect(isRefused).toBe(wished.effort !== 'none' && outputTokensMax < 1024 + 64);
        if (budget === null) return;
        expect(budget).toBeGreaterThanOrEqual(1024);
        expect(budget).toBeLessThanOrEqual(outputTokensMax - 64);
        expect(Number.isInteger(budget)).toBe(true);
      }),
    );
  });

  it('encodeThinking never returns a smaller budget for a greater effort', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1088, max: 200_000 }), (outputTokensMax) => {
        const budgets = efforts.slice(1).map((effort) => {
          const { thinking } = encodeThinking({ effort }, readModelTraits(current), {
            ...free,
            outputTokensMax,
          });
          return thinking && 'budget_tokens' in thinking ? Number(thinking.budget_tokens) : 0;
        });
        expect(budgets.toSorted((left, right) => left - right)).toEqual(budgets);
      }),
    );
  });

  it.each(['claude-3-opus-20240229', 'claude-3-7-sonnet-latest', newest, 'claude-opus-5-5', 'kimi-k2'])(
    'encodeRequest requests thinking from %s only if the caller does, and warns if it cannot',
    (model) => {
      fc.assert(
        fc.property(wish, (wished) => {
          const { body, warnings } = encodeFor(model, { outputTokensMax: 9000, reasoning: wished });
          const isAsked = JSON.stringify(body.thinking ?? {}).match(/enabled|adaptive/) !== null;
          expect(isAsked || wished.effort === 'none' || warnings.includes('reasoning_effort')).toBe(true);
          expect(isAsked && wished.effort === 'none').toBe(false);
        }),
      );
    },
  );
});

it.each(['constructor', '__proto__', 'enormous'])('decodeThinking rejects the effort %s', (effort) => {
  expect(() => decodeThinking({ messages: [], output_config: { effort } })).toThrow(/is not an effort level/);
});
