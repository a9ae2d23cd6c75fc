import type { ShadowRequest, ShadowRun, ShadowSummary } from '@sluice/contract';
import type { Page } from 'playwright-core';
import { shareConsole } from './console.ts';
import { describeLooks, looksAt, type State } from './looks.ts';
import { answer } from './users-page.ts';

const sums = {
  requests: 18_204,
  none: 16_780,
  refused_here: 412,
  refused_there: 38,
  other_model: 96,
  other_cost: 521,
  not_compared: 357,
  cost_usd: 1_184.52,
  other_cost_usd: 1_271.9,
};

const run: ShadowRun = {
  id: 7,
  name: 'LiteLLM, first week of November',
  source: 'file',
  compared_with: 'https://litellm.northwind.example',
  started_at: '2026-11-20T08:00:00Z',
  ended_at: '2026-11-20T08:04:00Z',
  first_request_at: '2026-11-02T06:12:00Z',
  last_request_at: '2026-11-08T19:40:00Z',
  ...sums,
};

const half = Object.fromEntries(
  Object.entries(sums).map(([name, sum]) => [name, Math.round(sum / 2)]),
) as typeof sums;

const models = [
  'gpt-4.1',
  'claude-sonnet-4-5',
  'gemini-2.5-pro',
  'azure/gpt-4.1-mini-with-a-deployment-name-of-unusual-length',
  'o4-mini',
  'text-embedding-3-large',
];

const people = ['Ada Lovelace', 'Bartholomew Castro', 'Grace Hopper', 'Ivo Marsh', 'Kim Key', 'Mara Lind'];

const summary: ShadowSummary = {
  run,
  refusals: [
    { error_code: 'model_blacklisted', requests: 240, users: 12 },
    { error_code: 'invalid_api_key', requests: 96, users: 0 },
    { error_code: 'budget_exceeded', requests: 51, users: 3 },
    { error_code: 'policy_blocked', requests: 25, users: 1 },
  ],
  models: models.map((model_requested) => ({ model_requested, ...half })),
  users: [
    ...people.map((user_name, at) => ({
      user_id: at + 1,
      user_name,
      user_email: `${user_name.toLowerCase().replace(' ', '.')}@northwind.example`,
      ...half,
    })),
    { user_id: null, user_name: null, user_email: null, ...half, refused_here: 0 },
  ],
};

const describeRequest = (position: number, fields: Partial<ShadowRequest> = {}): ShadowRequest => ({
  position,
  requested_at: new Date(Date.parse('2026-11-02T06:12:00Z') + position * 61_000).toISOString(),
  user_id: 1 + (position % 6),
  user_name: people[position % 6] ?? null,
  user_email: 'someone@northwind.example',
  path: '/v1/chat/completions',
  model_requested: models[position % 5] ?? '',
  error_code: null,
  message: null,
  provider_name: 'OpenAI production',
  model: 'gpt-4.1-2025-04-14',
  intent: 'coding',
  score_after: 0.12,
  input_tokens: 1_204,
  output_tokens: 388,
  cost_usd: 0.0551,
  other_outcome: 'served',
  other_request_id: `chatcmpl-${position}`,
  other_model: 'gpt-4.1',
  other_cost_usd: 0.0551,
  difference: 'none',
  ...fields,
});

const refused = { provider_name: null, model: null, cost_usd: null, difference: 'refused_here' } as const;

const requests = [
  describeRequest(1),
  describeRequest(2, {
    error_code: 'model_blacklisted',
    message: 'The model gpt-4.1 is on the blacklist of your organization',
    ...refused,
  }),
  describeRequest(3, { difference: 'other_cost', cost_usd: 0.0042, other_cost_usd: 0.0051 }),
  describeRequest(4, {
    user_id: null,
    user_name: null,
    user_email: null,
    error_code: 'invalid_api_key',
    message: 'The API key is invalid',
    ...refused,
  }),
  describeRequest(5, {
    difference: 'refused_there',
    other_outcome: 'refused',
    other_model: null,
    other_cost_usd: null,
  }),
  describeRequest(6, { difference: 'other_model', other_model: 'azure/gpt-4.1-mini' }),
  describeRequest(7, {
    difference: 'not_compared',
    other_outcome: null,
    other_request_id: null,
    other_model: null,
    other_cost_usd: null,
  }),
  ...Array.from({ length: 12 }, (_, at) => describeRequest(8 + at)),
];

const listAddress = '**/api/v1/admin/shadow-runs';

const later: ShadowRun[] = [
  {
    ...run,
    id: 9,
    name: 'Mirror of One API',
    source: 'mirror',
    compared_with: null,
    ended_at: null,
    requests: 1_204,
    not_compared: 1_204,
    none: 0,
    refused_here: 0,
    refused_there: 0,
    other_model: 0,
    other_cost: 0,
    cost_usd: 0,
    other_cost_usd: 0,
  },
  {
    ...run,
    id: 8,
    name: 'LiteLLM, after the grants of the team Platform',
    refused_here: 3,
    other_model: 0,
    cost_usd: 0.0042,
    other_cost_usd: 0.0051,
  },
];

shareConsole();

async function showList(page: Page, runs: readonly ShadowRun[]) {
  await page.route(listAddress, answer(200, runs));
  await page.goto('/admin/shadow-runs');
  await page.getByText(runs[0]?.name ?? 'No shadow runs yet').waitFor();
}

async function showRun(page: Page, shown: Partial<ShadowSummary> = {}, search = '', rows = requests) {
  await page.route('**/api/v1/admin/shadow-runs/7', answer(200, { ...summary, ...shown }));
  await page.route('**/api/v1/admin/shadow-runs/7/requests?*', answer(200, rows));
  await page.goto(`/admin/shadow-runs?run=7${search}`);
  await page.getByRole('region', { name: 'Requests' }).locator('table[aria-busy="false"]').waitFor();
}

const nothing = { ...sums, ...Object.fromEntries(Object.keys(sums).map((name) => [name, 0])) };

const states: State[] = [
  { name: 'run', isInEveryLook: true, show: (page) => showRun(page) },
  { name: 'list', isInEveryLook: true, show: (page) => showList(page, [...later, run]) },
  { name: 'none', isInEveryLook: true, show: (page) => showList(page, []) },
  {
    name: 'requests',
    isInEveryLook: true,
    async show(page) {
      await showRun(page);
      await page
        .getByRole('region', { name: 'Figures of the run' })
        .getByRole('link', { name: '38' })
        .click();
    },
  },
  {
    name: 'request',
    async show(page) {
      await showRun(page, {}, '&code=model_blacklisted', requests.slice(1, 2));
      await page.getByRole('button', { name: 'Details' }).first().click();
      await page.getByText('Request ID there').waitFor();
    },
  },
  {
    name: 'run-without-requests',
    show: (page) =>
      showRun(
        page,
        {
          run: {
            ...run,
            ...nothing,
            compared_with: null,
            ended_at: null,
            first_request_at: null,
            last_request_at: null,
          },
          refusals: [],
          models: [],
          users: [],
        },
        '',
        [],
      ),
  },
];

describeLooks('Shadow runs', 'shadow-runs', states, looksAt([1440, 1280, 390]));
