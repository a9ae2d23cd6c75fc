import type { Page } from 'playwright-core';
import { shareConsole } from './console.ts';
import {
  comparisonAddresses,
  describeComparison,
  describeInstance,
  describeResult,
  describeWinRate,
  hideModels,
  idOf,
  openComparison,
} from './llm-comparison-page.ts';
import { describeLooks, type State } from './looks.ts';
import { answer, hold } from './users-page.ts';

shareConsole();

const instances = [
  describeInstance(1, 'openai', 'OpenAI', { enabled_models: ['gpt-5', 'gpt-5-mini', 'gpt-3.5-turbo'] }),
  describeInstance(2, 'anthropic', 'Anthropic', {
    enabled_models: ['claude-opus-4-5', 'claude-haiku-4-5'],
    default_model: 'claude-haiku-4-5',
  }),
  describeInstance(3, 'google', 'Google', { enabled_models: ['gemini-3-pro', 'gemini-3-flash'] }),
];

const longAnswer = `A closure is a function together with the variables of the place where it was written.

In Python you know it from inner functions:

def counter():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n
    return step

JavaScript has the same, without the word nonlocal:

function counter() {
  let n = 0;
  return () => ++n;
}

Each call of counter makes a new n, which only the function that it returns can see. It lives for as long as that function does.`;

const mixed = describeComparison(1, {
  status: 'partial',
  results: [
    describeResult(11, 'OpenAI', 'gpt-5-mini', { response_text: longAnswer, total_tokens: 1_318 }),
    describeResult(12, 'Anthropic', 'claude-haiku-4-5', { cost: 0.001_204, response_time_ms: 902 }),
    describeResult(13, 'Google', 'gemini-3-pro', {
      status: 'failed',
      response_text: '',
      error_message:
        'The provider "Google" does not answer at the moment: it has refused ten calls in a row.',
      cost: null,
    }),
  ],
});

const running = describeComparison(2, {
  status: 'pending',
  results: [
    describeResult(21, 'OpenAI', 'gpt-5-mini'),
    describeResult(22, 'Anthropic', 'claude-haiku-4-5', {
      status: 'pending',
      response_text: longAnswer.slice(0, 180),
      cost: null,
      response_time_ms: null,
      total_tokens: null,
    }),
    describeResult(23, 'Google', 'gemini-3-pro', {
      status: 'pending',
      response_text: null,
      cost: null,
      response_time_ms: null,
      total_tokens: null,
      request_id: null,
    }),
  ],
});

const blind = describeComparison(5, {
  results: [
    describeResult(51, 'OpenAI', 'gpt-5-mini', { label: 'A', response_text: longAnswer }),
    describeResult(52, 'Anthropic', 'claude-haiku-4-5', { label: 'B', cost: 0.001_204 }),
  ],
});

const history = [
  running,
  mixed,
  describeComparison(3, {
    prompt:
      'Write a SQL query that finds for each customer the order with the largest amount in the last ninety days, and say in two sentences how it uses an index, and what happens when two orders have the same amount.',
  }),
  describeComparison(4, { prompt: 'Translate "opening hours" to French, German and Polish.' }),
];

const winRates = [
  describeWinRate('gpt-5-mini', 214, 0.618),
  describeWinRate('claude-haiku-4-5', 214, 0.402, { provider_name: 'Anthropic' }),
  describeWinRate('a-model-of-ones-own-with-a-rather-long-name-2026-11-01-preview', 4, 0.5, {
    provider_name: 'OpenAI-compatible',
    average_cost_per_answer: null,
    total_cost: null,
  }),
];

async function withComparisons(page: Page) {
  await page.route(comparisonAddresses.providers, answer(200, instances));
  await page.route(
    comparisonAddresses.stats,
    answer(200, { total_comparisons: 128, total_cost: 4.301_882, average_cost_per_comparison: 0.033_608 }),
  );
  await page.route(comparisonAddresses.list, answer(200, history));
  await page.route(comparisonAddresses.winRates, answer(200, winRates));
}

async function show(page: Page, search = '') {
  await withComparisons(page);
  await openComparison(page, search);
}

async function showOne(page: Page, comparison = mixed) {
  await page.route(comparisonAddresses.one, answer(200, comparison));
  await show(page, `?open=${comparison.id}`);
  await page.getByRole('region', { name: 'Comparison results' }).getByRole('listitem').first().waitFor();
}

const states: State[] = [
  { name: 'form', isInEveryLook: true, show },
  {
    name: 'six-rows',
    async show(page) {
      await show(page);
      for (let row = 3; row <= 6; row++) await page.getByRole('button', { name: 'Add LLM + Model' }).click();
    },
  },
  { name: 'results', isInEveryLook: true, show: showOne },
  { name: 'running', isInEveryLook: true, show: (page) => showOne(page, running) },
  { name: 'ballot', isInEveryLook: true, show: (page) => showOne(page, hideModels(blind)) },
  {
    name: 'voted',
    isInEveryLook: true,
    show: (page) => showOne(page, { ...blind, is_blind: true, vote: 'B' }),
  },
  {
    name: 'blind-running',
    show: (page) =>
      showOne(
        page,
        hideModels({
          ...running,
          results: running.results.map((result) => ({
            ...result,
            status: 'pending',
            response_text: null,
          })),
        }),
      ),
  },
  {
    name: 'win-rates',
    isInEveryLook: true,
    async show(page) {
      await show(page);
      await page.getByRole('region', { name: 'Win rates', exact: true }).scrollIntoViewIfNeeded();
    },
  },
  { name: 'nothing-found', show: (page) => withNothing(page, '?filter=nothing') },
  { name: 'none-yet', isInEveryLook: true, show: (page) => withNothing(page, '') },
  {
    name: 'loading',
    async show(page) {
      await withComparisons(page);
      await hold(page, comparisonAddresses.list);
      await hold(page, comparisonAddresses.stats);
      await hold(page, comparisonAddresses.providers);
      await page.goto('/admin/llm-comparison');
      await page.getByText('Loading comparisons...').waitFor();
    },
  },
  {
    name: 'failure',
    async show(page) {
      await page.route(comparisonAddresses.one, answer(404, { detail: 'Comparison not found' }));
      await show(page, `?open=${idOf(1)}`);
      await page.getByText('Comparison not found').waitFor();
    },
  },
];

async function withNothing(page: Page, search: string) {
  await page.route(comparisonAddresses.winRates, answer(200, []));
  await page.route(comparisonAddresses.list, answer(200, []));
  await openComparison(page, search);
  await page.getByText('No comparisons found').waitFor();
}

describeLooks('LLM Comparison', 'llm-comparison', states);
