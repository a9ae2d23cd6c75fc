import { createClient, llmProvidersRoutes, providerAccessRoutes } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { closedPort } from '../server/test/processes/free-port.ts';
import {
  type Script,
  type ScriptedProvider,
  startScriptedProvider,
} from '../server/test/providers/scripted-provider.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import {
  cardOf,
  describeProvider,
  listModels,
  openProviders,
  providerAddresses,
  refuse,
} from './llm-providers-page.ts';
import { chooseOption, readOptions } from './select-field.ts';
import { actFromMenu, answer, callsAs, hold } from './users-page.ts';

const viewport = { width: 1440, height: 820 };
const apiKey = 'sk-canary-5f1c9e2ab7';

let providers: ReturnType<typeof createClient<typeof llmProvidersRoutes>>;
let access: ReturnType<typeof createClient<typeof providerAccessRoutes>>;
let upstream: ScriptedProvider;

startConsole({ SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1' });
beforeAll(async () => {
  const options = { baseUrl: sluice.url, headers: () => ({ authorization: `Bearer ${token}` }) };
  providers = createClient(llmProvidersRoutes, options);
  access = createClient(providerAccessRoutes, options);
  upstream = await startScriptedProvider(listModels(['gpt-5', 'gpt-3.5-turbo', 'gpt-4o', 'gpt-4o-mini']));
});
afterAll(() => upstream?.close());

visitConsole({ viewport });

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const models = (name: string) => cardOf(page, name).getByRole('list').getByRole('listitem').allInnerTexts();
const add = (name: string, more: object = {}) =>
  providers.createLlmProvider({
    body: {
      provider_registry_id: 'openai',
      provider_instance_name: name,
      api_key: apiKey,
      api_endpoint: upstream.origin,
      enabled_models: ['gpt-5', 'gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'gpt-5-mini'],
      ...more,
    },
  });

describe('LLM Providers', () => {
  itAtFullSize('LLM Providers follows Tasks in the sidebar and shows that the page is loading', async () => {
    const letGo = await hold(page, providerAddresses.list);
    await page.goto('/admin/llm-providers');
    await page.getByText('Loading LLM providers...', { exact: true }).waitFor();
    letGo();
    await openProviders(page);
    const items = await page.getByRole('navigation').getByRole('link').allInnerTexts();
    expect(items.indexOf('LLM Providers')).toBe(items.indexOf('Tasks') + 1);
    await page.getByRole('heading', { name: 'LLM Providers', level: 1 }).waitFor();
    for (const name of ['Sluice Managed', 'Self Managed'])
      await page.getByRole('button', { name, exact: true }).waitFor();
  });

  it('LLM Providers shows the status and at most three models of each provider', async () => {
    const shown = ['m-1', 'm-2', 'm-3', 'm-4', 'm-5'];
    await page.route(
      providerAddresses.list,
      answer(200, [
        describeProvider(1, 'openai', 'Main', { enabled_models: shown, is_default: true }),
        describeProvider(2, 'azure_openai', 'Spare', { enabled_models: shown.slice(0, 3) }),
        describeProvider(3, 'xai', 'Old', { is_default: true, is_active: false }),
      ]),
    );
    await openProviders(page);
    expect(await models('Main')).toEqual(['m-1', 'm-2', 'm-3', '+2 more']);
    expect(await models('Spare')).toEqual(['m-1', 'm-2', 'm-3']);
    for (const [name, status, vendor] of [
      ['Main', 'Default', 'OpenAI'],
      ['Spare', 'Active', 'Azure OpenAI'],
      ['Old', 'Inactive', 'xAI'],
    ] as const) {
      await cardOf(page, name).getByText(status, { exact: true }).waitFor();
      await cardOf(page, name).getByText(vendor, { exact: true }).waitFor();
    }
  });

  itAtFullSize('LLM Providers has an empty state, which offers to add a provider', async () => {
    await page.route(providerAddresses.list, answer(200, []));
    await openProviders(page);
    await press('Add Provider');
    await dialog('Add LLM Provider').waitFor();
  });

  itAtFullSize('LLM Providers shows that loading failed', async () => {
    await page.route(providerAddresses.list, (route) => route.abort());
    await page.goto('/admin/llm-providers');
    await page.getByText('Failed to load LLM providers', { exact: true }).first().waitFor();
    await page.unroute(providerAddresses.list);
    await press('Try Again');
    await page.getByRole('list', { name: 'LLM Providers' }).waitFor();
  });
});

describe('adding a customer-managed provider', () => {
  const form = () => dialog('Add LLM Provider');
  const open = async () => {
    await openProviders(page);
    await press('Self Managed');
    await chooseOption(form(), 'Provider type', 'OpenAI');
  };
  const test = () => form().getByRole('button', { name: 'Test Connection' });
  const save = () => form().getByRole('button', { name: 'Add Provider' }).click();

  itAtFullSize('the provider form names missing fields at each field', async () => {
    await openProviders(page);
    await press('Self Managed');
    await save();
    for (const problem of ['Provider type is required', 'Instance name is required', 'API key is required'])
      await form().getByText(problem, { exact: true }).waitFor();
    await form().getByLabel('API endpoint').fill('not an address');
    await save();
    await form().getByText('This is not a valid URL', { exact: true }).waitFor();
    expect(await form().getByLabel('API endpoint').getAttribute('type')).toBe('url');
  });

  itAtFullSize('the provider form keeps the input when another kind of key is selected', async () => {
    await openProviders(page);
    await press('Self Managed');
    await form().getByLabel('Instance name').fill('Typed');
    await form().getByText('Sluice managed', { exact: true }).click();
    const managed = dialog('Add Sluice Managed Provider');
    expect(await managed.getByLabel('Instance name').inputValue()).toBe('Typed');
    await managed.getByText('Self managed', { exact: true }).click();
    expect(await form().getByLabel('Instance name').inputValue()).toBe('Typed');
  });

  itAtFullSize('the provider form suggests the endpoint of the selected vendor', async () => {
    await openProviders(page);
    await press('Self Managed');
    for (const [vendor, endpoint] of [
      ['OpenAI', 'https://api.openai.com/v1'],
      ['Anthropic', 'https://api.anthropic.com'],
      ['Google', 'https://generativelanguage.googleapis.com'],
      ['DeepSeek', 'https://api.deepseek.com'],
      ['Cohere', 'https://api.cohere.com'],
      ['Azure OpenAI', 'https://YOUR-RESOURCE.openai.azure.com'],
      ['Ollama', 'http://localhost:11434'],
      ['Hugging Face', 'https://router.huggingface.co/v1'],
    ] as const) {
      await chooseOption(form(), 'Provider type', vendor);
      expect(await form().getByLabel('API endpoint').getAttribute('placeholder')).toBe(endpoint);
    }
  });

  it('the provider form tests the connection with a key, enables the models found, and never shows the key again', async () => {
    await open();
    expect(await test().isDisabled()).toBe(true);
    await form().getByLabel('API key').fill('   ');
    expect(await test().isDisabled()).toBe(true);
    await form().getByLabel('API key').fill(apiKey);
    await form().getByLabel('API endpoint').fill(upstream.origin);
    await test().click();
    await form().getByText('Connection successful, 4 models found').waitFor();
    await form().getByText('Selected: 4 of 4').waitFor();
    expect(await form().getByLabel('Default model').inputValue()).toBe('gpt-3.5-turbo');
    await form().getByRole('checkbox', { name: 'gpt-4o-mini' }).uncheck();
    await form().getByRole('button', { name: 'Add alias' }).click();
    await form().getByLabel('Alias 1', { exact: true }).fill('fast');
    await chooseOption(form(), 'Model of alias 1', 'gpt-4o');
    await form().getByLabel('Instance name').fill('Tested');
    await form().getByLabel('Set as default provider').check();
    expect(await form().getByLabel('Active').isChecked()).toBe(true);
    await save();
    const connected = dialog('Tested is connected');
    await connected.getByText('3 models enabled.').waitFor();
    await connected.getByRole('link', { name: 'Give access' }).click();
    const grant = dialog('Grant Provider Access');
    await expect
      .poll(() => grant.getByLabel('Provider', { exact: true }).inputValue())
      .toBe('Tested (OpenAI)');
    await grant.getByText('gpt-5', { exact: true }).waitFor();
    await openProviders(page);
    await cardOf(page, 'Tested').getByText('Default', { exact: true }).waitFor();
    const made = (await providers.listLlmProviders()).find(
      ({ provider_instance_name }) => provider_instance_name === 'Tested',
    );
    expect(made).toMatchObject({
      enabled_models: ['gpt-5', 'gpt-3.5-turbo', 'gpt-4o'],
      available_models: ['gpt-5', 'gpt-3.5-turbo', 'gpt-4o', 'gpt-4o-mini'],
      default_model: 'gpt-3.5-turbo',
      model_aliases: { fast: 'gpt-4o' },
      is_default: true,
      is_service_managed: false,
    });
    expect(JSON.stringify(made) + (await page.content())).not.toContain(apiKey);
  });

  const said = { message: 'no', type: 'x', code: 'other' };
  itSampled(7).each([
    [
      'the key is wrong',
      refuse(401, { ...said, code: 'invalid_api_key' }),
      'Invalid API key. Please check your OpenAI API key.',
    ],
    ['401', refuse(401), 'Authentication failed. Please verify your API key.'],
    ['403', refuse(403), 'Access forbidden. Your API key may not have the required permissions.'],
    ['429', refuse(429), 'Rate limit exceeded. Please try again later.'],
    ['500', refuse(500), 'OpenAI service error. Please try again later.'],
    [
      "an error of the provider's own",
      refuse(400, said),
      'OpenAI API error. Please verify your settings and try again.',
    ],
    ['anything else', refuse(418), 'Connection failed. Please check your configuration.'],
  ])('the connection test shows a cross and the problem: %s', async (_case, script, told) => {
    const before = upstream.script;
    upstream.script = script;
    try {
      await open();
      await form().getByLabel('API key').fill(apiKey);
      await form().getByLabel('API endpoint').fill(upstream.origin);
      await test().click();
      const verdict = form().getByRole('status').filter({ hasText: told });
      await verdict.getByRole('img', { name: 'Failed:' }).waitFor();
    } finally {
      upstream.script = before;
    }
  });

  itAtFullSize('the connection test reports a refused connection', async () => {
    await open();
    await form().getByLabel('API key').fill(apiKey);
    await form().getByLabel('API endpoint').fill(`http://127.0.0.1:${closedPort}`);
    await test().click();
    await form().getByText('Network error. Please check your connection and try again.').waitFor();
    // A changed endpoint clears the result.
    await form().getByLabel('API endpoint').fill(upstream.origin);
    await form().getByText('Network error.').waitFor({ state: 'detached' });
  });

  const garbled: Script = (response) => response.end('\u0000 not a list of models');
  itSampled(2, 1).each<[name: string, script: Script, told: string]>([
    ['never responds', () => undefined, 'Connection timeout. Please check your internet connection.'],
    ['returns no list of models', garbled, 'Unknown error occurred.'],
  ])('the connection test explains the problem of a provider that %s', async (_case, script, told) => {
    const before = upstream.script;
    upstream.script = script;
    try {
      await open();
      await form().getByLabel('API key').fill(apiKey);
      await form().getByLabel('API endpoint').fill(upstream.origin);
      await test().click();
      const verdict = form().getByRole('status').filter({ hasText: told });
      // The gateway waits 10 s for the first byte.
      await verdict.getByRole('img', { name: 'Failed:' }).waitFor({ timeout: 20_000 });
    } finally {
      upstream.script = before;
    }
  });

  itAtFullSize(
    'the provider form shows a duplicate name at its field, and any other failure as an alert',
    async () => {
      await add('Taken');
      await open();
      await form().getByLabel('Instance name').fill('taken');
      await form().getByLabel('API key').fill(apiKey);
      await save();
      await form().getByText('A provider with this name already exists').waitFor();
      await page.route(providerAddresses.list, (route) =>
        route.request().method() === 'POST' ? route.abort() : route.fallback(),
      );
      await form().getByLabel('Instance name').fill('Other');
      await save();
      await page.getByRole('alert').getByText('Failed to save provider').first().waitFor();
    },
  );

  itAtFullSize(
    'the provider form offers four vendors if their list cannot be loaded, and saves a provider of one',
    async () => {
      await page.route(providerAddresses.registry, answer(500, { detail: 'away' }));
      await openProviders(page);
      await press('Self Managed');
      await expect
        .poll(() => readOptions(form(), 'Provider type'))
        .toEqual(['Select a provider type', 'OpenAI', 'Anthropic', 'Google', 'DeepSeek']);
      await chooseOption(form(), 'Provider type', 'Anthropic');
      await form().getByLabel('Instance name').fill('By name');
      await form().getByLabel('API key').fill(apiKey);
      await form().getByLabel('Add a model by name').fill('claude-sonnet-4-5');
      await form().getByRole('button', { name: 'Add Model' }).click();
      await save();
      await cardOf(page, 'By name').getByText('Anthropic', { exact: true }).waitFor();
    },
  );
});

describe('changing a provider', () => {
  itAtFullSize(
    'editing a provider locks type and key, offers no test, and requires the key if the endpoint changes',
    async () => {
      const { id } = await add('Changed', { model_aliases: { quick: 'gpt-4o' } });
      await openProviders(page);
      await press('Edit: Changed');
      const form = dialog('Edit Changed');
      expect(await form.getByLabel('Provider type').isDisabled()).toBe(true);
      expect(await form.getByLabel('API key').isDisabled()).toBe(true);
      expect(await form.getByRole('button', { name: 'Test Connection' }).count()).toBe(0);
      const save = form.getByRole('button', { name: 'Update Provider' });
      expect(await save.isDisabled()).toBe(true);
      await form.getByLabel('API endpoint').fill(`${upstream.origin}/other`);
      expect(await form.getByLabel('API key').isEnabled()).toBe(true);
      await save.click();
      await form.getByText('Enter the API key again to change the endpoint', { exact: true }).waitFor();
      await form.getByLabel('API key').fill('sk-other');
      await form.getByRole('checkbox', { name: 'gpt-4.1' }).uncheck();
      await form.getByLabel('Active').uncheck();
      await save.click();
      await form.waitFor({ state: 'detached' });
      await cardOf(page, 'Changed').getByText('Inactive', { exact: true }).waitFor();
      expect((await providers.listLlmProviders()).find((row) => row.id === id)).toMatchObject({
        api_endpoint: `${upstream.origin}/other`,
        enabled_models: ['gpt-5', 'gpt-4o', 'gpt-4o-mini', 'gpt-5-mini'],
        model_aliases: { quick: 'gpt-4o' },
        is_active: false,
      });
    },
  );
});

describe('rotating a key', () => {
  const form = () => dialog('Rotate the key of Rotated');
  const keysAtProvider = () => new Set(upstream.calls.map((call) => call.headers.authorization));

  itAtFullSize(
    'rotating a key keeps the previous key if the provider rejects the new key, and accepts a key that works',
    async () => {
      await add('Rotated', { enabled_models: ['rotated-model'] });
      const before = upstream.script;
      upstream.script = refuse(401);
      await openProviders(page);
      await actFromMenu(page, 'Rotate key', 'Rotated');
      await form().getByLabel('New API key').fill('sk-canary-next');
      await form().getByRole('button', { name: 'Test and Rotate' }).click();
      await form().getByText('Authentication failed. Please verify your API key.').waitFor();
      upstream.script = before;
      await form().getByRole('button', { name: 'Test and Rotate' }).click();
      await page.getByText('Rotated the API key for Rotated').waitFor();
      await form().waitFor({ state: 'detached' });
      upstream.calls.length = 0;
      await fetch(`${sluice.url}/api/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'rotated-model', messages: [{ role: 'user', content: 'Hi' }] }),
      });
      expect(keysAtProvider()).toEqual(new Set(['Bearer sk-canary-next']));
      expect(await page.content()).not.toContain('sk-canary-next');
    },
  );
});

describe('adding a service-managed provider', () => {
  const form = () => dialog('Add Sluice Managed Provider');

  it('adding a service-managed provider shows who pays, loads the models with their prices, and saves', async () => {
    await openProviders(page);
    await press('Sluice Managed');
    await form()
      .getByText("This provider uses Sluice's own API keys, and users are charged credits for what they use")
      .waitFor();
    await form().getByText('Select a provider type to see the prices of its models.').waitFor();
    await chooseOption(form(), 'Provider type', 'OpenAI');
    await page.route(providerAddresses.managedModels, (route) => route.abort());
    await form().getByRole('button', { name: 'Load Models' }).click();
    await form().getByText('Failed to load service-managed models', { exact: true }).waitFor();
    await page.unroute(providerAddresses.managedModels);
    await form().getByRole('button', { name: 'Load Models' }).click();
    await form().getByText('with a known price').waitFor();
    const prices = form().getByRole('region', { name: 'Pricing' });
    await prices.getByText('Provider prices with a markup of 20%').waitFor();
    const cells = prices
      .getByRole('row')
      .filter({ hasText: /^gpt-4o\b(?!-)/ })
      .getByRole('cell');
    expect(await cells.allInnerTexts()).toEqual(['$0.003', '$0.012', '128,000']);
    await form().getByLabel('Instance name').fill('Of the house');
    await form().getByLabel('API key').fill(apiKey);
    await form().getByLabel('Set as default provider for this type').check();
    await form().getByRole('button', { name: 'Add Provider' }).click();
    await dialog('Of the house is connected').getByRole('button', { name: 'Close' }).last().click();
    await cardOf(page, 'Of the house').getByText('Sluice managed').waitFor();
    const made = (await providers.listLlmProviders()).find(
      ({ provider_instance_name }) => provider_instance_name === 'Of the house',
    );
    expect(made).toMatchObject({ is_service_managed: true, is_default: true });
  });
});

describe('deleting a provider', () => {
  itAtFullSize(
    'deleting a provider first shows who loses access, then removes it from the list',
    async () => {
      const { id } = await add('Deleted');
      const { users } = callsAs(token, sluice);
      const { id: user_id } = await users.createUser({
        body: { name: 'Maya Ortiz', email: 'maya@northwind.dev', password: 'secret1', role_id: 3 },
      });
      await access.grantUserAccess({ body: { user_id, llm_provider_id: id, allowed_models: ['gpt-5'] } });
      await openProviders(page);
      await actFromMenu(page, 'Delete', 'Deleted');
      const question = dialog('Delete Deleted?');
      await question.getByText("Deleting 'Deleted' removes the access of 1 user.").waitFor();
      await question.getByRole('list', { name: 'Affected users' }).getByText('maya@northwind.dev').waitFor();
      await question.getByRole('button', { name: 'Delete Provider' }).click();
      await cardOf(page, 'Deleted').waitFor({ state: 'detached' });
      expect((await providers.listLlmProviders()).some((row) => row.id === id)).toBe(false);
      expect(await access.listUserAccess({ query: { user_id } })).toEqual([]);
    },
  );

  itSampled(2).each([
    [
      'with the message of the server',
      answer(500, { detail: 'The database is unavailable' }),
      'The database is unavailable',
    ],
    ['with a fallback message', null, 'Unknown error'],
  ])('deleting a provider shows why it failed: %s', async (_case, fail, told) => {
    await page.route(providerAddresses.list, answer(200, [describeProvider(1, 'openai', 'Main')]));
    await page.route(providerAddresses.impact, fail ?? ((route) => route.abort()));
    await openProviders(page);
    await actFromMenu(page, 'Delete', 'Main');
    await page.getByText(`Failed to check deletion impact: ${told}`, { exact: true }).waitFor();
    await page.route(
      providerAddresses.impact,
      answer(200, {
        provider_name: 'Main',
        message: 'Nobody has been granted access.',
        has_impact: false,
        impact: { affected_users: 0, affected_teams: 0, user_list: [], team_list: [] },
      }),
    );
    await page.route(providerAddresses.one, fail ?? ((route) => route.abort()));
    await dialog('Delete Main?').waitFor({ state: 'detached' });
    await actFromMenu(page, 'Delete', 'Main');
    await dialog('Delete Main?').getByRole('button', { name: 'Delete Provider' }).click();
    await page.getByText(`Failed to delete provider: ${told}`, { exact: true }).waitFor();
    await cardOf(page, 'Main').waitFor();
  });
});

describe('the model catalog', () => {
  const openModels = async () => {
    await page.goto('/admin/llm-providers?tab=models');
    await page.locator('table[aria-label="Models"][aria-busy="false"]').waitFor();
  };
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });

  itAtFullSize(
    'the model catalog shows price, context and capabilities of a model, and finds the cheapest match',
    async () => {
      for (const { id } of await providers.listLlmProviders())
        await providers.deleteLlmProvider({ params: { id } });
      await add('Priced', { enabled_models: ['gpt-4.1-nano', 'gpt-4o-2024-11-20'] });
      await openModels();
      await page.getByRole('searchbox', { name: 'Search models' }).fill('priced');
      await expect.poll(() => page.getByRole('row').count()).toBe(3);
      const cells = await row('gpt-4o-2024-11-20').getByRole('cell').allInnerTexts();
      expect(cells.slice(2, 6)).toEqual([
        '128,000',
        '$2.50',
        '$10.00',
        'Chat, Vision, Tools, Prompt caching',
      ]);
      const cheapest = page.getByRole('region', { name: 'Cheapest model that fits' });
      await cheapest.getByText('gpt-4.1-nano').waitFor();
      await cheapest.getByRole('textbox').fill('99000000');
      await cheapest
        .getByText(
          /^No model with a known price is known to have a context window of 99,000,000 tokens or more/,
        )
        .waitFor();
      await page.getByText('All known', { exact: true }).click();
      await page.getByRole('searchbox', { name: 'Search models' }).fill('claude');
      const isNotEnabled = () =>
        row('Anthropic').first().getByText('Not enabled').filter({ visible: true }).waitFor();
      await isNotEnabled();
      await page.setViewportSize({ width: 390, height: 844 });
      await isNotEnabled();
    },
  );

  itAtFullSize('the model catalog shows who may use a model, and through which grant', async () => {
    const { id } = await add('Asked', { enabled_models: ['gpt-5-nano'] });
    const { users } = callsAs(token, sluice);
    const { id: user_id } = await users.createUser({
      body: { name: 'Jonas Weber', email: 'jonas@northwind.dev', password: 'secret1', role_id: 3 },
    });
    await access.grantUserAccess({ body: { user_id, llm_provider_id: id, allowed_models: ['gpt-5-nano'] } });
    await openModels();
    await press('Who may use it: Asked/gpt-5-nano');
    const people = dialog('Who may use Asked/gpt-5-nano?').getByRole('list');
    await people.getByText('jonas@northwind.dev').waitFor();
    await people.getByRole('listitem').filter({ hasText: 'Jonas' }).getByText('Direct').waitFor();
    await people.getByText('Administrator', { exact: true }).first().waitFor();
  });
});
