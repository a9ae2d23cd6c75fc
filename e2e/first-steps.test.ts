import { createClient, providerAccessRoutes, teamsRoutes } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { chooseOption } from './select-field.ts';
import { act, answer, callsAs, openUsers, rowOf } from './users-page.ts';

startConsole();
visitConsole({ viewport: { width: 1440, height: 900 } });

const dialog = (name: string) => page.getByRole('dialog', { name });
const step = (title: string) =>
  page.getByRole('region', { name: 'First steps' }).getByRole('listitem').filter({ hasText: title });
const isDone = async (title: string) =>
  (await step(title).getByRole('heading').innerText()).includes(', done');

const titles = [
  'Connect a provider',
  'Test the connection',
  'Create a user',
  'Grant models or assign a task',
  'Create an API key',
  'Send a request through the gateway',
];

async function openOverview() {
  await page.goto('/admin');
  await step('Connect a provider').waitFor();
}

async function runOffered(line: string, key: string): Promise<number> {
  const [, url = ''] = /curl (\S+)[\s\S]*Bearer \$SLUICE_API_KEY/.exec(line) ?? [];
  const body = /-d '([^']+)'/.exec(line)?.[1] ?? '';
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

describe('the first journey', () => {
  it('first steps list six steps, and the sandbox does not count as a connected provider', async () => {
    await openOverview();
    // All tests share an administrator, who already has a key.
    await expect
      .poll(() => Promise.all(titles.map(isDone)))
      .toEqual([false, false, false, false, true, false]);
    await step('Connect a provider')
      .getByText('Sandbox is connected; add your own in LLM Providers, under Self Managed.')
      .waitFor();
    await page.getByText('1 of 6').waitFor();
  });

  it('first steps lead from the form of a new user to a successful request', async () => {
    await openUsers(page);
    await page.getByRole('button', { name: '+ Create User' }).click();
    const form = dialog('Create User');
    await form.getByLabel('Email').fill('mara@northwind.dev');
    await form.getByLabel('Full Name').fill('Mara Lind');
    await form.getByLabel('Password', { exact: true }).fill('a fine secret');
    await form.getByLabel('Then give access').check();
    await form.getByRole('button', { name: 'Create User' }).click();

    const access = dialog('User created: give access to Mara Lind');
    await access.getByLabel('Task', { exact: true }).waitFor();
    expect(await access.getByLabel('Task', { exact: true }).inputValue()).toMatch(/^API access/);
    expect(await access.getByLabel('Models', { exact: true }).inputValue()).toMatch(/: all \d+ models$/);
    expect(await access.getByLabel('Create an API key').isChecked()).toBe(true);
    await access.getByRole('button', { name: 'Give access' }).click();
    await access.getByText('Mara Lind can send requests now.', { exact: false }).waitFor();
    const line = await access.locator('figure pre').innerText();
    const key = await access.getByText(/^slc_\w{36}$/).innerText();
    expect((await access.innerText()).split(key)).toHaveLength(2);
    await expect.poll(() => runOffered(line, key), { timeout: 5_000 }).toBe(200);
    await access.getByRole('button', { name: 'I stored it' }).click();
    await access.waitFor({ state: 'detached' });
    expect(
      await rowOf(page, 'Mara Lind')
        .getByText(/No task|No models/)
        .count(),
    ).toBe(0);

    await openOverview();
    await expect
      .poll(() => Promise.all(titles.map(isDone)), { timeout: 15_000 })
      .toEqual([false, false, true, true, true, true]);
    await step('Send a request').getByRole('link', { name: 'Open the request' }).click();
    await page.getByRole('complementary', { name: 'Log Details' }).or(dialog('Log Details')).waitFor();
  });
});

describe('the example', () => {
  itAtFullSize(
    "the first steps example can be sent from the page, which shows the gateway's error message",
    async () => {
      await openOverview();
      const refusal = { message: 'Slow down a little.', type: 'rate_limit_error', param: null, code: null };
      const address = '**/api/v1/chat/completions';
      await page.route(address, answer(429, { error: refusal }));
      const send = page.getByRole('button', { name: 'Send it now' });
      await send.click();
      await page.getByText('Slow down a little.').waitFor();
      await page.unroute(address);
      await send.click();
      await page.getByText('sandbox-normal answered in', { exact: false }).waitFor();
      await page.getByRole('status').getByRole('link', { name: 'Open the request' }).click();
      await page.getByRole('complementary', { name: 'Log Details' }).or(dialog('Log Details')).waitFor();
    },
  );
});

describe('access by a team', () => {
  itAtFullSize(
    'first steps offer a request with a model of the team, and report a team without models',
    async () => {
      const options = { baseUrl: sluice.url, headers: () => ({ authorization: `Bearer ${token}` }) };
      const teams = createClient(teamsRoutes, options);
      const access = createClient(providerAccessRoutes, options);
      const [sandbox] = await access.listGrantableProviders();
      const echoes = await teams.createTeam({ body: { name: 'Echoes' } });
      await teams.createTeam({ body: { name: 'Nobodies' } });
      await access.grantTeamAccess({
        body: { team_id: echoes.id, llm_provider_id: sandbox?.id ?? 0, allowed_models: ['sandbox-echo'] },
      });
      const { users } = callsAs(token, sluice);
      for (const name of ['Ede Team', 'Nils Team']) {
        const email = `${name.split(' ')[0]}@northwind.dev`;
        await users.createUser({ body: { name, email, password: 'secret1', role_id: 3 } });
      }
      const give = async (name: string, team: string) => {
        await openUsers(page);
        await act(page, 'Give access', name);
        const form = dialog(`Give access to ${name}`);
        await chooseOption(form, 'Models', team);
        await form.getByRole('button', { name: 'Give access' }).click();
        await form.getByRole('button', { name: 'I stored it' }).waitFor();
        return form;
      };
      const echoing = await give('Ede Team', 'Team Echoes');
      const line = await echoing.locator('figure pre').innerText();
      expect(line).toContain('"model":"sandbox-echo"');
      const key = await echoing.getByText(/^slc_\w{36}$/).innerText();
      await expect.poll(() => runOffered(line, key), { timeout: 5_000 }).toBe(200);
      await echoing.getByRole('button', { name: 'I stored it' }).click();

      const lacking = await give('Nils Team', 'Team Nobodies');
      await lacking.getByText('Nils Team has no models yet, so requests are refused.').waitFor();
      await lacking.getByRole('button', { name: 'I stored it' }).click();
    },
  );
});

describe('a row of the list of users', () => {
  itAtFullSize('a row of the user list shows missing setup, and its button completes the setup', async () => {
    const { users } = callsAs(token, sluice);
    await users.createUser({
      body: { name: 'Ola Berg', email: 'ola@northwind.dev', password: 'secret1', role_id: 3 },
    });
    await openUsers(page);
    const row = rowOf(page, 'Ola Berg');
    await expect.poll(() => row.innerText()).toContain('No task, no models');
    const own = rowOf(page, 'Administrator');
    expect(await own.innerText()).not.toMatch(/No task|No models/);
    expect(await own.getByRole('button', { name: /Give access/ }).count()).toBe(0);

    await act(page, 'Give access', 'Ola Berg');
    const form = dialog('Give access to Ola Berg');
    await chooseOption(form, 'Models', 'None for now');
    await form.getByLabel('Create an API key').uncheck();
    await form.getByRole('button', { name: 'Give access' }).click();
    await form.getByText('Ola Berg has no models yet, so requests are refused.').waitFor();
    await form.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => row.innerText()).toContain('No models');
    expect(await row.innerText()).not.toContain('No task');
  });
});
