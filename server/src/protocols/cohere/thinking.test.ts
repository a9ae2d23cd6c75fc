import { describe, expect, it } from 'vitest';
import type { ReasoningOptions } from '../canonical/request.ts';
import { encodeThinking } from './request-encoder.ts';
import { encodeWishes } from './testing/exchange.ts';

const thinker = 'command-a-reasoning-08-2025';
const thinkingFor = (reasoning: ReasoningOptions, outputTokensMax?: number) => {
  const { body, warnings } = encodeWishes(
    { reasoning, ...(outputTokensMax !== undefined && { outputTokensMax }) },
    thinker,
  );
  expect(warnings).toEqual([]);
  return body.thinking;
};

describe('P4: reasoning', () => {
  it('encodeThinking sends no budget if the caller sets neither effort nor budget', () => {
    expect(thinkingFor({})).toEqual({ type: 'enabled' });
    expect(thinkingFor({ isShown: true })).toEqual({ type: 'enabled' });
  });

  it('encodeThinking sends the requested budget', () => {
    expect(thinkingFor({ budgetTokens: 1_234 }, 5_000)).toEqual({ type: 'enabled', token_budget: 1_234 });
    expect(thinkingFor({ effort: 'high', budgetTokens: 1_234 })).toMatchObject({ token_budget: 1_234 });
  });

  it('encodeThinking lowers a requested budget that leaves no room for the response', () => {
    const { body, warnings } = encodeWishes(
      { reasoning: { budgetTokens: 5_000 }, outputTokensMax: 1_000 },
      thinker,
    );
    expect(body.thinking).toEqual({ type: 'enabled', token_budget: 800 });
    expect(warnings).toEqual(['reasoning_effort']);
  });

  it.each([
    ['minimal', 100],
    ['low', 200],
    ['medium', 500],
    ['high', 800],
    ['xhigh', 950],
  ] as const)('encodeThinking sends effort %s as a share of the output token limit', (effort, budget) => {
    expect(thinkingFor({ effort }, 1_000)).toEqual({ type: 'enabled', token_budget: budget });
  });

  it("encodeThinking uses a share of the model's maximum output if the caller sets no limit", () => {
    expect(thinkingFor({ effort: 'medium' })).toEqual({ type: 'enabled', token_budget: 16_000 });
  });

  it('encodeThinking never sends a budget of 0, which Cohere rejects', () => {
    expect(thinkingFor({ effort: 'minimal' }, 3)).toEqual({ type: 'enabled', token_budget: 1 });
  });

  it.each<ReasoningOptions>([{ effort: 'none' }, { budgetTokens: 0 }])(
    'encodeThinking disables thinking for %j',
    (options) => {
      expect(thinkingFor(options)).toEqual({ type: 'disabled' });
    },
  );

  it('encodeThinking omits thinking with a warning if the model cannot think', () => {
    const { body, warnings } = encodeWishes({ reasoning: { effort: 'high' } });
    expect(body).not.toHaveProperty('thinking');
    expect(warnings).toEqual(['reasoning_effort']);
  });

  it('encodeThinking sends nothing if thinking is off and the model cannot think', () => {
    const { body, warnings } = encodeWishes({ reasoning: { effort: 'none' } });
    expect(body).not.toHaveProperty('thinking');
    expect(warnings).toEqual([]);
  });

  it('encodeThinking sends thinking to an unknown model, because newer models think', () => {
    const warn = (name: string) => expect.unreachable(name);
    expect(encodeThinking({ effort: 'medium' }, undefined, 1_000, warn)).toEqual({
      thinking: { type: 'enabled', token_budget: 500 },
    });
  });

  it('encodeThinking sends nothing if the caller does not request reasoning', () => {
    expect(encodeWishes({}, thinker).body).not.toHaveProperty('thinking');
  });
});
