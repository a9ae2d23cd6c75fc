import { describe, expect, it } from 'vitest';
import { readOverflow, wordOverflow } from './context-overflow.ts';

const unknown = { promptTokens: null, maxTokens: null };

describe('readOverflow', () => {
  it.each<[message: string, promptTokens: number, maxTokens: number]>([
    ['prompt is too long: 213462 tokens > 200000 maximum', 213_462, 200_000],
    ['input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000', 210_000, 200_000],
    [
      "This model's maximum context length is 1048565 tokens. However, you requested 1250025 tokens (1245929 in the messages, 4096 in the completion).",
      1_250_025,
      1_048_565,
    ],
    [
      'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
      1_196_265,
      1_048_575,
    ],
    [
      "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      537_812,
      131_072,
    ],
    ['Your request exceeded model token limit: 262144 (requested: 291351)', 291_351, 262_144],
    ['prompt token count of 135,000 exceeds the limit of 128,000', 135_000, 128_000],
    ['model gpt-4-0613: maximum context length is 8192 tokens, you requested 9001', 9001, 8192],
  ])('readOverflow reads both sizes from %s', (message, promptTokens, maxTokens) => {
    expect(readOverflow(message, unknown)).toEqual({ promptTokens, maxTokens });
  });

  it.each<
    [message: string, known: Parameters<typeof readOverflow>[1], promptTokens: number, maxTokens: number]
  >([
    [
      'too many tokens: the prompt cannot exceed 128000',
      { promptTokens: 130_000, maxTokens: null },
      130_000,
      128_000,
    ],
    [
      'too many tokens: the prompt cannot exceed 128000',
      { promptTokens: 90_000, maxTokens: null },
      128_001,
      128_000,
    ],
    ['exceeded max context length by 12 tokens', { promptTokens: 9000, maxTokens: null }, 9000, 8988],
    ['it exceeds the context window', { promptTokens: 9000, maxTokens: 8192 }, 9000, 8192],
    ['it exceeds the context window', { promptTokens: 9000, maxTokens: null }, 9000, 8999],
    ['it exceeds the context window', { promptTokens: null, maxTokens: 8192 }, 8193, 8192],
  ])('readOverflow completes "%s" with what is known: %o', (message, known, promptTokens, maxTokens) => {
    expect(readOverflow(message, known)).toEqual({ promptTokens, maxTokens });
  });

  it('readOverflow returns null if no size is known', () => {
    expect(readOverflow('it exceeds the context window', unknown)).toBeNull();
  });

  it('readOverflow reads 64 KB of digits in linear time', () => {
    const startedMs = performance.now();
    for (const message of [
      '9'.repeat(65_536),
      'maximum '.repeat(8_192),
      '1,'.repeat(32_768),
      '1 + '.repeat(16_384),
    ])
      readOverflow(message, unknown);
    expect(performance.now() - startedMs).toBeLessThan(500);
  });
});

describe('wordOverflow', () => {
  const overflow = { promptTokens: 9001, maxTokens: 8192 };

  it.each([
    ['anthropic', 'prompt is too long: 9001 tokens > 8192 maximum'],
    [
      'openai',
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.",
    ],
    ['google', 'The input token count (9001) exceeds the maximum number of tokens allowed (8192).'],
  ] as const)(
    'wordOverflow writes in the words of %s and keeps a message that has them',
    (protocol, words) => {
      expect(wordOverflow({ message: 'too long', overflow }, protocol)).toBe(words);
      expect(wordOverflow({ message: `${words} Really.`, overflow }, protocol)).toBe(`${words} Really.`);
    },
  );

  it('wordOverflow keeps the message of any other error', () => {
    expect(wordOverflow({ message: 'no' }, 'anthropic')).toBe('no');
  });
});
