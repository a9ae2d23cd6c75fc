import { createClient, providerAccessRoutes, teamsRoutes } from '@sluice/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { accessAddresses, describeProvider, describeUserAccess, openAccess } from './access-page.ts';
import { page, sluice, startProductConsole, token, visitConsole } from './console.ts';
import { chooseOption } from './select-field.ts';
import { taskCallsAs } from './tasks-page.ts';
import { actFromMenu, answer, callsAs, openUsers, pick } from './users-page.ts';

const viewport = { width: 1440, height: 820 };
const names = ['Maya Ortiz', 'Jonas Weber', 'Aiko Tanaka', 'Priya Nair', 'Tom Keller', 'Ida Berg', 'Leo Roy'];

let calls: ReturnType<typeof createClient<typeof providerAccessRoutes>>;
let providerId: number;
let teamId: number;
const idOf = new Map<string, number>();

// A change on one worker must apply on the other.
startProductConsole({ SLUICE_WORKERS: '2' });
beforeAll(async () => {
  const options = { baseUrl: sluice.url, headers: () => ({ authorization: `Bearer ${token}` }) };
  calls = createClient(providerAccessRoutes, options);
  const { users } = callsAs(token, sluice);
  for (const name of names) {
    const email = `${name.split(' ')[0]?.toLowerCase()}@northwind.dev`;
    const { id } = await users.createUser({ body: { name, email, password: 'secret1', role_id: 3 } });
    idOf.set(name, id);
  }
  const teams = createClient(teamsRoutes, options);
  teamId = (await teams.createTeam({ body: { name: 'Research' } })).id;
  await teams.addTeamMember({ params: { id: teamId }, body: { user_id: userId('Priya Nair') } });
  const [sandbox] = await calls.listGrantableProviders();
  if (!sandbox) throw new Error('The first start makes an instance of the sandbox');
  providerId = sandbox.id;
});

visitConsole({ viewport });

const userId = (name: string) => idOf.get(name) ?? 0;
const ungrantUser = (name: string) =>
  calls.removeUserAccess({ params: { userId: userId(name), providerId } }).catch(() => undefined);
const ungrantTeam = () => calls.removeTeamAccess({ params: { teamId, providerId } }).catch(() => undefined);

async function grantUser(name: string, allowed_models: string[]) {
  await ungrantUser(name);
  const body = { user_id: userId(name), llm_provider_id: providerId, allowed_models };
  await calls.grantUserAccess({ body });
}

const expectCount = async (tab: string, key: 'total_user_accesses' | 'total_team_accesses') => {
  const count = (await calls.getAccessSummary())[key];
  await page.getByRole('tab', { name: `${tab} (${count})` }).waitFor();
};
const modelsOf = async (name: string) =>
  (await calls.listUserAccess({ query: { user_id: userId(name) } }))[0]?.allowed_models;

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const row = (name: string) => page.getByRole('row').filter({ hasText: name });

async function openGrant() {
  await page.getByRole('button', { name: 'Grant Access' }).first().click();
  const form = dialog('Grant Provider Access');
  await form.waitFor();
  return form;
}

