import {
  budgetsRoutes,
  createClient,
  jobsRoutes,
  llmProvidersRoutes,
  outboxRoutes,
  providerAccessRoutes,
  tasksRoutes,
  teamsRoutes,
} from '@sluice/contract';
import { expect, it, vi } from 'vitest';
import { browser, page, sluice, startProductConsole, token, visitConsole } from './console.ts';
import { chooseOption } from './select-field.ts';
import { callsAs } from './users-page.ts';
import { holding, signIn, visit } from './visit.ts';

const patience = { timeout: 60_000, interval: 250 };
const model = 'sandbox-normal';
const email = 'mara.lind@northwind.dev';
const password = 'password of mara';

startProductConsole({ SLUICE_WORKERS: '1' });
visitConsole({ viewport: { width: 1440, height: 900 } });

const options = () => ({ baseUrl: sluice.url, headers: () => ({ authorization: `Bearer ${token}` }) });

async function addMember() {
  const { users, apiKeys } = callsAs(token, sluice);
  const { id } = await users.createUser({ body: { email, name: 'Mara Lind', password, role_id: 3 } });
  const [instance] = await createClient(llmProvidersRoutes, options()).listLlmProviders();
  await createClient(providerAccessRoutes, options()).grantUserAccess({
    body: { user_id: id, llm_provider_id: instance?.id ?? 0, allowed_models: [model] },
  });
  await createClient(tasksRoutes, options()).createTask({ body: { is_dummy_task: true, user_id: id } });
  const teams = createClient(teamsRoutes, options());
  const team = await teams.createTeam({ body: { name: 'Platform' } });
  const { api_key: apiKey } = await apiKeys.createUserApiKey({ params: { id } });
  return { id, apiKey, join: () => teams.addTeamMember({ params: { id: team.id }, body: { user_id: id } }) };
}

async function ask(apiKey: string) {
  const answer = await fetch(`${sluice.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  return { status: answer.status, body: await answer.text() };
}

it('a team member has the default budget of the team, is notified, reaches the limit, and gets a temporary raise', async () => {
  const member = await addMember();
  await page.goto('/admin/budgets?tab=defaults');
  await page.getByRole('button', { name: 'Set a default' }).click();
  const form = page.getByRole('dialog', { name: 'Set a default budget' });
  await chooseOption(form, 'Team', 'Platform');
  await chooseOption(form, 'Counted in', 'Requests');
  await form.getByLabel('Limit', { exact: true }).fill('5');
  await form.getByRole('button', { name: 'Set default' }).click();
  await page.getByText('The default budget was set').waitFor();
  await member.join();

  await page.goto(`/admin/users?open=${member.id}`);
  const budgets = page.getByRole('region', { name: 'Budgets' });
  await budgets.getByText('From team "Platform"').waitFor();
  await budgets.getByText('of 5 requests per month').waitFor();

  const spent = async () => {
    const [budget] = await createClient(budgetsRoutes, options()).listBudgets({
      query: { subject_type: 'user' },
    });
    return budget?.spent;
  };
  const notify = () => createClient(jobsRoutes, options()).runJob({ params: { name: 'notify-budgets' } });
  const mails = async () => {
    const found = await createClient(outboxRoutes, options()).listMails({ query: {} });
    return found.flatMap(({ subject, to_address }) => (to_address === email ? [subject] : []));
  };
  const reached = (percent: number) =>
    expect.stringMatching(new RegExp(`^${percent}% of the monthly request budget of user ".+" is used$`));
  for (let sent = 0; sent < 4; sent++) expect((await ask(member.apiKey)).status).toBe(200);
  await vi.waitFor(async () => expect(await spent()).toBe(4), patience);
  await notify();
  await vi.waitFor(async () => expect(await mails()).toContainEqual(reached(80)), patience);
  expect((await ask(member.apiKey)).status).toBe(200);
  await vi.waitFor(async () => expect(await spent()).toBe(5), patience);
  await notify();
  await vi.waitFor(async () => expect(await mails()).toContainEqual(reached(100)), patience);
  const refused = await ask(member.apiKey);
  expect(refused.status).toBe(429);
  expect(refused.body).toContain('5 requests of 5 requests are used');

  const portal = await visit(browser, sluice, holding(await signIn({ ...sluice, email, password }), sluice));
  await portal.page.goto('/dashboard/usage');
  await portal.page.getByRole('button', { name: 'Request a higher limit' }).click();
  const request = portal.page.getByRole('dialog', { name: 'Request a higher limit' });
  await request.getByLabel('Limit', { exact: true }).fill('8');
  await request.getByLabel('Last day').fill(new Date(Date.now() + 4 * 86_400_000).toISOString().slice(0, 10));
  await request.getByLabel('Reason').fill('Release week');
  await request.getByRole('button', { name: 'Send request' }).click();
  await portal.page.getByText('Request sent to your administrators').waitFor();

  await page.goto('/admin/budgets?tab=requests');
  await page.getByRole('tab', { name: 'Raise requests (1)' }).waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The budget was raised to 8 requests').waitFor();
  await vi.waitFor(async () => expect((await ask(member.apiKey)).status).toBe(200), patience);
  await portal.page.reload();
  await portal.page.getByText(/^Requested a limit of 8 requests until .*: approved$/).waitFor();
  await portal.page.getByText(/^Raised until/).waitFor();
  expect(portal.problems).toEqual([]);
  await portal.end();
});
