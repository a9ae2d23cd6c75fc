import type { ApiKeyStatus } from '@sluice/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { page, sluice, spoilPages, startConsole, token, visitConsole } from './console.ts';
import { actFromMenu, answer, callsAs, listAddress, openUsers } from './users-page.ts';

const now = new Date('2026-11-20T15:00:00');

let calls: ReturnType<typeof callsAs>;
let person: { id: number; name: string };

startConsole();
beforeAll(async () => {
  calls = callsAs(token, sluice);
});

let people = 0;

visitConsole({ permissions: ['clipboard-read', 'clipboard-write'] });
beforeEach(async () => {
  people++;
  const email = `person.${people}@northwind.dev`;
  person = await calls.users.createUser({
    body: { name: `Person ${people}`, email, password: 'secret1', role_id: 3 },
  });
});

const panel = () => page.getByRole('dialog', { name: `API key of ${person.name}`, exact: true });
const question = (title: string) => page.getByRole('dialog', { name: title, exact: true });
const keyAddress = () => `${listAddress}/${person.id}/api-key`;

async function openPanel() {
  await openUsers(page);
  await actFromMenu(page, 'API key', person.name);
  await panel().waitFor();
}

const fact = (name: string) =>
  panel()
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
    .locator('dd')
    .innerText();

async function readSecret() {
  const secret = await panel().getByRole('region', { name: 'New API key' }).locator('code').innerText();
  expect(secret).toMatch(/^slc_\w{36}$/);
  return secret;
}

const statusOfKey = async (key: string) => {
  const response = await fetch(`${sluice.url}/api/v1/models`, {
    headers: { authorization: `Bearer ${key}` },
  });
  await response.text();
  return response.status;
};

const unstored = 'Close without storing the API key?';