describe('granting access', () => {
  itAtFullSize('the grant form names missing fields', async () => {
    await openAccess(page);
    const form = await openGrant();
    const send = form.getByRole('button', { name: 'Grant Access' });
    await send.click();
    for (const text of [
      'Please select a user',
      'Please select a provider',
      'Please select at least one model',
    ])
      await form.getByText(text, { exact: true }).waitFor();
    await form.getByText('Team', { exact: true }).click();
    await send.click();
    await form.getByText('Please select a team', { exact: true }).waitFor();
  });

  it('the grant form grants one user some models of a provider', async () => {
    await ungrantUser('Maya Ortiz');
    await openAccess(page);
    const form = await openGrant();
    await pick(form.getByRole('combobox', { name: 'Users' }), 'Maya Ortiz');
    await chooseOption(form, 'Provider', /Sandbox/);
    await form.getByRole('button', { name: 'Select All', exact: true }).click();
    const count = form.getByText(/^Selected: \d+ of \d+$/);
    await expect.poll(() => count.innerText()).toMatch(/^Selected: (\d+) of \1$/);
    await form.getByRole('button', { name: 'Deselect All' }).click();
    await form.getByLabel('sandbox-normal', { exact: true }).check();
    await form.getByLabel('sandbox-echo', { exact: true }).check();
    await expect.poll(() => count.innerText()).toMatch(/^Selected: 2 of /);
    await form.getByRole('button', { name: 'Grant Access' }).click();
    await page.getByText('Access to 2 models granted to 1 user').waitFor();
    await row('Maya Ortiz').waitFor();
    expect(await modelsOf('Maya Ortiz')).toEqual(['sandbox-normal', 'sandbox-echo']);
    await expectCount('User Access', 'total_user_accesses');
  });

  itAtFullSize('the grant form keeps users for whom the grant failed', async () => {
    await grantUser('Jonas Weber', ['sandbox-normal']);
    await ungrantUser('Aiko Tanaka');
    await openAccess(page);
    const form = await openGrant();
    const users = form.getByRole('combobox', { name: 'Users' });
    for (const name of ['Jonas Weber', 'Aiko Tanaka']) await pick(users, name);
    await chooseOption(form, 'Provider', /Sandbox/);
    await form.getByLabel('sandbox-normal', { exact: true }).check();
    await form.getByRole('button', { name: 'Grant Access' }).click();
    await form.getByText('This user already has access to this provider').waitFor();
    await page.getByText('Access to 1 model granted to 1 user').waitFor();
    await form.getByRole('button', { name: 'Remove Jonas Weber' }).waitFor();
    expect(await form.getByRole('button', { name: 'Remove Aiko Tanaka' }).count()).toBe(0);
    expect(await modelsOf('Aiko Tanaka')).toEqual(['sandbox-normal']);
  });

  it('a grant to a team is listed in the team tab', async () => {
    await ungrantTeam();
    await openAccess(page, '?tab=teams', 'Team Access');
    const form = await openGrant();
    await pick(form.getByRole('combobox', { name: 'Teams' }), 'Research');
    await chooseOption(form, 'Provider', /Sandbox/);
    await form.getByLabel('sandbox-normal', { exact: true }).check();
    await form.getByRole('button', { name: 'Grant Access' }).click();
    await row('Research').waitFor();
    await expectCount('Team Access', 'total_team_accesses');
    const headings = await page.getByRole('columnheader').allTextContents();
    expect(headings).toEqual(['Team', 'Provider', 'Instance', 'Allowed Models', 'Created', 'Actions']);
  });
});

