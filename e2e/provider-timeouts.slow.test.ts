import { createClient, llmProvidersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import {
  answerCompletion,
  answerWith,
  type ScriptedProvider,
  startScriptedProvider,
} from '../server/test/providers/scripted-provider.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { cardOf, openProviders } from './llm-providers-page.ts';
import { everyLook, expectGoodLooks } from './looks.ts';

const model = 'model-of-three';
let providers: ReturnType<typeof createClient<typeof llmProvidersRoutes>>;
/** The first provider never responds, the second fails, the third succeeds. */
let upstreams: ScriptedProvider[] = [];

startConsole({ SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1' });
beforeAll(async () => {
  const headers = () => ({ authorization: `Bearer ${token}` });
  providers = createClient(llmProvidersRoutes, { baseUrl: sluice.url, headers });
  for (const { id } of await providers.listLlmProviders())
    await providers.deleteLlmProvider({ params: { id } });
  const busy =
    '{"error":{"message":"The engine is overloaded. Please try again later.","code":"overloaded"}}';
  upstreams = await Promise.all([
    startScriptedProvider(() => undefined),
    startScriptedProvider(answerWith(501, busy, { 'content-type': 'application/json' })),
    startScriptedProvider(answerCompletion()),
  ]);
  for (const [index, { origin }] of upstreams.entries())
    await providers.createLlmProvider({
      body: {
        provider_registry_id: 'openai',
        provider_instance_name: ['Silent', 'Overloaded', 'Well'][index] ?? '',
        api_key: 'sk-three',
        api_endpoint: origin,
        enabled_models: [model],
      },
    });
});
afterAll(async () => {
  await Promise.all(upstreams.map((upstream) => upstream.close()));
});
visitConsole({ viewport: { width: 1440, height: 820 } });

const ask = async () => {
  const answer = await fetch(`${sluice.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Who answers me?' }] }),
  });
  await answer.text();
  return { status: answer.status, id: answer.headers.get('x-request-id') };
};
const openLogged = async (id: string | null) => {
  const details = page.getByRole('dialog', { name: 'Log Details' });
  const prompt = details.getByRole('region', { name: 'Prompt' });
  const isShown = () =>
    prompt.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    );
  await expect
    .poll(async () => (await page.goto(`/admin/logs?open=${id}`)) !== null && (await isShown()), {
      timeout: 20_000,
    })
    .toBe(true);
};
const openForm = async (name: string) => {
  await openProviders(page);
  await page.getByRole('button', { name: `Edit: ${name}`, exact: true }).click();
  return page.getByRole('dialog', { name: `Edit ${name}` });
};

it('a provider timeout is set in seconds, validated and applied, and the log shows the attempts', async () => {
  const form = await openForm('Silent');
  const total = form.getByLabel('Total timeout', { exact: true });
  expect(await total.isVisible()).toBe(false);
  await form.getByText('Timeouts', { exact: true }).click();
  expect(await total.getAttribute('placeholder')).toBe('600 s');
  await total.fill('4000');
  await form.getByRole('button', { name: 'Update Provider' }).click();
  await form.getByText('must be 1 to 3,600 seconds').waitFor();
  await total.fill('1.5');
  await total.scrollIntoViewIfNeeded();
  await expectGoodLooks(page, 'provider-timeouts', everyLook);
  await form.getByRole('button', { name: 'Update Provider' }).click();
  await form.waitFor({ state: 'detached' });
  await cardOf(page, 'Silent').waitFor();
  expect((await providers.listLlmProviders())[0]).toMatchObject({
    total_timeout_ms: 1_500,
    connect_timeout_ms: null,
  });

  const { status, id } = await ask();
  expect(status).toBe(200);
  await page.setViewportSize({ width: 1440, height: 820 });
  await openLogged(id);
  const attempts = page.getByRole('region', { name: 'Attempts' }).getByRole('listitem');
  expect(await attempts.count()).toBe(3);
  const [silent = '', overloaded = '', well = ''] = await attempts.allInnerTexts();
  expect(silent).toMatch(/Silent · model-of-three[\s\S]*No answer[\s\S]*1\.\d+ s/);
  expect(overloaded).toMatch(/Overloaded · [\s\S]*501[\s\S]*The engine is overloaded/);
  expect(well).toMatch(/Well · [\s\S]*Answered/);
  await attempts.first().scrollIntoViewIfNeeded();
  await expectGoodLooks(page, 'log-attempts', everyLook);
});

itAtFullSize('a provider timeout is shown after saving, and clearing it restores the default', async () => {
  const [first] = await providers.listLlmProviders();
  await providers.updateLlmProvider({ params: { id: first?.id ?? 0 }, body: { connect_timeout_ms: 2_500 } });
  const form = await openForm('Silent');
  const connect = form.getByLabel('Connect timeout', { exact: true });
  expect(await connect.inputValue()).toBe('2.5');
  await connect.fill('');
  await form.getByRole('button', { name: 'Update Provider' }).click();
  await form.waitFor({ state: 'detached' });
  expect((await providers.listLlmProviders())[0]).toMatchObject({ connect_timeout_ms: null });
});

itAtFullSize('a request that succeeded at the first attempt has no list of attempts', async () => {
  for (const { id, provider_instance_name } of await providers.listLlmProviders())
    if (provider_instance_name !== 'Well')
      await providers.updateLlmProvider({ params: { id }, body: { is_active: false } });
  const { id } = await ask();
  await openLogged(id);
  expect(await page.getByRole('region', { name: 'Attempts' }).count()).toBe(0);
});
