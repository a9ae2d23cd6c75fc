import { describe, expect, it } from 'vitest';
import type { ReasoningEffort, ReasoningOptions } from '../canonical/request.ts';
import { readModelTraits } from './model-traits.ts';
import { decode, decodingProblem, encodeFor } from './testing/exchange.ts';
import { decodeThinking, encodeThinking } from './thinking.ts';

const encode = (model: string, options: ReasoningOptions | undefined) =>
  encodeThinking(options, readModelTraits(model));

describe('P4: models with a thinking budget', () => {
  it.each<[string, ReasoningEffort, number]>([
    ['gemini-2.5-flash', 'minimal', 512],
    ['gemini-2.5-flash', 'low', 1024],
    ['gemini-2.5-flash', 'medium', 8192],
    ['gemini-2.5-flash', 'high', 24_576],
    ['gemini-2.5-flash', 'xhigh', 24_576],
    ['gemini-2.5-pro', 'xhigh', 32_768],
    ['gemini-2.5-pro', 'minimal', 512],
    ['gemini-2.5-flash-lite', 'minimal', 512],
  ])('encodeThinking sends %s a budget for effort %s', (model, effort, thinkingBudget) => {
    expect(encode(model, { effort })).toEqual({
      config: { thinkingBudget, includeThoughts: true },
      isRefused: false,
    });
  });

  it.each<[string, number, number, boolean]>([
    ['gemini-2.5-flash', 5000, 5000, false],
    ['gemini-2.5-flash', 1, 1, false],
    ['gemini-2.5-flash', 64_000, 24_576, true],
    ['gemini-2.5-flash-lite', 100, 512, false],
    ['gemini-2.5-pro', 64, 128, false],
    ['gemini-2.5-pro', 32_768, 32_768, false],
    ['gemini-2.5-pro', 50_000, 32_768, true],
  ])(
    'encodeThinking adjusts the budget for %s from %i to %i (reported as refused: %s)',
    (model, budgetTokens, thinkingBudget, isRefused) => {
      expect(encode(model, { budgetTokens })).toMatchObject({ config: { thinkingBudget }, isRefused });
    },
  );

  it('encodeThinking prefers a budget over an effort', () => {
    expect(encode('gemini-2.5-flash', { effort: 'low', budgetTokens: 9 }).config).toMatchObject({
      thinkingBudget: 9,
    });
  });

  it.each([
    ['gemini-2.5-flash', 0, false],
    ['gemini-2.5-flash-lite', 0, false],
    ['gemini-2.5-pro', 128, true],
  ])('encodeThinking sends %s the smallest budget if thinking is off', (model, thinkingBudget, isRefused) => {
    expect(encode(model, { effort: 'none' })).toEqual({ config: { thinkingBudget }, isRefused });
    expect(encode(model, { budgetTokens: 0, isShown: true })).toEqual({
      config: { thinkingBudget },
      isRefused,
    });
  });
});

describe('P4: models with thinking levels', () => {
  it.each<[string, ReasoningEffort, string]>([
    ['gemini-3-flash-preview', 'minimal', 'MINIMAL'],
    ['gemini-3-flash-preview', 'medium', 'MEDIUM'],
    ['gemini-3-flash-preview', 'xhigh', 'HIGH'],
    ['gemini-3-pro-preview', 'minimal', 'LOW'],
    ['gemini-3-pro-preview', 'low', 'LOW'],
    ['gemini-3-pro-preview', 'medium', 'HIGH'],
    ['gemini-3-pro-preview', 'high', 'HIGH'],
    ['gemini-3.1-pro-preview', 'medium', 'MEDIUM'],
    ['gemini-3.1-flash-lite', 'minimal', 'MINIMAL'],
    ['gemini-4-pro', 'medium', 'MEDIUM'],
  ])('encodeThinking sends %s a level for effort %s', (model, effort, thinkingLevel) => {
    expect(encode(model, { effort })).toEqual({
      config: { thinkingLevel, includeThoughts: true },
      isRefused: false,
    });
  });

  it('encodeThinking sends a requested budget instead of a level', () => {
    expect(encode('gemini-3-pro', { effort: 'high', budgetTokens: 500 }).config).toEqual({
      thinkingBudget: 500,
      includeThoughts: true,
    });
  });

  it('encodeThinking sends the lowest level and reports that thinking cannot be turned off', () => {
    expect(encode('gemini-3-flash', { effort: 'none' })).toEqual({
      config: { thinkingLevel: 'MINIMAL' },
      isRefused: true,
    });
    expect(encode('gemini-3-pro', { budgetTokens: 0 })).toEqual({
      config: { thinkingLevel: 'LOW' },
      isRefused: true,
    });
  });
});

