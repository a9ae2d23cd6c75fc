import { expect, it } from 'vitest';
import type { ModelFacts } from '#protocols/canonical/request.ts';
import { findFacts } from '../snapshot/model-facts.ts';
import { fitOutputCap } from './model-knowledge.ts';
import { collectRefusals, type Refusal } from './refusals.ts';

interface Given {
  readonly facts?: ModelFacts;
  readonly refusals?: readonly Refusal[];
  readonly limitCap?: number;
  readonly namedCap?: number;
  readonly isRequired?: boolean;
  readonly inputTokens?: number;
}

const fit = ({ facts, refusals = [], limitCap, namedCap, isRequired = false, inputTokens = 0 }: Given) =>
  fitOutputCap(
    { limitCap: limitCap ?? null, namedCap: namedCap ?? null, isRequired, inputTokens },
    { facts: facts ?? null, refusals: collectRefusals(refusals) },
  );
const known = { output: 64_000, context: 200_000 };

it.each<[what: string, given: Given, cap: number | null]>([
  ['nothing requires one', { facts: known }, null],
  ['nothing requires one and nothing is known', {}, null],
  ["a limit allows the model's maximum", { facts: known, limitCap: 64_000 }, null],
  ['a limit allows less', { facts: known, limitCap: 63_999 }, 63_999],
  ['a limit exists and the maximum is unknown', { limitCap: 20_000 }, 20_000],
  ['a limit is higher than what is assumed of unknown models', { limitCap: 900_000 }, 32_000],
  ['the caller named one', { facts: known, namedCap: 100_000 }, null],
  ['the caller named one above a limit', { facts: known, namedCap: 100_000, limitCap: 500 }, 500],
  ['the protocol requires one', { facts: known, isRequired: true }, 64_000],
  ['the protocol requires one of an unknown model', { isRequired: true }, 32_000],
  [
    'the protocol requires one and the input takes most of the context',
    { facts: known, isRequired: true, inputTokens: 190_000 },
    10_000,
  ],
  [
    'the provider named its maximum',
    { facts: known, isRequired: true, refusals: [{ kind: 'output', value: '8192' }] },
    8_192,
  ],
  [
    'the provider named its context',
    { limitCap: 20_000, inputTokens: 6_000, refusals: [{ kind: 'context', value: '8192' }] },
    2_192,
  ],
  ['the provider named what is left', { limitCap: 20_000, refusals: [{ kind: 'room', value: '77' }] }, 77],
])('fitOutputCap returns the expected output cap if %s', (_, given, cap) => {
  expect(fit(given)).toBe(cap);
});

it.each<[providerKey: string, model: string, aliases: Record<string, string>, facts: object | null]>([
  ['openai', 'gpt-5.1', {}, { output: 128_000, reasoning: true }],
  ['openai', 'gpt-4o', {}, { reasoning: false, vision: true }],
  ['anthropic', 'claude-sonnet-4-5', {}, { output: 64_000 }],
  ['anthropic', 'claude-3-haiku-20240307', {}, { output: 4_096 }],
  ['openrouter', 'anthropic/claude-sonnet-4.5', {}, { output: 64_000, vision: true }],
  ['google', 'models/gemini-2.5-flash', {}, { vision: true }],
  ['ollama', 'gpt-oss:20b', {}, { efforts: ['low', 'medium', 'high'] }],
  ['azure_openai', 'our-chat', {}, null],
  ['azure_openai', 'our-chat', { 'gpt-5.1': 'our-chat' }, { output: 128_000, reasoning: true }],
  ['custom', 'our-chat', { 'gpt-5.1': 'our-chat' }, null],
  ['custom', 'gpt-5.1-like', {}, null],
  ['custom', 'my-claude-sonnet-4-5', {}, null],
  ['openai', '__proto__', {}, null],
])(
  'findFacts for the provider %s, the model %s and the aliases %j returns %j',
  (providerKey, model, aliases, facts) => {
    const found = findFacts({ providerKey, aliases }, model);
    if (facts === null) expect(found).toBeNull();
    else expect(found).toMatchObject(facts);
  },
);
