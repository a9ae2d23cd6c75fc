import { expect, it } from 'vitest';
import { readOutputRoom } from './read-output-room.ts';

it.each<[server: string, message: string, cap: number, read: object]>([
  [
    'OpenAI',
    'max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.',
    32_000,
    { output: 16_384 },
  ],
  [
    'Anthropic, for the output',
    'max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20241022',
    64_000,
    { output: 8_192 },
  ],
  [
    'Anthropic, for the context',
    'input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000, decrease input length or `max_tokens` and try again',
    64_000,
    { context: 200_000, room: 10_000 },
  ],
  [
    'vLLM',
    "This model's maximum context length is 8192 tokens. However, you requested 12500 tokens (5000 in the messages, 7500 in the completion). Please reduce the length of the messages or completion.",
    7_500,
    { context: 8_192, room: 3_192 },
  ],
  [
    'newer vLLM',
    "'max_tokens' or 'max_completion_tokens' is too large: 7500. This model's maximum context length is 8192 tokens and your request has 5000 input tokens (7500 > 8192 - 5000).",
    7_500,
    { context: 8_192, room: 3_192 },
  ],
  [
    'TGI and Together',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 5000 `inputs` tokens and 7500 `max_new_tokens`',
    7_500,
    { context: 8_193, room: 3_193 },
  ],
  [
    'DeepSeek',
    'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
    32_000,
    { output: 8_192 },
  ],
  [
    'Groq',
    '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model',
    32_000,
    { output: 8_192 },
  ],
  [
    'Gemini',
    'Unable to submit request because it has a maxOutputTokens value of 100,000 but the supported range is from 1 (inclusive) to 65,537 (exclusive).',
    100_000,
    { output: 65_536 },
  ],
  [
    'Cohere',
    'too many tokens: max tokens must be less than or equal to 4096, the maximum output for this model - received 32000.',
    32_000,
    { output: 4_096 },
  ],
  ['a provider that names no number', 'max_tokens is too large', 32_000, {}],
  ['a provider about an image', 'Invalid image: at most 4096 pixels', 32_000, {}],
  [
    'a provider whose context the input alone exceeds',
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    32_000,
    {},
  ],
])('readOutputRoom reads the accepted output from the error of %s', (_, message, cap, read) => {
  const refusals = readOutputRoom(message, cap).map(({ kind, value }) => [kind, Number(value)]);
  expect(Object.fromEntries(refusals)).toEqual(read);
});
