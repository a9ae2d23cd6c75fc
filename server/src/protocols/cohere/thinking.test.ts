import { describe, expect, it } from 'vitest';
import type { ReasoningWish } from '../canonical/request.ts';
import { isThinkingModel } from './model-traits.ts';
import { encodeWishes } from './testing/exchange.ts';

const thinker = 'command-a-reasoning-08-2025';
const thinkingFor = (reasoning: ReasoningWish, outputTokensMax?: number) => {
  const { body, warnings } = encodeWishes(
    { reasoning, ...(outputTokensMax !== undefined && { outputTokensMax }) },
    thinker,
  );
  expect(warnings).toEqual([]);
  return body.thinking;
};

it.each([
  ['command', false],
  ['command-light', false],
  ['command-nightly', false],
  ['command-r', false],
  ['command-r-plus-08-2024', false],
  ['command-r7b-12-2024', false],
  ['command-a-03-2025', false],
  ['command-a-vision-07-2025', false],
  ['command-a-translate-08-2025', false],
  ['c4ai-aya-expanse-32b', false],
  ['c4ai-command-r-plus', false],
  ['tiny-aya-global', false],
  ['command-a-reasoning-08-2025', true],
  ['command-a-plus-05-2026', true],
  ['command-z-of-the-future', true],
])('%s thinks: %s', (model, isThinking) => {
  expect(isThinkingModel(model)).toBe(isThinking);
});

describe('P4: a wish for reasoning', () => {
  it('without measure leaves the measure to the model', () => {
    expect(thinkingFor({})).toEqual({ type: 'enabled' });
    expect(thinkingFor({ isShown: true })).toEqual({ type: 'enabled' });
  });

  it('by a budget is that budget', () => {
    expect(thinkingFor({ budgetTokens: 1_234 }, 5_000)).toEqual({ type: 'enabled', token_budget: 1_234 });
    expect(thinkingFor({ effort: 'high', budgetTokens: 1_234 })).toMatchObject({ token_budget: 1_234 });
  });

  it.each([
    ['minimal', 100],
    ['low', 200],
    ['medium', 500],
    ['high', 800],
    ['xhigh', 950],
  ] as const)('by the effort %s is a share of the cap', (effort, budget) => {
    expect(thinkingFor({ effort }, 1_000)).toEqual({ type: 'enabled', token_budget: budget });
  });

  it('by an effort without a cap is a share of what the models write at most', () => {
    expect(thinkingFor({ effort: 'medium' })).toEqual({ type: 'enabled', token_budget: 16_000 });
  });

  it('never becomes a budget of nothing, which Cohere refuses', () => {
    expect(thinkingFor({ effort: 'minimal' }, 3)).toEqual({ type: 'enabled', token_budget: 1 });
  });

  it.each<ReasoningWish>([{ effort: 'none' }, { budgetTokens: 0 }])('%j turns it off', (wish) => {
    expect(thinkingFor(wish)).toEqual({ type: 'disabled' });
  });

  it('is left out for a model that cannot think, which is said', () => {
    const { body, warnings } = encodeWishes({ reasoning: { effort: 'high' } });
    expect(body).not.toHaveProperty('thinking');
    expect(warnings).toEqual(['reasoning_effort']);
  });

  it('for none is what such a model does anyway', () => {
    const { body, warnings } = encodeWishes({ reasoning: { effort: 'none' } });
    expect(body).not.toHaveProperty('thinking');
    expect(warnings).toEqual([]);
  });

  it('that nobody has is not sent', () => {
    expect(encodeWishes({}, thinker).body).not.toHaveProperty('thinking');
  });
});