describe('a grant', () => {
  itAtFullSize('a grant shows up to three models, or two models and the number of others', async () => {
    const provider = describeProvider(1, 'openai', 'openai-main', ['a', 'b', 'c', 'd', 'e']);
    const rows = [
      describeUserAccess(1, 'Three', provider, ['a', 'b', 'c']),
      describeUserAccess(2, 'Five', provider, ['a', 'b', 'c', 'd', 'e']),
    ];
    await page.route(accessAddresses.users, answer(200, rows));
    await openAccess(page);
    expect(await row('Three').locator('code').allInnerTexts()).toEqual(['a', 'b', 'c']);
    expect(await row('Five').locator('code').allInnerTexts()).toEqual(['a', 'b']);
    await row('Five').getByRole('button', { name: '+3 more' }).focus();
    await page.getByRole('tooltip', { name: 'c, d, e' }).waitFor();
  });

  it('the edit form of a grant lists the changes and can be saved only if there are any', async () => {
    await grantUser('Tom Keller', ['sandbox-normal', 'sandbox-echo']);
    await openAccess(page);
    await press('Edit models: Tom Keller, sandbox');
    const form = dialog(/^Edit Access of Tom Keller/);
    const save = form.getByRole('button', { name: 'Update Access' });
    const changes = form.getByRole('region', { name: 'Changes Summary' });
    await changes.getByText('No changes').waitFor();
    expect(await save.isDisabled()).toBe(true);
    await form.getByLabel('sandbox-slow', { exact: true }).check();
    await form.getByLabel('sandbox-echo', { exact: true }).uncheck();
    await expect
      .poll(async () => (await changes.innerText()).replace(/\s+/g, ' '))
      .toContain('Added (1) + sandbox-slow Removed (1) − sandbox-echo');
    await form.getByLabel('sandbox-slow', { exact: true }).uncheck();
    await form.getByLabel('sandbox-echo', { exact: true }).check();
    await expect.poll(() => save.isDisabled()).toBe(true);
    await form.getByRole('button', { name: 'Deselect All' }).click();
    await save.click();
    await form.getByText('Please select at least one model', { exact: true }).waitFor();
    await form.getByLabel('sandbox-slow', { exact: true }).check();
    await save.click();
    await form.waitFor({ state: 'detached' });
    await expect.poll(() => modelsOf('Tom Keller')).toEqual(['sandbox-slow']);
  });

  it('a grant is removed after a confirmation, and restored if the removal fails', async () => {
    await grantUser('Ida Berg', ['sandbox-normal']);
    await openAccess(page);
    const question = dialog('Remove access of Ida Berg?');
    await page.route('**/users/*/providers/*', (route) => route.abort());
    await actFromMenu(page, 'Remove', 'Ida Berg, sandbox');
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alert').getByText('Failed to delete user access').waitFor();
    await row('Ida Berg').waitFor();
    await page.unroute('**/users/*/providers/*');
    await actFromMenu(page, 'Remove', 'Ida Berg, sandbox');
    await question.getByRole('button', { name: 'Remove' }).click();
    await row('Ida Berg').waitFor({ state: 'detached' });
    await expect.poll(() => modelsOf('Ida Berg')).toBeUndefined();
  });

  itAtFullSize('grants are filtered by user and provider, and the URL keeps the filters', async () => {
    for (const name of ['Maya Ortiz', 'Leo Roy']) await grantUser(name, ['sandbox-normal']);
    await openAccess(page);
    const filter = page.getByRole('combobox', { name: 'User', exact: true });
    await pick(filter, 'Maya Ortiz');
    await page.waitForURL(/user=\d+/);
    await expect.poll(() => page.locator('tr[data-row]').count()).toBe(1);
    await page.reload();
    await expect.poll(() => filter.inputValue()).toBe('Maya Ortiz');
    await page.getByRole('tab', { name: /^Team Access/ }).click();
    await page.waitForURL(/tab=teams/);
    expect(page.url()).toContain('user=');
    await page.goBack();
    await press('Clear Filters');
    await expect.poll(() => page.locator('tr[data-row]').count()).toBeGreaterThan(1);
    await chooseOption(page, 'Provider', /sandbox/i);
    await page.waitForURL(/provider=\d+/);
  });
});

describe('the access overview', () => {
  itAtFullSize('the access summary counts all grants', async () => {
    await openAccess(page, '?tab=summary', 'Provider usage');
    const summary = await calls.getAccessSummary();
    const figures = page.getByRole('region', { name: 'Access statistics' });
    expect(await figures.locator('dt').allInnerTexts()).toEqual([
      'User Access Grants',
      'Team Access Grants',
      'Users with Access',
      'Teams with Access',
    ]);
    await expect
      .poll(async () => (await figures.locator('dd').allInnerTexts()).map(Number))
      .toEqual([
        summary.total_user_accesses,
        summary.total_team_accesses,
        summary.total_unique_users_with_access,
        summary.total_unique_teams_with_access,
      ]);
    const headings = await page.getByRole('columnheader').allTextContents();
    expect(headings).toEqual(['Provider', 'Instance', 'User Access', 'Team Access', 'Total']);
  });

  itAtFullSize('the access overview of a user shows the source of each grant', async () => {
    await grantUser('Priya Nair', ['sandbox-echo']);
    await ungrantTeam();
    await calls.grantTeamAccess({
      body: { team_id: teamId, llm_provider_id: providerId, allowed_models: ['sandbox-normal'] },
    });
    await openAccess(page);
    await actFromMenu(page, 'View summary', 'Priya Nair, sandbox');
    const summary = dialog('User Provider Summary: Priya Nair');
    await summary.getByText('through Research').waitFor();
    await summary.getByText('granted directly').waitFor();
    for (const word of ['Total Providers', 'Total Models', 'Direct Access', 'Team Access'])
      await summary.getByText(word, { exact: true }).first().waitFor();
  });
});

