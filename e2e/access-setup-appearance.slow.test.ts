import type { Page } from 'playwright-core';
import { shareConsole } from './console.ts';
import { describeInstance } from './llm-comparison-page.ts';
import { describeLooks, type State } from './looks.ts';
import { chooseOption } from './select-field.ts';
import { describeTask } from './tasks-page.ts';
import { act, answer, describePerson, listAddress, openUsers } from './users-page.ts';

shareConsole();

const longName =
  'Bartholomäus-Maximilian Freiherr von und zu Hohenstauffenberg-Wolkenstein the Younger of Northwind';
const addresses = {
  tasks: '**/api/v1/admin/tasks?*',
  teams: '**/api/v1/admin/provider-access/available-teams',
  providers: '**/api/v1/admin/provider-access/available-providers',
  permitted: '**/api/v1/admin/provider-access/users/*/available-providers',
  apiKey: '**/api/v1/admin/users/*/api-key',
  giveTask: '**/api/v1/admin/tasks',
  giveModels: '**/api/v1/admin/provider-access/users',
};

const many = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const models = ['gpt-5', 'gpt-5-mini'];

interface Choices {
  tasks?: number;
  teams?: number;
  providers?: number;
}

/** The counts set how many tasks, teams and providers can be chosen. */
async function withChoices(page: Page, { tasks = 3, teams = 2, providers = 2 }: Choices) {
  const title = (id: number) => `Task ${id} of the invoices and of all that belongs to them, in a long title`;
  const lists = {
    [addresses.tasks]: many(tasks).map((id) => describeTask(id, title(id))),
    [addresses.teams]: many(teams).map((id) => ({ id, name: `Team ${id}`, member_count: 3 })),
    [addresses.providers]: many(providers).map((id) =>
      describeInstance(id, 'openai', 'OpenAI', {
        provider_instance_name: `OpenAI ${id}`,
        enabled_models: models,
        default_model: 'gpt-5',
      }),
    ),
    [addresses.permitted]: permitted,
  };
  for (const [address, list] of Object.entries(lists)) await page.route(address, answer(200, list));
  await page.route(addresses.apiKey, (route) =>
    answer(
      200,
      route.request().method() === 'POST'
        ? newKey
        : { has_api_key: false, api_key_status: null, former_key: null },
    )(route),
  );
  await page.route(addresses.giveTask, answer(201, describeTask(1, 'API access')));
  await page.route(addresses.giveModels, answer(201, {}));
}

/** The tenant has 500 other users. */
async function openSetup(page: Page, { name = 'Nia Obi', ...choices }: Choices & { name?: string }) {
  const others = many(500).map((number) => describePerson(number, `Person ${number}`));
  const person = describePerson(900, name, { missing: ['task', 'models'] });
  await page.route(listAddress, answer(200, [person, ...others]));
  await withChoices(page, choices);
  await openUsers(page);
  await act(page, 'Give access', name);
  await page.getByRole('dialog').getByRole('button', { name: 'Give access' }).waitFor();
}

const permitted = {
  total_providers: 1,
  total_models: 2,
  is_granted_by_role: false,
  providers: [
    {
      provider_instance_name: 'OpenAI 1',
      provider_key: 'openai',
      llm_provider_id: 1,
      allowed_models: models,
      access_source: 'direct',
      team_name: null,
    },
  ],
};

const newKey = {
  message: 'made',
  api_key: `slc_${'x'.repeat(43)}`,
  api_key_status: {
    name: 'key',
    masked_key: 'slc_…xxxx',
    is_active: true,
    is_expired: false,
    scopes: ['completions'],
    created_at: '2026-11-02T08:00:00.000Z',
    last_used_at: null,
    expires_at: null,
  },
};

const give = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Give access' }).click();

const states: State[] = [
  { name: 'form', isInEveryLook: true, show: (page) => openSetup(page, {}) },
  { name: 'nothing-to-give', show: (page) => openSetup(page, { tasks: 0, teams: 0, providers: 0 }) },
  { name: 'many', show: (page) => openSetup(page, { tasks: 500, teams: 200, providers: 60 }) },
  { name: 'long-name', isInEveryLook: true, show: (page) => openSetup(page, { name: longName }) },
  {
    name: 'refused',
    isInEveryLook: true,
    async show(page) {
      await openSetup(page, {});
      await page.route(
        addresses.giveModels,
        answer(409, { detail: 'This user already has access to this provider' }),
      );
      await give(page);
      await page
        .getByText('The models could not be granted: This user already has access', { exact: false })
        .waitFor();
    },
  },
  {
    name: 'not-loaded',
    async show(page) {
      await page.route(
        addresses.teams,
        answer(503, { detail: 'The database cannot be reached at the moment. Please retry.' }),
      );
      await page.route(
        listAddress,
        answer(200, [describePerson(900, 'Nia Obi', { missing: ['task', 'models'] })]),
      );
      await openUsers(page);
      await act(page, 'Give access', 'Nia Obi');
      await page.getByText('The database cannot be reached').first().waitFor();
    },
  },
  {
    name: 'handover',
    isInEveryLook: true,
    async show(page) {
      await openSetup(page, { name: longName });
      await give(page);
      await page.getByRole('button', { name: 'I stored it' }).waitFor();
    },
  },
  {
    name: 'handover-lacking',
    async show(page) {
      await openSetup(page, {});
      await page.route(addresses.permitted, answer(200, { ...permitted, providers: [] }));
      await chooseOption(page, 'Models', 'None for now');
      await give(page);
      await page.getByText('has no models yet', { exact: false }).waitFor();
    },
  },
];

describeLooks('Access setup', 'access-setup', states);