describe('the API key panel', () => {
  itAtFullSize(
    'the API key panel shows that there is no key, and creates one only after confirmation',
    async () => {
      await openPanel();
      await panel().getByText('No API key').waitFor();
      await panel().getByRole('button', { name: 'Create API key' }).click();
      await question('Create API key')
        .getByText(`Create an API key for ${person.name}?`, { exact: true })
        .waitFor();
      await question('Create API key').getByRole('button', { name: 'Cancel' }).click();
      await question('Create API key').waitFor({ state: 'detached' });
      const { has_api_key } = await calls.apiKeys.getUserApiKey({ params: { id: person.id } });
      expect(has_api_key).toBe(false);
    },
  );

  itAtFullSize(
    'the API key panel links to the usage of the key in Analytics, where the filter can be removed',
    async () => {
      await calls.apiKeys.createUserApiKey({ params: { id: person.id } });
      const { api_key_status: key } = await calls.apiKeys.getUserApiKey({ params: { id: person.id } });
      await openPanel();
      await panel().getByRole('link', { name: 'Show in Analytics' }).click();
      await page.waitForURL(new RegExp(`/admin/analytics\\?key=${key?.id}$`));
      await page.getByRole('button', { name: `Remove the filter API key #${key?.id}` }).click();
      await page.waitForURL(/\/admin\/analytics$/);
    },
  );

  it('the API key panel shows a new key once, with a warning and a copy button', async () => {
    await openPanel();
    await panel().getByRole('button', { name: 'Create API key' }).click();
    await question('Create API key').getByRole('button', { name: 'Create API key' }).click();
    await panel()
      .getByText(/This key is shown only once/)
      .waitFor();
    const secret = await readSecret();
    await panel().getByRole('button', { name: 'Copy API key' }).click();
    await page.getByText('API key copied to clipboard!', { exact: true }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await expect.poll(() => statusOfKey(secret)).toBe(200);

    await panel().getByRole('button', { name: 'I stored it' }).click();
    await panel().getByText('Active', { exact: true }).waitFor();
    expect(await fact('Name')).toBe(`${person.name}'s key`);
    expect(await fact('Key')).toBe(`slc_…${secret.slice(-4)}`);
    expect((await fact('Scopes')).split('\n')).toEqual(['Completions', 'Embeddings', 'Models']);
    expect(await fact('Created')).toContain(String(new Date().getFullYear()));
    expect(await fact('Expires')).toBe('Never');
    expect(await page.content()).not.toContain(secret);
    await page.keyboard.press('Escape');
    await actFromMenu(page, 'API key', person.name);
    await panel().getByText('Active', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  itAtFullSize(
    'the API key panel asks for confirmation before it closes with a key that was not copied',
    async () => {
      await openPanel();
      await panel().getByRole('button', { name: 'Create API key' }).click();
      await question('Create API key').getByRole('button', { name: 'Create API key' }).click();
      await panel()
        .getByText(/This key is shown only once/)
        .waitFor();
      await page.keyboard.press('Escape');
      await question(unstored).getByRole('button', { name: 'Keep it open' }).click();
      await readSecret();
      await panel().getByRole('button', { name: 'Close' }).click();
      await question(unstored).getByRole('button', { name: 'Close', exact: true }).last().click();
      await panel().waitFor({ state: 'detached' });
    },
  );

  itAtFullSize('the API key panel closes without a confirmation after the key was copied', async () => {
    await page.context().grantPermissions(['clipboard-write']);
    await openPanel();
    await panel().getByRole('button', { name: 'Create API key' }).click();
    await question('Create API key').getByRole('button', { name: 'Create API key' }).click();
    await panel().getByRole('button', { name: 'Copy API key' }).click();
    await page.getByText('API key copied to clipboard!').waitFor();
    await page.keyboard.press('Escape');
    await panel().waitFor({ state: 'detached' });
    expect(await question(unstored).count()).toBe(0);
  });

  it('the API key panel regenerates a key after confirmation, and only the new key works', async () => {
    const old = await calls.apiKeys.createUserApiKey({ params: { id: person.id } });
    await openPanel();
    await panel().getByRole('button', { name: 'Regenerate' }).click();
    await question('Regenerate API key')
      .getByText('This will revoke the current key and create a new one.', { exact: true })
      .waitFor();
    await question('Regenerate API key').getByRole('button', { name: 'Regenerate' }).click();
    const secret = await readSecret();
    expect(secret).not.toBe(old.api_key);
    await expect.poll(() => statusOfKey(secret)).toBe(200);
    await expect.poll(() => statusOfKey(old.api_key)).toBe(401);
  });

  it('the API key panel revokes a key permanently after confirmation', async () => {
    const { api_key } = await calls.apiKeys.createUserApiKey({ params: { id: person.id } });
    await openPanel();
    await panel().getByRole('button', { name: 'Revoke' }).click();
    await question('Revoke API key').getByText('This cannot be undone.', { exact: true }).waitFor();
    await question('Revoke API key').getByRole('button', { name: 'Revoke API key' }).click();
    await panel().getByText('Revoked', { exact: true }).waitFor();
    await panel().getByRole('button', { name: 'Create API key' }).waitFor();
    expect(await panel().getByRole('button', { name: 'Revoke' }).count()).toBe(0);
    await expect.poll(() => statusOfKey(api_key)).toBe(401);
  });
});

type Key = NonNullable<ApiKeyStatus['api_key_status']>;

const describeKey = (fields: Partial<Key>): ApiKeyStatus => ({
  has_api_key: true,
  api_key_status: {
    id: 7,
    name: 'A key',
    masked_key: 'slc_…x4f2',
    is_active: true,
    is_expired: false,
    scopes: ['models'],
    created_at: '2026-11-02T08:00:00.000Z',
    last_used_at: null,
    expires_at: null,
    spend_usd_today: 0,
    spend_usd_month: 0,
    spend_usd_last_month: 0,
    ...fields,
  },
  former_key: null,
});

/** Returns one of the displayed values for each state of the key. */
async function readInStates(name: string, states: Partial<Key>[]) {
  let state: Partial<Key> = {};
  await page.route(keyAddress(), (route) => answer(200, describeKey(state))(route));
  const read: string[] = [];
  for (state of states) {
    await openPanel();
    await panel().getByText('Last used', { exact: true }).waitFor();
    read.push(await fact(name));
  }
  return read;
}

describe('a key', () => {
  itAtFullSize('an API key is shown as Revoked, Expired or Active', async () => {
    const states = [
      { is_active: true, is_expired: false },
      { is_active: true, is_expired: true },
      { is_active: false, is_expired: false },
      { is_active: false, is_expired: true },
    ];
    expect(await readInStates('Status', states)).toEqual(['Active', 'Expired', 'Revoked', 'Revoked']);
  });

  itAtFullSize('an API key shows its last use in days, or as a date from 30 days on', async () => {
    spoilPages();
    await page.clock.setFixedTime(now);
    const lastUses = [
      new Date(2026, 10, 20, 0, 5),
      new Date(2026, 10, 19, 23, 55),
      new Date(2026, 10, 18, 23, 55),
      new Date(2026, 9, 22, 12),
      new Date(2026, 9, 21, 12),
      null,
    ].map((lastUse) => ({ last_used_at: lastUse?.toISOString() ?? null }));
    const words = ['Today', 'Yesterday', '2 days ago', '29 days ago', 'Oct 21, 2026', 'Never'];
    expect(await readInStates('Last used', lastUses)).toEqual(words);
  });

  itAtFullSize('a failure to load an API key state is logged and shows no error', async () => {
    const warnings: string[] = [];
    page.on('console', (entry) => entry.type() === 'warning' && warnings.push(entry.text()));
    await page.route(keyAddress(), answer(500, { detail: 'The database is unavailable' }));
    await openPanel();
    await panel().getByText('The state of the key is currently unknown.').waitFor();
    expect(warnings).toEqual([expect.stringContaining("The API key's state could not be loaded")]);
    expect(await page.getByText('The database is unavailable').count()).toBe(0);
    expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0);
    await page.unroute(keyAddress());
    await panel().getByRole('button', { name: 'Try Again' }).click();
    await panel().getByText('No API key').waitFor();
  });
});

describe('a change that fails', () => {
  const changes = [
    { button: 'Create API key', title: 'Create API key', method: 'POST', said: 'Failed to create API key' },
    {
      button: 'Regenerate',
      title: 'Regenerate API key',
      method: 'PUT',
      said: 'Failed to regenerate API key',
    },
    { button: 'Revoke', title: 'Revoke API key', method: 'DELETE', said: 'Failed to revoke API key' },
  ];

  itSampled(3).each(changes)(
    "a failed API key change shows '$said', or the error of the server",
    async ({ button, title, method, said }) => {
      if (method !== 'POST') await calls.apiKeys.createUserApiKey({ params: { id: person.id } });
      let isAway = true;
      await page.route(new RegExp(`/users/${person.id}/api-key`), (route) => {
        if (route.request().method() !== method) return route.fallback();
        return isAway ? route.abort() : answer(409, { detail: 'Somebody was faster' })(route);
      });
      await openPanel();
      for (const words of [said, 'Somebody was faster']) {
        // After a rejection, a form remains open with its input. A confirmation must be opened again.
        const isFormOpen = !isAway && method !== 'DELETE';
        if (!isFormOpen) await panel().getByRole('button', { name: button }).click();
        await question(title).getByRole('button', { name: button }).click();
        await page.getByRole('alert').getByText(words, { exact: true }).waitFor();
        isAway = false;
      }
    },
  );
});