describe('the explainer', () => {
  it('the explanation opens from user details and names the deciding rule', async () => {
    await openUsers(page, `?open=${userId('Ida Berg')}`);
    await dialog('User details').getByRole('button', { name: 'Explain access' }).click();
    const panel = dialog('Explain access');
    await expect.poll(() => panel.getByRole('combobox', { name: 'User' }).inputValue()).toBe('Ida Berg');
    await panel.getByRole('combobox', { name: 'Model' }).fill('sandbox-normal');
    await page.keyboard.press('Escape');
    await panel.getByRole('button', { name: 'Explain' }).click();
    await panel.getByText('Ida Berg may not use').waitFor();
    const verdict = await calls.explainAccess({
      query: { user_id: userId('Ida Berg'), model: 'sandbox-normal' },
    });
    const decisive = verdict.rules.find(({ outcome }) => outcome === 'refuses');
    const rule = panel
      .getByRole('listitem')
      .filter({ has: page.getByText('refuses the request', { exact: true }) });
    expect(await rule.count()).toBe(1);
    expect(await rule.innerText()).toContain(decisive?.detail);
    expect(await panel.getByRole('listitem').count()).toBe(verdict.rules.length);
  });

  itAtFullSize(
    'the explanation opens from a link and shows that an administrator may use the model',
    async () => {
      const { users } = callsAs(token, sluice);
      const admin = (await users.listUsers({ query: {} })).find(({ email }) => email === sluice.email);
      await page.goto(`/admin/provider-access?explain=${admin?.id}&model=sandbox-normal`);
      await dialog('Explain access')
        .getByText(/Administrator may use/)
        .waitFor();
    },
  );

  itAtFullSize(
    'the explanation of a user with two tasks names the missing task, and applies the selected task',
    async () => {
      const tasks = taskCallsAs(token, sluice);
      for (const title of ['Ledger', 'Search']) {
        const task = await tasks.createTask({ body: { title, description: 'Keep it up' } as never });
        const body = { task_id: task.id, user_id: userId('Leo Roy') };
        await tasks.createTaskAssignment({ body });
      }
      await page.goto(`/admin/provider-access?explain=${userId('Leo Roy')}&model=sandbox-normal`);
      const panel = dialog('Explain access');
      const rule = panel.getByRole('listitem').filter({ hasText: 'Task' }).first();
      await rule.getByText('Leo Roy has 2 active tasks and no API access task', { exact: false }).waitFor();
      await chooseOption(panel, 'Task', 'Search');
      await rule.getByText("The request is assigned to the task 'Search'.").waitFor();
    },
  );

  itAtFullSize('the explanation requires a user and a model', async () => {
    await openAccess(page);
    await press('Explain access');
    const panel = dialog('Explain access');
    await panel.getByRole('button', { name: 'Explain' }).click();
    await panel.getByText('Please select a user', { exact: true }).waitFor();
    await panel.getByText('Please enter a model', { exact: true }).waitFor();
  });
});

describe('failures of provider access', () => {
  itSampled(4).each([
    [accessAddresses.users, '', 'Failed to fetch user accesses'],
    [accessAddresses.teams, '?tab=teams', 'Failed to fetch team accesses'],
    [accessAddresses.summary, '?tab=summary', 'Failed to fetch access summary'],
    [accessAddresses.providers, '', 'Failed to load provider access data'],
  ])('provider access shows server or fallback errors: %s', async (address, search, words) => {
    await page.route(address, answer(500, { detail: 'The database is unavailable' }));
    await page.goto(`/admin/provider-access${search}`);
    await page.getByRole('alert').getByText('The database is unavailable', { exact: true }).waitFor();
    await page.unroute(address);
    await press('Try Again');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.route(address, (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText(words, { exact: true }).waitFor();
  });
});
