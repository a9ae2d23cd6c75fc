import { expect, it } from 'vitest';
import { providers } from '#providers/registry.ts';
import type { ProtocolId } from './canonical/content.ts';
import type { CanonicalRequest, ReasoningEffort, ReasoningOptions } from './canonical/request.ts';
import { protocols } from './registry.ts';

const models: readonly (readonly [ProtocolId, model: string])[] = [
  ['anthropic-messages', 'claude-3-7-sonnet-latest'],
  ['anthropic-messages', 'claude-sonnet-4-5'],
  ['cohere', 'command-a-reasoning-08-2025'],
  ['gemini', 'gemini-2.5-flash'],
  ['gemini', 'gemini-2.5-flash-lite'],
  ['gemini', 'gemini-2.5-pro'],
  ['gemini', 'gemini-3-flash-preview'],
  ['gemini', 'gemini-3-pro-preview'],
  ['gemini', 'gemini-flash-latest'],
  ['openai-chat', 'anthropic/claude-sonnet-4.5'],
];
const efforts: readonly ReasoningEffort[] = ['minimal', 'low', 'medium', 'high', 'xhigh'];
const reasonings: readonly ReasoningOptions[] = [
  { isShown: true },
  ...efforts.map((effort) => ({ effort })),
  ...[1, 100, 1_024, 24_576, 100_000].map((budgetTokens) => ({ budgetTokens })),
  { effort: 'low', budgetTokens: 24_576 },
];
const caps = [200, 600, 1_000, 1_500, 4_096, 16_000];
const cases = models.flatMap(([protocol, model]) =>
  reasonings.flatMap((reasoning) => caps.map((cap) => ({ protocol, model, reasoning, cap }))),
);

const budgetNames = ['budget_tokens', 'thinkingBudget', 'token_budget', 'max_tokens'];

function findBudget(body: unknown): number {
  const found: number[] = [];
  JSON.stringify(body, (name, value) => {
    if (name === 'thinking' || name === 'thinkingConfig' || name === 'reasoning')
      for (const field of budgetNames) if (typeof value?.[field] === 'number') found.push(value[field]);
    return value;
  });
  return found[0] ?? 0;
}

function encode({ protocol, model, reasoning, cap }: (typeof cases)[number]) {
  const request: CanonicalRequest = {
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
    tools: [],
    stop: [],
    sampling: {},
    extensions: [],
    reasoning,
    outputTokensMax: cap,
  };
  const dialect = providers.openrouter?.chat.dialect;
  return protocols[protocol].provider.encodeRequest(request, {
    model,
    isStream: false,
    defaultOutputTokensMax: 4_096,
    isReasoningModel: false,
    ...(protocol === 'openai-chat' && dialect && { dialect }),
  });
}

it.each(cases)(
  'the thinking budget for $reasoning leaves room for the response within $cap tokens at $protocol $model',
  (given) => {
    const encoded = encode(given);
    if (!encoded.ok) throw new Error(encoded.problem.message);
    const budget = findBudget(encoded.body);
    expect(budget).toBeLessThan(given.cap);
    const { budgetTokens } = given.reasoning;
    const isLess = budgetTokens !== undefined && budget < budgetTokens && budget > 0;
    if (isLess) expect(encoded.warnings).toContain('reasoning_effort');
  },
);

it('a thinking level that would use up the output cap is replaced by a budget', () => {
  const levels = (cap: number) =>
    encode({ protocol: 'gemini', model: 'gemini-3-pro-preview', reasoning: { effort: 'high' }, cap });
  expect(levels(1_000)).toMatchObject({
    body: { generationConfig: { thinkingConfig: { thinkingBudget: 800 } } },
  });
  expect(levels(64_000)).toMatchObject({
    body: { generationConfig: { thinkingConfig: { thinkingLevel: 'HIGH' } } },
  });
});
