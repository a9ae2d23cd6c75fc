import { describe, expect, it } from 'vitest';
import type { ReasoningWish } from '../canonical/request.ts';
import { encodeWishes } from './testing/exchange.ts';

const encode = (model: string, reasoning: ReasoningWish) => {
  const { body, warnings } = encodeWishes({ reasoning }, model);
  return { think: body.think, warnings };
};

describe('P4: reasoning', () => {
  it.each<[ReasoningWish, boolean]>([
    [{}, true],
    [{ isShown: true }, true],
    [{ effort: 'minimal' }, true],
    [{ effort: 'high' }, true],
    [{ budgetTokens: 5_000 }, true],
    [{ effort: 'none' }, false],
    [{ budgetTokens: 0 }, false],
  ])('%j sets think to true or false for most models', (wish, think) => {
    expect(encode('qwen3:8b', wish)).toEqual({ think, warnings: [] });
  });

  it.each<[ReasoningWish, string | boolean]>([
    [{}, true],
    [{ effort: 'minimal' }, 'low'],
    [{ effort: 'low' }, 'low'],
    [{ effort: 'medium' }, 'medium'],
    [{ effort: 'high' }, 'high'],
    [{ effort: 'xhigh' }, 'high'],
    [{ budgetTokens: 1_024 }, 'low'],
    [{ budgetTokens: 10_000 }, 'medium'],
    [{ budgetTokens: 30_000 }, 'high'],
  ])('%j is sent as a level to a model that supports levels', (wish, think) => {
    expect(encode('gpt-oss:120b', wish)).toEqual({ think, warnings: [] });
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

const thoughtless = [
  ...['llama3', 'llama3.2-vision:11b', 'llama2-uncensored', 'codellama', 'tinyllama', 'gemma', 'gemma:2b'],
  ...['gemma2:9b', 'gemma3:1b', 'gemma3n:e4b', 'codegemma', 'mistral', 'mistral-small3.2', 'mixtral:8x7b'],
  ...['codestral', 'devstral', 'phi', 'phi3:mini', 'phi4', 'qwen', 'qwen:4b', 'qwen2', 'qwen2.5-coder:7b'],
  ...['qwen2.5vl', 'qwen3-coder:30b', 'llava:13b', 'command-r', 'starcoder2', 'smollm2', 'deepseek-coder-v2'],
  ...['library/llama3', 'hf.co/somebody/llama3-GGUF:Q4', 'qwen3:30b-a3b-instruct-2507-q4_K_M'],
];
const thinkers = [
  ...['qwen3', 'qwen3:8b', 'qwen3.5', 'qwen3-vl:8b', 'qwen3:30b-a3b-thinking-2507', 'deepseek-r1:7b'],
  ...['deepseek-v3.1', 'magistral', 'gemma4', 'phi4-reasoning', 'phi4-mini-reasoning:3.8b', 'glm-4.7'],
  ...['kimi-k2-thinking', 'my-own-model:latest', 'somebody/qwen3', 'registry.local:5000/somebody/qwen3'],
];

it.each(thoughtless)('%s does not receive think', (model) => {
  expect(encode(model, { effort: 'low' }).think).toBeUndefined();
});

it.each(thinkers)('%s receives think', (model) => {
  expect(encode(model, { effort: 'low' }).think).toBe(true);
});
