import { createClient, llmProvidersRoutes, providerRegistryRoutes } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import {
  completionText,
  type ScriptedProvider,
  startScriptedProvider,
} from '../server/test/providers/scripted-provider.ts';
import { page, sluice, startConsole, token, visitAs, visitConsole } from './console.ts';
import { cardOf, listModels, openProviders } from './llm-providers-page.ts';
import { chooseOption } from './select-field.ts';
import { actFromMenu, callsAs } from './users-page.ts';
import { signIn } from './visit.ts';

const apiKey = 'sk-acme-canary-77f0';
let upstream: ScriptedProvider;
let providers: ReturnType<typeof createClient<typeof llmProvidersRoutes>>;
let registry: ReturnType<typeof createClient<typeof providerRegistryRoutes>>;

startConsole({ SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1' });
beforeAll(async () => {
  const options = { baseUrl: sluice.url, headers: () => ({ authorization: `Bearer ${token}` }) };
  providers = createClient(llmProvidersRoutes, options);
  registry = createClient(providerRegistryRoutes, options);
  upstream = await startScriptedProvider((response, call) => {
    if (call.path.endsWith('/models')) return listModels(['acme-large', 'acme-small'])(response, call);
    response.writeHead(200, { 'content-type': 'application/json' }).end(completionText);
  });
});
afterAll(() => upstream?.close());

visitConsole({ viewport: { width: 1440, height: 820 } });

const dialog = (name: string) => page.getByRole('dialog', { name });
const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const figures = () => page.getByRole('region', { name: 'Registry statistics' }).locator('dd').allInnerTexts();
const openRegistry = async () => {
  await page.goto('/admin/llm-providers?tab=registry');
  await page.locator('table[aria-label="Provider Registry"][aria-busy="false"]').waitFor();
};

function ask(model: string) {
  return fetch(`${sluice.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  });
}

describe('the registry', () => {
  it('the registry accepts a custom endpoint, and a provider of the new vendor serves requests', async () => {
    await openRegistry();
    const [total = '', active = ''] = await figures();
    await page.getByRole('button', { name: 'Add provider type' }).click();
    const form = dialog('Add provider type');
    const save = form.getByRole('button', { name: 'Add provider type' });
    await save.click();
    for (const problem of ['Display name is required', 'API endpoint is required'])
      await form.getByText(problem, { exact: true }).waitFor();
    await form.getByLabel('Display name').fill('Acme AI');
    await form.getByLabel('Provider key').fill('Acme AI');
    await form.getByLabel('API endpoint').fill(`${upstream.origin}/v1/chat/completions`);
    await save.click();
    await form.getByText('Provider key must contain only lowercase letters, digits, - and _').waitFor();
    await form.getByLabel('Provider key').fill('acme-ai');
    await save.click();
    await form.waitFor({ state: 'detached' });
    await row('acme-ai').getByText('Added', { exact: true }).waitFor();
    await expect
      .poll(figures)
      .toEqual([String(Number(total) + 1), String(Number(active) + 1), ...(await figures()).slice(2)]);

    await page.getByRole('tab', { name: 'Providers' }).click();
    await page.getByRole('button', { name: 'Self Managed' }).click();
    const instance = dialog('Add LLM Provider');
    await chooseOption(instance, 'Provider type', 'Acme AI');
    await instance.getByLabel('Instance name').fill('Acme production');
    await instance.getByLabel('API key').fill(apiKey);
    await instance.getByRole('button', { name: 'Test Connection' }).click();
    await instance.getByText('Connection successful, 2 models found').waitFor();
    await instance.getByRole('button', { name: 'Add Provider' }).click();
    await cardOf(page, 'Acme production').getByText('Acme AI', { exact: true }).waitFor();

    const answer = await ask('acme-ai/acme-large');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] });
    const call = upstream.calls.findLast(({ path }) => path === '/v1/chat/completions');
    expect(call?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(JSON.parse(String(call?.body))).toMatchObject({ model: 'acme-large' });
  });

  itAtFullSize(
    'the registry disables a vendor for all tenants and deletes a vendor without instances',
    async () => {
      const { id } = await registry.createProviderRegistryEntry({
        body: { provider_key: 'other-ai', display_name: 'Other AI', api_endpoint: `${upstream.origin}/v1` },
      });
      const made = await providers.createLlmProvider({
        body: { provider_registry_id: id, provider_instance_name: 'Other', enabled_models: ['other-large'] },
      });
      expect((await ask('other-large')).status).toBe(200);
      await openRegistry();
      await page.getByRole('searchbox', { name: 'Search provider types' }).fill('other-ai');
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
      await actFromMenu(page, 'Delete', 'Other AI');
      await dialog('Delete Other AI?').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('A provider with instances cannot be deleted. Disable it instead').waitFor();
      await actFromMenu(page, 'Deactivate', 'Other AI');
      await dialog('Deactivate Other AI?').getByRole('button', { name: 'Deactivate' }).click();
      await row('Other AI').getByText('Inactive', { exact: true }).last().waitFor();
      await expect.poll(async () => (await ask('other-large')).status).toBe(404);
      await providers.deleteLlmProvider({ params: { id: made.id } });
      await actFromMenu(page, 'Delete', 'Other AI');
      await dialog('Delete Other AI?').getByRole('button', { name: 'Delete' }).click();
      await row('Other AI').waitFor({ state: 'detached' });
    },
  );

  itAtFullSize(
    'a tenant administrator has neither the registry tab nor a way to add a service-managed provider',
    async () => {
      const { users } = callsAs(token, sluice);
      const email = 'admin@northwind.dev';
      await users.createUser({ body: { name: 'Ann Admin', email, password: 'secret1', role_id: 2 } });
      await visitAs(await signIn({ ...sluice, email, password: 'secret1' }), {
        viewport: { width: 1440, height: 820 },
      });
      await openProviders(page, '?tab=registry');
      expect(await page.getByRole('tab').allInnerTexts()).not.toContain('Registry');
      await page.getByRole('button', { name: 'Sluice Managed' }).click();
      await page.getByText('Only a super administrator may add a Sluice managed provider').waitFor();
    },
  );

  itAtFullSize(
    'users without administration rights are redirected from LLM Providers to the dashboard',
    async () => {
      const { users } = callsAs(token, sluice);
      const email = 'user@northwind.dev';
      await users.createUser({ body: { name: 'Uma User', email, password: 'secret1', role_id: 3 } });
      await visitAs(await signIn({ ...sluice, email, password: 'secret1' }));
      await page.goto('/admin/llm-providers');
      await page.waitForURL('**/dashboard');
    },
  );
});
