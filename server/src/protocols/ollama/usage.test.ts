import { expect, it } from 'vitest';
import { readUsage } from './response.ts';

const nothing = { cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

it.each([
  [{ prompt_eval_count: 17, eval_count: 66 }, 17, 66],
  [{ eval_count: 66 }, 0, 66],
  [{ prompt_eval_count: 17 }, 17, 0],
  [{ prompt_eval_count: 0, eval_count: 0 }, 0, 0],
  [{ prompt_eval_count: 'many', eval_count: 66 }, 0, 66],
])(
  'U7: readUsage reads %j as %i input tokens and %i output tokens',
  (counters, inputTokens, outputTokens) => {
    expect(readUsage({ done: true, ...counters })).toEqual({ ...nothing, inputTokens, outputTokens });
  },
);

it.each([null, undefined, 7, {}, { eval_count: -1 }, { eval_count: 1.5 }, { eval_count: 1e300 }])(
  'readUsage returns null for %j',
  (value) => {
    expect(readUsage(value)).toBeNull();
  },
);
