import type { FallbackDrill } from '@sluice/contract';
import type { Page } from 'playwright-core';
import { shareConsole } from './console.ts';
import { describeProvider, openProviders, providerAddresses } from './llm-providers-page.ts';
import { describeLooks, type State } from './looks.ts';
import { chooseOption } from './select-field.ts';
import { actFromMenu, answer, hold } from './users-page.ts';

const ahead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const gptModels = ['gpt-5.1', 'gpt-5-mini', 'gpt-4.1', 'gpt-4o', 'gpt-4o-mini', 'text-embedding-3-small'];
const providers = [
  describeProvider(1, 'openai', 'OpenAI production', {
    enabled_models: gptModels,
    default_model: 'gpt-5-mini',
    is_default: true,
    model_aliases: { fast: 'gpt-5-mini' },
  }),
  describeProvider(2, 'anthropic', 'Claude for the research group in Lyon and its guests', {
    enabled_models: ['claude-opus-4-5', 'claude-sonnet-4-5', 'claude-haiku-4-5'],
    default_model: 'claude-sonnet-4-5',
    is_service_managed: true,
    key_overlap: { ends_at: ahead(20), new_key_refused_at: ahead(-0.1) },
  }),
  describeProvider(3, 'azure_openai', 'Azure, West Europe', {
    enabled_models: ['gpt-4o-we', 'a-deployment-with-a-rather-long-name-2026-03'],
    api_endpoint: 'https://northwind-west-europe.openai.azure.com/openai/v1',
    maintenance: { since: ahead(-1), until: ahead(2), reason: 'Certificates are renewed' },
  }),
  describeProvider(4, 'vllm', 'Basement', { api_endpoint: 'http://10.0.0.12:8000/v1', is_active: false }),
];

shareConsole();

const withProviders = async (page: Page) => {
  await page.route(providerAddresses.list, answer(200, providers));
  await page.route(providerAddresses.health, answer(200, health));
  await openProviders(page);
};
const health = [
  { requests: 12_840, error_rate: 0.004, p50_ms: 820, p95_ms: 3_140, spend: 41.2037, models_in_cooldown: [] },
  {
    requests: 310,
    error_rate: 0.36,
    p50_ms: 1_900,
    p95_ms: 14_300,
    spend: 3.5,
    models_in_cooldown: ['claude-opus-4-5'],
  },
  { requests: 2, error_rate: 1, p50_ms: null, p95_ms: null, spend: 0, models_in_cooldown: [] },
  { requests: 0, error_rate: null, p50_ms: null, p95_ms: null, spend: 0, models_in_cooldown: [] },
].map((figures, index) => ({
  llm_provider_id: index + 1,
  last_success_at: figures.p50_ms === null ? null : new Date().toISOString(),
  ...figures,
}));