describe('P4: models without thinking', () => {
  it.each(['gemini-2.0-flash', 'gemini-1.5-pro', 'gemma-3-27b-it', 'learnlm-2.0'])(
    'encodeThinking reports for %s that thinking is not possible unless it is off',
    (model) => {
      expect(encode(model, { effort: 'high' })).toEqual({ isRefused: true });
      expect(encode(model, { budgetTokens: 100 })).toEqual({ isRefused: true });
      expect(encode(model, { effort: 'none' })).toEqual({ isRefused: false });
    },
  );
});

describe('reasoning requests', () => {
  it('encodeThinking sends nothing if the caller does not request reasoning', () => {
    expect(encode('gemini-3-pro', undefined)).toEqual({ isRefused: false });
    expect(encodeFor('gemini-3-pro').body).not.toHaveProperty('generationConfig');
  });

  it('encodeThinking sends no amount if the caller only sets whether thoughts are shown', () => {
    expect(encode('gemini-3-pro', { isShown: true }).config).toEqual({ includeThoughts: true });
    expect(encode('gemini-2.5-pro', { isShown: false }).config).toEqual({ includeThoughts: false });
    expect(encode('gemini-2.5-pro', {}).config).toEqual({ includeThoughts: true });
  });

  it('encodeRequest warns if the requested reasoning is not possible', () => {
    expect(encodeFor('gemini-2.0-flash', { reasoning: { effort: 'low' } }).warnings).toEqual([
      'reasoning_effort',
    ]);
    expect(encodeFor('gemini-2.5-flash', { reasoning: { effort: 'low' } }).warnings).toEqual([]);
  });
});

describe('thinkingConfig from a caller', () => {
  it.each([
    [{ thinkingBudget: 0 }, { effort: 'none' }],
    [{ thinkingBudget: -1 }, { isOn: true }],
    [
      { thinkingBudget: -1, includeThoughts: true },
      { isOn: true, isShown: true },
    ],
    [
      { thinkingBudget: 128, includeThoughts: false },
      { budgetTokens: 128, isShown: false },
    ],
    [{ thinkingLevel: 'HIGH' }, { effort: 'high' }],
    [
      { thinkingLevel: 'low', includeThoughts: true },
      { effort: 'low', isShown: true },
    ],
    [{ thinkingLevel: 'MINIMAL' }, { effort: 'minimal' }],
    [{ thinkingLevel: 'MEDIUM' }, { effort: 'medium' }],
    [{ thinkingLevel: 'THINKING_LEVEL_UNSPECIFIED' }, {}],
    [{}, {}],
  ])('decodeThinking reads %j as %j', (config, options) => {
    expect(decodeThinking(config)).toEqual(options);
    expect(decode({ generationConfig: { thinkingConfig: config } }).reasoning).toEqual(options);
  });

  it('decodeRequest accepts thinkingConfig in snake case', () => {
    const config = { thinking_level: 'LOW', include_thoughts: true };
    expect(decode({ generation_config: { thinking_config: config } }).reasoning).toEqual({
      effort: 'low',
      isShown: true,
    });
  });

  it('decodeRequest rejects an unknown thinking level with its param', () => {
    for (const thinkingLevel of ['EXTREME', 'constructor'])
      expect(decodingProblem({ generationConfig: { thinkingConfig: { thinkingLevel } } })).toMatchObject({
        code: 'invalid_request',
        param: 'generationConfig.thinkingConfig.thinkingLevel',
      });
  });

  it('decodeThinking returns undefined if the caller sets no thinkingConfig', () => {
    expect(decodeThinking(null)).toBeUndefined();
    expect(decode({ generationConfig: {} })).not.toHaveProperty('reasoning');
  });
});
