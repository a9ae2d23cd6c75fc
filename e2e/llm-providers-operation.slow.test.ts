import { createClient, llmProvidersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import {
  answerCompletion,
  type ScriptedProvider,
  startScriptedProvider,
} from '../server/test/providers/scripted-provider.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { cardOf, openProviders } from './llm-providers-page.ts';
import { actFromMenu } from './users-page.ts';

let providers: ReturnType<typeof createClient<typeof llmProvidersRoutes>>;
let upstream: ScriptedProvider;

startConsole({ SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1' });
beforeAll(async () => {
  providers = createClient(llmProvidersRoutes, {
    baseUrl: sluice.url,
    headers: () => ({ authorization: `Bearer ${token}` }),
  });
  upstream = await startScriptedProvider();
});
afterAll(() => upstream?.close());
visitConsole({ viewport: { width: 1440, height: 820 } });

/** Each test creates two instances with the same model. */
let journey = 0;
let first: string;
let second: string;
let model: string;
beforeEach(async () => {
  for (const { id } of await providers.listLlmProviders())
    await providers.deleteLlmProvider({ params: { id } });
  journey++;
  [first, second, model] = [`First ${journey}`, `Second ${journey}`, `model-${journey}`];
  for (const name of [first, second])
    await providers.createLlmProvider({
      body: {
        provider_registry_id: 'openai',
        provider_instance_name: name,
        api_key: `sk-${name.replace(' ', '-')}`,
        api_endpoint: upstream.origin,
        enabled_models: [model],
      },
    });
  upstream.script = (response, call) => {
    if (call.path.endsWith('/models')) response.end(JSON.stringify({ object: 'list', data: [] }));
    else answerCompletion()(response, call);
  };
});

const ask = async () => {
  upstream.calls.length = 0;
  const answer = await fetch(`${sluice.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  });
  const text = await answer.text();
  return { status: answer.status, text, key: upstream.calls.at(-1)?.headers.authorization };
};
const keyOf = (name: string) => `Bearer sk-${name.replace(' ', '-')}`;
const dialog = (name: string) => page.getByRole('dialog', { name });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const switchOf = (name: string) => page.getByRole('switch', { name: `Maintenance of ${name}` });

describe('maintenance', () => {
  it('maintenance is started with a reason on the card, diverts requests, and is stopped on the card', async () => {
    await openProviders(page);
    expect(await ask()).toMatchObject({ status: 200, key: keyOf(first) });
    await switchOf(first).click();
    const form = dialog(`Maintenance of ${first}`);
    await form.getByText('Grants and model lists do not change.').waitFor();
    await form.getByLabel('Reason (optional)').fill('New certificates');
    await form.getByRole('button', { name: 'Start maintenance' }).click();
    await cardOf(page, first).getByText('Maintenance', { exact: true }).first().waitFor();
    await cardOf(page, first).getByText('New certificates').waitFor();
    expect(
      await cardOf(page, first)
        .getByText(/^(Active|Default)$/)
        .count(),
    ).toBe(1);
    await page.getByText(`${first} is in maintenance`).waitFor();
    expect(await ask()).toMatchObject({ status: 200, key: keyOf(second) });

    await providers.startMaintenance({
      params: { id: (await providers.listLlmProviders())[1]?.id ?? 0 },
      body: {},
    });
    const refused = await ask();
    expect(refused).toMatchObject({ status: 502, key: undefined });
    expect(refused.text).toContain('New certificates');

    await switchOf(first).click();
    await page.getByText(`${first} accepts requests again`).waitFor();
    await expect.poll(() => switchOf(first).isChecked()).toBe(false);
    expect(await ask()).toMatchObject({ status: 200, key: keyOf(first) });
  });
});

describe('the fallback order', () => {
  const order = () => page.getByRole('list', { name: 'Fallback order' }).getByRole('listitem');
  const names = async () => (await order().allInnerTexts()).map((text) => text.split('\n')[1]);

  const expectOrder = (...ordered: string[]) => expect.poll(names).toEqual(ordered);

  itAtFullSize(
    'the fallback order is set by buttons, which work by keyboard and announce the change, and by dragging',
    async () => {
      await openProviders(page);
      await press('Fallback order');
      await expectOrder(first, second);
      const up = page.getByRole('button', { name: `Move ${second} up` });
      await up.focus();
      await page.keyboard.press('Enter');
      await expectOrder(second, first);
      await page.getByRole('status').getByText(`${second} is now number 1 of 2`).waitFor();
      expect(await up.getAttribute('aria-disabled')).toBe('true');
      await page.keyboard.press('Alt+ArrowDown');
      await expectOrder(first, second);
      await order().nth(1).dragTo(order().nth(0));
      await expectOrder(second, first);
      await press('Save order');
      await page.getByText('The fallback order was saved').waitFor();
      expect(await ask()).toMatchObject({ status: 200, key: keyOf(second) });
    },
  );
});

describe('a key that is rotated', () => {
  it('rotating a key keeps the previous key as a fallback, which the card shows until the key is deleted', async () => {
    await openProviders(page);
    await actFromMenu(page, 'Rotate key', first);
    const form = dialog(`Rotate the key of ${first}`);
    await form.getByLabel('New API key').fill('sk-canary-newest');
    expect(await form.getByLabel('Previous key stays valid for').inputValue()).toBe('24 hours');
    await form.getByRole('button', { name: 'Test and Rotate' }).click();
    await form.waitFor({ state: 'detached' });
    const card = cardOf(page, first);
    await card.getByText('The previous key is used until').waitFor();
    expect(await ask()).toMatchObject({ status: 200, key: 'Bearer sk-canary-newest' });

    // From here on, the provider rejects the new key.
    const usual = upstream.script;
    upstream.script = (response, call) => {
      if (call.headers.authorization !== 'Bearer sk-canary-newest') return usual(response, call);
      response.writeHead(401).end();
    };
    expect(await ask()).toMatchObject({ status: 200, key: keyOf(first) });
    const find = async () => (await providers.listLlmProviders())[0]?.key_overlap?.new_key_refused_at;
    await expect.poll(find).toBeTruthy();
    await openProviders(page);
    await card.getByText('The provider refused the new key').waitFor();
    await actFromMenu(page, 'Delete previous key', first);
    await page.getByText(`The previous key of ${first} was deleted`).waitFor();
    await card.getByText('The provider refused the new key').waitFor({ state: 'detached' });
    expect(await ask()).toMatchObject({ status: 200, key: keyOf(second) });
    expect(await page.content()).not.toContain('sk-canary-newest');
  });
});

describe('the fallback drill', () => {
  itAtFullSize(
    'the fallback drill shows what would have happened to the requests of the last hour',
    async () => {
      await openProviders(page);
      await actFromMenu(page, 'Simulate outage', first);
      await dialog(`Simulated outage of ${first}`).getByText('had no requests in the last hour').waitFor();
      await dialog(`Simulated outage of ${first}`).getByRole('button', { name: 'Close' }).last().click();
      for (let count = 0; count < 3; count++) expect((await ask()).status).toBe(200);
      const id = (await providers.listLlmProviders())[0]?.id ?? 0;
      await expect.poll(async () => (await providers.drillFallbacks({ params: { id } })).requests).toBe(3);
      await actFromMenu(page, 'Simulate outage', first);
      const result = dialog(`Simulated outage of ${first}`);
      await result.getByText('Every request would have been answered by another provider').waitFor();
      await result.getByText(`Answered by ${second}`).waitFor();
      await result.getByRole('button', { name: 'Close' }).last().click();

      const spare = (await providers.listLlmProviders())[1]?.id ?? 0;
      await providers.updateLlmProvider({ params: { id: spare }, body: { enabled_models: [] } });
      await actFromMenu(page, 'Simulate outage', first);
      await result.getByText('3 of 3 requests would not have been answered').waitFor();
      await result.getByText('no other active provider serves the model').waitFor();
    },
  );
});