const drill: FallbackDrill = {
  llm_provider_id: 1,
  since: ahead(-1),
  until: ahead(0),
  requests_in_all: 12_430,
  requests: 5_000,
  served: 4_310,
  failed: 640,
  waiting: 50,
  failures: [
    { reason: 'no_fallback', requests: 520, models: ['gpt-5.1', 'text-embedding-3-small'] },
    { reason: 'not_granted', requests: 120, models: ['gpt-5-mini'] },
    { reason: 'in_cooldown', requests: 50, models: ['gpt-4o'] },
  ],
  cost: { before: 4.1203, after: 6.9042, unpriced: 210 },
  models: [
    { model: 'gpt-4o', requests: 3_900, failed: 0, waiting: 50, fallbacks: ['Azure, West Europe'] },
    { model: 'gpt-5-mini', requests: 580, failed: 120, waiting: 0, fallbacks: ['Basement'] },
    { model: 'gpt-5.1', requests: 520, failed: 520, waiting: 0, fallbacks: [] },
  ],
  people: [
    { user_id: 1, user_name: 'Maya Ortiz', requests: 4_100, failed: 520, waiting: 50 },
    { user_id: 2, user_name: 'Jonas Weber', requests: 900, failed: 120, waiting: 0 },
  ],
  models_in_all: 3,
  people_in_all: 2,
};

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const states: State[] = [
  { name: 'cards', isInEveryLook: true, show: withProviders },
  {
    name: 'add',
    isInEveryLook: true,
    show: async (page) => {
      await withProviders(page);
      await page.route(
        providerAddresses.test,
        answer(200, { success: true, available_models: gptModels, error: null }),
      );
      await press(page, 'Self Managed');
      const form = page.getByRole('dialog', { name: 'Add LLM Provider' });
      await chooseOption(form, 'Provider type', 'OpenAI');
      await form.getByLabel('API key').fill('sk-of-mine');
      await form.getByRole('button', { name: 'Test Connection' }).click();
      await form.getByText('Connection successful').waitFor();
      await form.getByRole('button', { name: 'Add alias' }).click();
    },
  },
  {
    name: 'add-refused',
    show: async (page) => {
      await withProviders(page);
      await press(page, 'Self Managed');
      const form = page.getByRole('dialog', { name: 'Add LLM Provider' });
      await form.getByRole('button', { name: 'Add Provider' }).click();
      await form.getByText('Instance name is required').waitFor();
    },
  },
  {
    name: 'managed',
    isInEveryLook: true,
    show: async (page) => {
      await withProviders(page);
      await press(page, 'Sluice Managed');
      const form = page.getByRole('dialog', { name: 'Add Sluice Managed Provider' });
      await chooseOption(form, 'Provider type', 'OpenAI');
      await form.getByRole('button', { name: 'Load Models' }).click();
      await form.getByText('with a known price').waitFor();
    },
  },
  {
    name: 'maintenance',
    isInEveryLook: true,
    show: async (page) => {
      await withProviders(page);
      await page.getByRole('switch', { name: 'Maintenance of OpenAI production' }).click();
      await page.getByRole('dialog', { name: 'Maintenance of OpenAI production' }).waitFor();
    },
  },
  {
    name: 'fallback-order',
    isInEveryLook: true,
    show: async (page) => {
      await withProviders(page);
      await press(page, 'Fallback order');
      await press(page, 'Move Azure, West Europe up');
    },
  },
  {
    name: 'fallback-drill',
    isInEveryLook: true,
    show: async (page) => {
      await withProviders(page);
      await page.route(providerAddresses.drill, answer(200, drill));
      await actFromMenu(page, 'Simulate outage', 'OpenAI production');
      await page.getByText('would not have been answered').waitFor();
    },
  },
  {
    name: 'fallback-drill-empty',
    show: async (page) => {
      await withProviders(page);
      const none = { requests: 0, requests_in_all: 0, served: 0, failed: 0, waiting: 0 };
      await page.route(providerAddresses.drill, answer(200, { ...drill, ...none }));
      await actFromMenu(page, 'Simulate outage', 'OpenAI production');
      await page.getByText('had no requests in the last hour').waitFor();
    },
  },
  {
    name: 'rotate',
    show: async (page) => {
      await withProviders(page);
      await actFromMenu(page, 'Rotate key', 'OpenAI production');
      await page.getByLabel('Previous key stays valid for').waitFor();
    },
  },
  {
    name: 'delete',
    show: async (page) => {
      await withProviders(page);
      await page.route(
        providerAddresses.impact,
        answer(200, {
          provider_name: 'OpenAI production',
          message: "Deleting 'OpenAI production' removes the access of 2 users and 1 team.",
          has_impact: true,
          impact: {
            affected_users: 2,
            affected_teams: 1,
            user_list: [
              { user_id: 1, user_name: 'Maya Ortiz', user_email: 'maya@northwind.dev' },
              { user_id: 2, user_name: 'Jonas Weber', user_email: 'jonas@northwind.dev' },
            ],
            team_list: [{ team_id: 1, team_name: 'Platform' }],
          },
        }),
      );
      await actFromMenu(page, 'Delete', 'OpenAI production');
      await page.getByText('removes the access of 2 users and 1 team').waitFor();
    },
  },
  {
    name: 'loading',
    show: async (page) => {
      await hold(page, providerAddresses.list);
      await page.goto('/admin/llm-providers');
      await page.getByText('Loading LLM providers...').waitFor();
    },
  },
  {
    name: 'failure',
    show: async (page) => {
      await page.route(providerAddresses.list, answer(500, { detail: 'The database is unavailable' }));
      await page.goto('/admin/llm-providers');
      await page.getByText('The database is unavailable').waitFor();
    },
  },
  {
    name: 'none-yet',
    show: async (page) => {
      await page.route(providerAddresses.list, answer(200, []));
      await openProviders(page);
    },
  },
  {
    name: 'models',
    isInEveryLook: true,
    show: async (page) => {
      await page.goto('/admin/llm-providers?tab=models&scope=listed');
      await page.locator('table[aria-label="Models"][aria-busy="false"]').waitFor();
    },
  },
  {
    name: 'registry',
    isInEveryLook: true,
    show: async (page) => {
      await page.goto('/admin/llm-providers?tab=registry');
      await page.locator('table[aria-label="Provider Registry"][aria-busy="false"]').waitFor();
    },
  },
  {
    name: 'registry-add',
    show: async (page) => {
      await page.goto('/admin/llm-providers?tab=registry');
      await press(page, 'Add provider type');
      await page
        .getByRole('dialog', { name: 'Add provider type' })
        .getByLabel('Display name')
        .fill('Acme AI');
    },
  },
];

describeLooks('LLM Providers', 'llm-providers', states);
