import { describe, expect, it } from 'vitest';
import type { ReasoningOptions } from '../canonical/request.ts';
import { encodeWishes } from './testing/exchange.ts';

const encode = (model: string, reasoning: ReasoningOptions) => {
  const { body, warnings } = encodeWishes({ reasoning }, model);
  return { think: body.think, warnings };
};

describe('P4: reasoning', () => {
  it.each<[ReasoningOptions, boolean]>([
    [{}, true],
    [{ isShown: true }, true],
    [{ effort: 'minimal' }, true],
    [{ effort: 'high' }, true],
    [{ budgetTokens: 5_000 }, true],
    [{ effort: 'none' }, false],
    [{ budgetTokens: 0 }, false],
  ])('encodeThinking sends the reasoning %j to a model without levels as %j', (options, think) => {
    expect(encode('qwen3:8b', options)).toEqual({ think, warnings: [] });
  });

  it.each<[ReasoningOptions, string | boolean]>([
    [{}, true],
    [{ effort: 'minimal' }, 'low'],
    [{ effort: 'low' }, 'low'],
    [{ effort: 'medium' }, 'medium'],
    [{ effort: 'high' }, 'high'],
    [{ effort: 'xhigh' }, 'high'],
    [{ budgetTokens: 1_024 }, 'low'],
    [{ budgetTokens: 10_000 }, 'medium'],
    [{ budgetTokens: 30_000 }, 'high'],
  ])('encodeThinking sends the reasoning %j to a model with levels as %j', (options, think) => {
    expect(encode('gpt-oss:120b', options)).toEqual({ think, warnings: [] });
  });

  it('encodeThinking sends the lowest level with a warning if reasoning is off but the model always thinks', () => {
    expect(encode('gpt-oss:20b', { effort: 'none' })).toEqual({
      think: 'low',
      warnings: ['reasoning_effort'],
    });
  });

  it('encodeThinking omits think with a warning if the model cannot think, because Ollama rejects it', () => {
    expect(encode('llama3.2:3b', { effort: 'high' })).toEqual({
      think: undefined,
      warnings: ['reasoning_effort'],
    });
  });

  it('encodeThinking sends nothing if reasoning is off and the model cannot think', () => {
    expect(encode('llama3.2:3b', { effort: 'none' })).toEqual({ think: undefined, warnings: [] });
  });

  it('encodeThinking sends nothing if the caller does not request reasoning', () => {
    expect(encodeWishes().body).not.toHaveProperty('think');
  });
});
