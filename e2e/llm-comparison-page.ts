import {
  answerLabels,
  type Comparison,
  type ComparisonResult,
  type GrantableProvider,
  type ModelWinRate,
} from '@sluice/contract';
import type { Page } from 'playwright-core';

const base = '**/api/v1/compare';

export const comparisonAddresses = {
  create: base,
  list: `${base}?*`,
  stats: `${base}/stats`,
  one: `${base}/*-*-*-*`,
  winRates: `${base}/win-rates`,
  providers: '**/api/v1/admin/provider-access/available-providers',
};

export async function openComparison(page: Page, search = ''): Promise<void> {
  await page.goto(`/admin/llm-comparison${search}`);
  await page.getByRole('heading', { name: 'LLM Comparison' }).waitFor();
  await page.getByText('Loading comparisons...').waitFor({ state: 'detached' });
}

export const idOf = (number: number) => `019a0000-0000-7000-8000-${String(number).padStart(12, '0')}`;

export function describeResult(
  number: number,
  provider_name: string,
  model_name: string,
  fields: Partial<ComparisonResult> = {},
): ComparisonResult {
  return {
    id: idOf(number),
    label: null,
    provider_registry_id: number,
    provider_name,
    model_name,
    status: 'completed',
    response_text: 'A closure is a function together with the variables of the place where it was written.',
    error_message: null,
    cost: 0.000_412,
    response_time_ms: 1_834,
    total_tokens: 218,
    request_id: idOf(number + 500),
    ...fields,
  };
}

export function describeComparison(number: number, fields: Partial<Comparison> = {}): Comparison {
  const results = fields.results ?? [
    describeResult(number * 10 + 1, 'OpenAI', 'gpt-5-mini'),
    describeResult(number * 10 + 2, 'Anthropic', 'claude-haiku-4-5'),
  ];
  return {
    id: idOf(number),
    user_id: 1,
    user_name: 'Administrator',
    prompt: 'Explain closures in JavaScript to somebody who knows Python.',
    status: 'completed',
    created_at: '2026-11-03T09:00:00.000Z',
    providers_count: results.length,
    total_cost: results.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    is_blind: false,
    is_revealed: true,
    vote: null,
    results,
    ...fields,
  };
}

/** Removes everything that reveals the models, as in a response before the vote. */
export const hideModels = (comparison: Comparison): Comparison => ({
  ...comparison,
  is_blind: true,
  is_revealed: false,
  total_cost: null,
  results: comparison.results.map((result, index) => ({
    ...result,
    label: answerLabels[index] ?? null,
    provider_registry_id: null,
    provider_name: null,
    model_name: null,
    error_message: null,
    cost: null,
    response_time_ms: null,
    total_tokens: null,
    request_id: null,
  })),
});

export const describeWinRate = (
  model_name: string,
  votes: number,
  win_rate: number,
  fields: Partial<ModelWinRate> = {},
): ModelWinRate => ({
  provider_registry_id: 1,
  provider_name: 'OpenAI',
  model_name,
  votes,
  wins: Math.round(votes * win_rate),
  ties: 0,
  win_rate,
  win_rate_low: Math.max(0, win_rate - 0.13),
  win_rate_high: Math.min(1, win_rate + 0.13),
  answers: votes,
  total_cost: votes * 0.000_731,
  average_cost_per_answer: 0.000_731,
  ...fields,
});

export function describeInstance(
  id: number,
  provider_key: string,
  provider_name: string,
  fields: Partial<GrantableProvider> = {},
): GrantableProvider {
  return {
    id,
    provider_registry_id: id,
    provider_key,
    provider_name,
    provider_instance_name: provider_name,
    enabled_models: [],
    default_model: null,
    is_active: true,
    ...fields,
  };
}
