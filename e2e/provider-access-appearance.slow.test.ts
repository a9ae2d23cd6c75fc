import type { Page } from 'playwright-core';
import {
  accessAddresses,
  describeProvider,
  describeTeamAccess,
  describeUserAccess,
  openAccess,
  refusal,
} from './access-page.ts';
import { shareConsole } from './console.ts';
import { describeLooks, type State } from './looks.ts';
import { chooseOption } from './select-field.ts';
import { describePicked } from './teams-page.ts';
import { actFromMenu, answer, hold } from './users-page.ts';

const openai = describeProvider(1, 'openai', 'openai-main', [
  'gpt-5',
  'gpt-5-mini',
  'gpt-5-nano',
  'gpt-4.1',
  'gpt-4.1-mini',
  'gpt-4o',
  'gpt-4o-mini',
  'o3',
  'o4-mini',
  'text-embedding-3-large',
  'text-embedding-3-small',
]);
const anthropic = describeProvider(2, 'anthropic', 'claude-eu', ['claude-opus-4-5', 'claude-sonnet-4-5']);
const google = describeProvider(3, 'google', 'gemini', ['gemini-2.5-pro', 'gemini-2.5-flash']);
const custom = describeProvider(4, 'custom', 'vllm-basement', ['llama-4-scout'], false);

const userRows = [
  describeUserAccess(1, 'Maya Ortiz', openai, openai.enabled_models),
  describeUserAccess(2, 'Jonas Weber', openai, ['gpt-5-mini', 'gpt-5-nano', 'gpt-3.5-turbo']),
  describeUserAccess(2, 'Jonas Weber', anthropic, ['claude-sonnet-4-5']),
  describeUserAccess(3, 'Aiko Tanaka', google, google.enabled_models),
  describeUserAccess(4, 'Priya Nair', custom, ['llama-4-scout']),
];
const teamRows = [
  describeTeamAccess(1, 'Research', openai, openai.enabled_models.slice(0, 5)),
  describeTeamAccess(2, 'Customer support', google, ['gemini-2.5-flash']),
];

const summary = {
  total_user_accesses: 5,
  total_team_accesses: 2,
  total_unique_users_with_access: 4,
  total_unique_teams_with_access: 2,
  provider_usage_stats: [openai, anthropic, google, custom].map(
    ({ provider_key, provider_instance_name }, index) => ({
      provider_key,
      provider_instance_name,
      user_access_count: 2 - (index % 2),
      team_access_count: index === 0 || index === 2 ? 1 : 0,
      total_access_count: 2 - (index % 2) + (index === 0 || index === 2 ? 1 : 0),
    }),
  ),
};

const userProviders = {
  total_providers: 3,
  total_models: 8,
  providers: [
    {
      provider_instance_name: 'openai-main',
      provider_key: 'openai',
      llm_provider_id: 1,
      allowed_models: ['gpt-5-mini', 'gpt-5-nano'],
      access_source: 'direct',
      team_name: null,
    },
    {
      provider_instance_name: 'claude-eu',
      provider_key: 'anthropic',
      llm_provider_id: 2,
      allowed_models: ['claude-sonnet-4-5'],
      access_source: 'direct',
      team_name: null,
    },
    {
      provider_instance_name: 'openai-main',
      provider_key: 'openai',
      llm_provider_id: 1,
      allowed_models: openai.enabled_models.slice(0, 5),
      access_source: 'team',
      team_name: 'Research',
    },
  ],
};

const people = [
  describePicked(1, 'Maya Ortiz'),
  describePicked(2, 'Jonas Weber'),
  describePicked(3, 'Aiko Tanaka'),
  describePicked(4, 'Lena Fischer', true),
];

shareConsole();

async function withGrants(page: Page) {
  await page.route(accessAddresses.users, answer(200, userRows));
  await page.route(accessAddresses.teams, answer(200, teamRows));
  await page.route(accessAddresses.summary, answer(200, summary));
  await page.route(accessAddresses.providers, answer(200, [openai, anthropic, google, custom]));
  await page.route(accessAddresses.people, answer(200, people));
  await page.route(accessAddresses.teamChoices, answer(200, [{ id: 1, name: 'Research', member_count: 12 }]));
  await page.route(accessAddresses.userProviders, answer(200, userProviders));
  await page.route(accessAddresses.explain, answer(200, refusal));
}

async function show(page: Page, search = '', label?: string) {
  await withGrants(page);
  await openAccess(page, search, label);
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const states: State[] = [
  { name: 'users', isInEveryLook: true, show },
  { name: 'teams', show: (page) => show(page, '?tab=teams', 'Team Access') },
  { name: 'summary', isInEveryLook: true, show: (page) => show(page, '?tab=summary', 'Provider usage') },
  {
    name: 'grant',
    isInEveryLook: true,
    show: async (page) => {
      await show(page);
      await press(page, 'Grant Access');
      const users = page.getByRole('combobox', { name: 'Users' });
      await users.fill('maya');
      await users.press('Enter');
      await chooseOption(page.getByRole('dialog'), 'Provider', /^openai-main/);
      await press(page, 'Select All');
      await page.getByText('Selected: 11 of 11').waitFor();
    },
  },
  {
    name: 'grant-refused',
    show: async (page) => {
      await show(page);
      await press(page, 'Grant Access');
      await page.getByRole('dialog').getByRole('button', { name: 'Grant Access' }).click();
      await page.getByText('Please select at least one model').waitFor();
      await page.getByText('Please select a user', { exact: true }).waitFor();
      await page.getByText('Please select a provider', { exact: true }).waitFor();
    },
  },
  {
    name: 'edit',
    isInEveryLook: true,
    show: async (page) => {
      await show(page);
      await press(page, 'Edit models: Jonas Weber, openai-main');
      await page.getByLabel('gpt-4o', { exact: true }).check();
      await page.getByLabel('gpt-5-nano', { exact: true }).uncheck();
      await page.getByText('Added (1)').waitFor();
    },
  },
  {
    name: 'user-summary',
    isInEveryLook: true,
    show: async (page) => {
      await show(page);
      await actFromMenu(page, 'View summary', 'Jonas Weber, openai-main');
      await page.getByText('Access breakdown').waitFor();
    },
  },
  {
    name: 'explain',
    isInEveryLook: true,
    show: async (page) => {
      await show(page, '?explain=3&model=gpt-5');
      await page.getByText('refuses the request', { exact: true }).waitFor();
    },
  },
  {
    name: 'remove',
    show: async (page) => {
      await show(page);
      await actFromMenu(page, 'Remove', 'Aiko Tanaka, gemini');
      await page.getByRole('dialog', { name: 'Remove access of Aiko Tanaka?' }).waitFor();
    },
  },
  {
    name: 'loading',
    show: async (page) => {
      await withGrants(page);
      await hold(page, accessAddresses.users);
      await page.goto('/admin/provider-access');
      await page.getByText('Loading access...').waitFor();
    },
  },
  {
    name: 'failure',
    show: async (page) => {
      await withGrants(page);
      await page.route(accessAddresses.users, answer(500, { detail: 'The database is unavailable' }));
      await page.goto('/admin/provider-access');
      await page.getByText('The database is unavailable').waitFor();
    },
  },
  {
    name: 'none-yet',
    show: async (page) => {
      await withGrants(page);
      await page.route(accessAddresses.users, answer(200, []));
      await openAccess(page);
      await page.getByText('No user has access yet').waitFor();
    },
  },
];

describeLooks('Provider Access', 'access', states);
