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
    [
      "'max_tokens' is too large: 30000. This model's maximum context length is 32768 tokens and your request has 5000 input tokens (30000 > 32768 - 5000).",
      35_000,
      32_768,
    ],
    ['Prompt contains 40000 tokens, too large for model with 32768 maximum context length', 40_000, 32_768],
    ['request (9001 tokens) exceeds the available context size (8192 tokens)', 9001, 8192],
    ['Please reduce the length of the messages. Current length is 9001 while limit is 8192', 9001, 8192],
    ['the maximum context length is 128k tokens, but there are 140k', 140_000, 128_000],
    ['`inputs` must have less than 1024 tokens. Given: 2000', 2000, 1024],
  ])('readOverflow reads both sizes from %s', (message, promptTokens, maxTokens) => {
    expect(readOverflow(message, unknown)).toEqual({ promptTokens, maxTokens });
  });

  it.each<
    [
      message: string,
      known: Parameters<typeof readOverflow>[1],
      promptTokens: number | null,
      maxTokens: number | null,
    ]
  >([
    [
      'too many tokens: the prompt cannot exceed 128000',
      { promptTokens: 130_000, maxTokens: null },
      130_000,
      128_000,
    ],
    [
      'too many tokens: the prompt cannot exceed 128000',
      { promptTokens: 90_000, maxTokens: 256_000 },
      128_001,
      128_000,
    ],
    ['Range of input length should be [1, 30720]', { promptTokens: 31_000, maxTokens: null }, 31_000, 30_720],
    ['exceeded max context length by 12 tokens', { promptTokens: 9000, maxTokens: 8192 }, 8204, 8192],
    ['it exceeds the context window', { promptTokens: 9000, maxTokens: 8192 }, 9000, 8192],
    ['it exceeds the context window', { promptTokens: 8000, maxTokens: 8192 }, 8193, 8192],
    ['it exceeds the context window', { promptTokens: null, maxTokens: 8192 }, 8193, 8192],
    ['it exceeds the context window', { promptTokens: 9000, maxTokens: null }, 9000, null],
    ['exceeded max context length by 12 tokens', { promptTokens: 9000, maxTokens: null }, 9000, null],
    ['size limit exceeded by 11326 tokens', { promptTokens: 12_433, maxTokens: null }, 12_433, null],
    ['size limit exceeded by 11326 tokens', { promptTokens: 12_433, maxTokens: 256_000 }, 12_433, null],
    ['size limit exceeded by 11326 tokens', { promptTokens: 9000, maxTokens: null }, null, null],
    ['it exceeds the context window', { promptTokens: 9000, maxTokens: 131_072 }, 9000, null],
    ['the prompt has 9001 tokens', { promptTokens: 8800, maxTokens: 131_072 }, 9001, null],
    ['context window exceeds limit (2013)', { promptTokens: 9000, maxTokens: null }, 9000, null],
    ['too long at 1764150000000', { promptTokens: 9000, maxTokens: null }, 9000, null],
    ['it exceeds the context window', unknown, null, null],
  ])(
    'readOverflow completes the sizes in "%s" with the known sizes: %j',
    (message, known, promptTokens, maxTokens) => {
      expect(readOverflow(message, known)).toEqual({ promptTokens, maxTokens });
    },
  );

  it('readOverflow reads four messages of 64 KiB in less than 500 ms', () => {
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

/** Texts by which clients of each protocol recognize the error. */
const lookedFor = {
  // Used by Claude Code and opencode.
  anthropic: [/prompt is too long/],
  // Used by opencode, Cline and others, which also read the code `context_length_exceeded`.
  openai: [
    /reduce the length of the messages/,
    /exceeds the context window|maximum context length is \d+ tokens/,
  ],
  // Used by opencode and Gemini CLI.
  google: [/input token count.*exceeds the maximum number of tokens allowed/],
} as const;

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
    'wordOverflow uses the wording of %s and keeps a message that already has it',
    (protocol, words) => {
      expect(wordOverflow({ message: 'too long', overflow }, protocol)).toBe(words);
      expect(wordOverflow({ message: `${words} Really.`, overflow }, protocol)).toBe(`${words} Really.`);
    },
  );

  const partly = [
    { promptTokens: 9001, maxTokens: null },
    { promptTokens: null, maxTokens: 8192 },
    { promptTokens: null, maxTokens: null },
  ];

  it.each([
    ['anthropic', ['prompt is too long: 9001 tokens', 'prompt is too long', 'prompt is too long']],
    [
      'openai',
      [
        'Your input exceeds the context window of this model. Your messages resulted in 9001 tokens. Please reduce the length of the messages.',
        "This model's maximum context length is 8192 tokens. Please reduce the length of the messages.",
        'Your input exceeds the context window of this model. Please reduce the length of the messages.',
      ],
    ],
    [
      'google',
      [
        'The input token count (9001) exceeds the maximum number of tokens allowed.',
        'The input token count exceeds the maximum number of tokens allowed (8192).',
        'The input token count exceeds the maximum number of tokens allowed.',
      ],
    ],
  ] as const)('wordOverflow omits unknown sizes in the wording of %s', (protocol, words) => {
    const written = partly.map((sizes) => wordOverflow({ message: 'too long', overflow: sizes }, protocol));
    expect(written).toEqual(words);
  });

  it.each(['anthropic', 'openai', 'google'] as const)(
    'wordOverflow for %s includes the text that coding clients look for, regardless of the known sizes',
    (protocol) => {
      for (const sizes of [overflow, ...partly]) {
        const message = wordOverflow({ message: 'too long', overflow: sizes }, protocol);
        expect(lookedFor[protocol].filter((wanted) => !wanted.test(message))).toEqual([]);
      }
    },
  );

  it('wordOverflow keeps the message of an error without an overflow', () => {
    expect(wordOverflow({ message: 'no' }, 'anthropic')).toBe('no');
  });
});
