import {
  createClient,
  llmProvidersRoutes,
  logsRoutes,
  providerAccessRoutes,
  tasksRoutes,
  teamsRoutes,
  type User,
} from '@sluice/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { moveToPast } from '../server/test/database/move-to-past.ts';
import {
  answerCompletion,
  type Script,
  type ScriptedProvider,
  startScriptedProvider,
} from '../server/test/providers/scripted-provider.ts';
import { sluice, startDemoConsole, token } from './console.ts';
import { describeJobs } from './count-actions.ts';
import { listModels } from './llm-providers-page.ts';
import { chooseOption, selectField } from './select-field.ts';
import { act, callsAs } from './users-page.ts';
import { signIn } from './visit.ts';

const password = 'password of a user';
const answerModelsOrCompletion: Script = (response, call) =>
  (call.path.endsWith('/models') ? listModels(['own-model']) : answerCompletion())(response, call);

let upstream: ScriptedProvider;

startDemoConsole({ SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1' });
beforeAll(async () => {
  upstream = await startScriptedProvider(answerModelsOrCompletion);
});
afterAll(() => upstream?.close());

const optionsOf = (bearer: string) => ({
  baseUrl: sluice.url,
  headers: () => ({ authorization: `Bearer ${bearer}` }),
});

let people = 0;

/** No other job changes this user. */
async function addUser(name: string, fields: Partial<User> = {}) {
  const email = `user.${++people}@northwind.dev`;
  const body = { name, email, password, role_id: 3, ...fields };
  const { id } = await callsAs(token, sluice).users.createUser({ body });
  return { id, name, email };
}

async function giveAccess(id: number) {
  const instances = await createClient(llmProvidersRoutes, optionsOf(token)).listLlmProviders();
  const sandbox = instances.find(({ provider_key }) => provider_key === 'sandbox');
  await createClient(providerAccessRoutes, optionsOf(token)).grantUserAccess({
    body: { user_id: id, llm_provider_id: sandbox?.id ?? 0, allowed_models: ['sandbox-normal'] },
  });
  await createClient(tasksRoutes, optionsOf(token)).createTask({
    body: { is_dummy_task: true, user_id: id },
  });
}

const createKey = async (id: number) =>
  (await callsAs(token, sluice).apiKeys.createUserApiKey({ params: { id } })).api_key;

async function ask(apiKey: string, model = 'sandbox-normal') {
  const response = await fetch(`${sluice.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Write a function that sorts' }] }),
  });
  await response.text();
  return { status: response.status, id: response.headers.get('x-request-id') ?? '' };
}

const statusOfKey = async (apiKey: string) => {
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${sluice.url}/api/v1/models`, { headers });
  await response.text();
  return response.status;
};

const follow = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function findUser(page: Page, name: string): Promise<void> {
  await follow(page, 'Users');
  await page.getByLabel('Search users').fill(name);
  await expect.poll(() => page.locator('table[aria-label="Users"] tr[data-row]').count()).toBe(1);
}

describeJobs('administrator', {
  'connect a provider': async (open) => {
    const page = await open(token, '/admin');
    await follow(page, 'LLM Providers');
    await press(page, 'Self Managed');
    await chooseOption(page, 'Provider type', 'OpenAI-compatible');
    await page.getByLabel('API key').fill('sk-scripted');
    await page.getByLabel('API endpoint').fill(`${upstream.origin}/v1`);
    await press(page, 'Test Connection');
    await page.getByText('Connection successful', { exact: false }).waitFor();
    await press(page, 'Add Provider');
    await press(page, 'Send it now');
    await page.getByText('own-model answered', { exact: false }).waitFor();
    expect(upstream.calls.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(1);
  },

  'give access': async (open) => {
    const { name } = await addUser('Mara Lind');
    const page = await open(token, '/admin');
    await findUser(page, name);
    await press(page, `Give access: ${name}`);
    const form = page.getByRole('dialog', { name: `Give access to ${name}` });
    await form.getByRole('button', { name: 'Give access' }).click();
    await form.getByText(`${name} can send requests now.`, { exact: false }).waitFor();
    await form.getByRole('button', { name: 'Copy API key' }).click();
    const apiKey = await page.evaluate<string>('navigator.clipboard.readText()');
    await expect.poll(() => statusOfKey(apiKey)).toBe(200);
  },

  'find out why a request was refused yesterday': async (open) => {
    const user = await addUser('Xenia Roth', { daily_quota: 10 });
    await giveAccess(user.id);
    const apiKey = await createKey(user.id);
    const { id, status } = await ask(apiKey);
    expect(status).toBe(429);
    const logs = createClient(logsRoutes, optionsOf(token));
    await vi.waitFor(() => logs.getLog({ params: { id } }), 30_000);
    await moveToPast(sluice.databaseUrl, user.id, 1);
    // Today's rejected request, which the search for yesterday must not find.
    const { id: today } = await ask(apiKey, 'no-such-model');
    await vi.waitFor(() => logs.getLog({ params: { id: today } }), 30_000);

    const page = await open(token, '/admin');
    await follow(page, 'System Logs');
    await page
      .getByLabel('Search prompts and responses')
      .fill(`user:"${user.name}" status:refused since:yesterday until:yesterday`);
    await page.getByRole('status', { name: 'Totals' }).getByText('1 request', { exact: true }).waitFor();
    await page.locator('tr[data-row]').click();
    const refusal = page.getByRole('region', { name: 'Refusal' });
    await refusal.getByText('tokens_per_day_exceeded').waitFor();
    await refusal
      .getByText(/daily token quota/)
      .first()
      .waitFor();
    await refusal.getByRole('link', { name: 'Edit User' }).waitFor();
  },

  'lower the limit of the top spender': async (open) => {
    const page = await open(token, '/admin');
    // Excludes the administrator, because the job needs a user with limits.
    const others = page
      .getByRole('region', { name: 'Top users' })
      .locator('dt a:not(:text("Administrator"))');
    const name = await others.first().innerText();
    await others.first().click();
    await press(page, 'Edit');
    const form = page.getByRole('dialog', { name: 'Edit User' });
    await form.getByLabel('Daily quota').fill('5000');
    await form.getByRole('button', { name: 'Update User' }).click();
    await page.getByText(`${name} was updated`).waitFor();
    const { users } = callsAs(token, sluice);
    expect(await users.listUsers({ query: {} })).toContainEqual(
      expect.objectContaining({ name, daily_quota: 5_000 }),
    );
  },

  'block a user and decide their appeal': async (open) => {
    const user = await addUser('Theo Brandt');
    await giveAccess(user.id);
    const apiKey = await createKey(user.id);
    const page = await open(token, '/admin');
    await findUser(page, user.name);
    await act(page, 'Block', user.name);
    const question = page.getByRole('dialog');
    await question.getByLabel('Reason').fill('Stories on company time');
    await question.getByRole('button', { name: 'Block User' }).click();
    await page.getByText(`${user.name} is blocked`).waitFor();
    await expect.poll(() => statusOfKey(apiKey)).toBe(403);

    const portal = await open(await signIn({ ...sluice, email: user.email, password }), '/dashboard');
    await portal.getByLabel('Appeal against the block').fill('The stories are test data of the import.');
    await press(portal, 'Appeal');
    await portal.getByText('You appealed').waitFor();

    await page.getByRole('tab', { name: /^Appeals/ }).click();
    const appeal = page.getByRole('listitem', { name: `Appeal of ${user.name}` });
    await appeal.getByText('The stories are test data of the import.').waitFor();
    await appeal.getByRole('button', { name: 'Grant' }).click();
    await page.getByText(`${user.name} is unblocked`).waitFor();
    await expect.poll(() => statusOfKey(apiKey)).toBe(200);
  },

  'see what a team cost last month': async (open) => {
    const teams = createClient(teamsRoutes, optionsOf(token));
    const { teams: listed } = await teams.listTeams({ query: {} });
    const team = listed.find(({ name }) => name === 'Research');
    expect(team?.spend_usd_last_month).toBeGreaterThan(0);
    const logs = createClient(logsRoutes, optionsOf(token));
    const page = await open(token, '/admin');
    await follow(page, 'Teams');
    const shown = page
      .getByRole('row')
      .filter({ hasText: 'Research' })
      .getByText(/^\$[\d,.]+ last month$/);
    const amount = (await shown.innerText()).split(' ')[0] ?? '';
    await page.getByRole('row').getByRole('link', { name: 'Research' }).click();
    const cost = page.getByRole('region', { name: 'Cost of Research' });
    await cost.getByRole('link', { name: amount }).click();
    const totals = page.getByRole('status', { name: 'Totals' });
    await totals.getByText(amount).waitFor();
    const { start, end } = Object.fromEntries(new URL(page.url()).searchParams);
    const query = { team_id: team?.id ?? 0, start_date: start ?? '', end_date: end ?? '' };
    const { requests } = await logs.getLogTotals({ query });
    expect(requests).toBeGreaterThan(0);
  },

  'rotate a key': async (open) => {
    const user = await addUser('Ida Keller');
    const former = await createKey(user.id);
    const page = await open(token, '/admin');
    await findUser(page, user.name);
    await act(page, 'API key', user.name);
    await press(page, 'Regenerate');
    const form = page.getByRole('dialog', { name: 'Regenerate API key' });
    await chooseOption(form, 'Previous key stays valid for', '24 hours');
    await form.getByRole('button', { name: 'Regenerate' }).click();
    await press(page, 'Copy API key');
    const apiKey = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(apiKey).not.toBe(former);
    await expect.poll(() => statusOfKey(apiKey)).toBe(200);
    expect(await statusOfKey(former)).toBe(200);
  },

  'compare two models': async (open) => {
    const providers = createClient(llmProvidersRoutes, optionsOf(token));
    // Deletes the generated providers, which have no key.
    for (const { id, provider_key } of await providers.listLlmProviders())
      if (provider_key !== 'sandbox')
        await providers.updateLlmProvider({ params: { id }, body: { is_active: false } });
    const page = await open(token, '/admin');
    await follow(page, 'LLM Comparison');
    await page.getByLabel('Prompt').fill('Which of you is shorter?');
    await expect.poll(() => selectField(page, 'Provider 2').inputValue()).toBe('Sandbox');
    await chooseOption(page, 'Model 2', 'sandbox-echo');
    await press(page, 'Start Comparison');
    const results = page.getByRole('region', { name: 'Comparison results' });
    await results.getByText('Total cost').waitFor();
    const cards = results.getByRole('list').getByRole('listitem');
    expect(await cards.locator('code').allInnerTexts()).toContain('sandbox-echo');
    expect(await cards.getByText('Completed').count()).toBe(2);
  },
});
