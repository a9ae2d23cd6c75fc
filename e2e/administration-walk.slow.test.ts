import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import {
  answerCompletion,
  type Script,
  type ScriptedProvider,
  startScriptedProvider,
} from '../server/test/providers/scripted-provider.ts';
import { page, startConsole, visitConsole } from './console.ts';
import { listModels } from './llm-providers-page.ts';
import { chooseOption } from './select-field.ts';
import { actFromMenu } from './users-page.ts';

// Follows docs/ADMINISTRATION.md. Each test covers one section and continues where the previous test ended.

const viewport = { width: 1440, height: 900 };
const model = 'own-model';
const answerModelsOrCompletion: Script = (response, call) =>
  (call.path.endsWith('/models') ? listModels([model]) : answerCompletion())(response, call);

let upstream: ScriptedProvider;
startConsole({ SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1' });
beforeAll(async () => {
  upstream = await startScriptedProvider(answerModelsOrCompletion);
});
afterAll(() => upstream?.close());
visitConsole({ viewport });

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
const said = (text: string | RegExp) => page.getByText(text).first().waitFor();
const pick = async (field: string, name: string, within: string | RegExp) => {
  await dialog(within).getByRole('combobox', { name: field }).fill(name);
  await page.getByRole('option', { name }).first().click();
};

async function open(name: string): Promise<void> {
  await page.goto('/admin');
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  // The heading of the overview remains until the next page has rendered.
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Welcome' }).waitFor();
}

describe('docs/ADMINISTRATION.md', () => {
  it('the administration guide leads to the first provider', async () => {
    await open('LLM Providers');
    await press('Self Managed');
    const form = page.getByRole('dialog');
    await chooseOption(page, 'Provider type', 'OpenAI-compatible');
    await form.getByLabel('Instance name').fill('own');
    await form.getByLabel('API key').fill('sk-own');
    await form.getByLabel('API endpoint').fill(`${upstream.origin}/v1`);
    await form.getByRole('button', { name: 'Test Connection' }).click();
    await said(/Connection successful/);
    await form.getByRole('button', { name: 'Add Provider' }).click();
    await dialog('own is connected').getByRole('button', { name: 'Close' }).last().click();
    await form.waitFor({ state: 'detached' });
    await press('More actions: own');
    await page.getByRole('menuitem', { name: 'Simulate outage' }).waitFor();
    await page.keyboard.press('Escape');
    await said('Fallback order');
  });

  it('the steps of the administration guide for users and invitations work', async () => {
    await open('Users');
    await press('+ Create User');
    const form = dialog('Create User');
    await form.getByLabel('Email').fill('mara@northwind.dev');
    await form.getByLabel('Full Name').fill('Mara Lind');
    await form.getByLabel('Password', { exact: true }).fill('a fine secret');
    await form.getByRole('button', { name: 'Create User' }).click();
    await form.waitFor({ state: 'detached' });
    await press('+ Invite User');
    await dialog('Invite User').getByLabel('Email').fill('ines@northwind.dev');
    await press('Send Invitation');
    await said('No email has been sent to ines@northwind.dev yet.');
    await press('Done');
    await page.getByRole('tab', { name: 'Invitations' }).click();
    await page.getByRole('row').filter({ hasText: 'ines@northwind.dev' }).waitFor();
    await open('Outbox');
    await said('ines@northwind.dev');
  });

  itAtFullSize('the administration guide leads to a team and a task', async () => {
    await open('Teams');
    await press('Create Team');
    await dialog('Create Team').getByLabel('Team Name').fill('Platform');
    await dialog('Create Team').getByRole('button', { name: 'Create Team' }).click();
    await press('Add member: Platform');
    await pick('Users', 'Mara Lind', /^Add Member/);
    await dialog(/^Add Member/)
      .getByRole('button', { name: 'Add Member' })
      .click();
    await said('1 member added');
    await open('Tasks');
    await press('Create Task');
    const form = dialog('Create Task');
    await form.getByLabel('Title').fill('CSV import');
    await form.getByLabel('Description').fill('Write the TypeScript parser of the CSV import and its tests');
    await form.getByText('Task rehearsal').first().waitFor();
    await form.getByRole('button', { name: 'Create Task' }).click();
    await said('CSV import was created');
  });

  it('the administration guide leads to model access', async () => {
    await open('Provider Access');
    await press('Grant Access');
    const form = 'Grant Provider Access';
    await pick('Users', 'Mara Lind', form);
    await chooseOption(dialog(form), 'Provider', /own/);
    await dialog(form).getByLabel(model, { exact: true }).check();
    await dialog(form).getByRole('button', { name: 'Grant Access' }).click();
    await said('Access to 1 model granted to 1 user');
    await press('Explain access');
    await pick('User', 'Mara Lind', 'Explain access');
    await dialog('Explain access').getByRole('combobox', { name: 'Model' }).fill(model);
    await page.keyboard.press('Escape');
    await dialog('Explain access').getByRole('button', { name: 'Explain' }).click();
    await dialog('Explain access').getByRole('listitem').first().waitFor();
    await open('Blacklist');
    await press('Check Status');
    await dialog('Check Status').waitFor();
  });

  itAtFullSize('the administration guide leads to limits and credits', async () => {
    await open('Users');
    await actFromMenu(page, 'Edit', 'Mara Lind');
    const form = dialog(/Edit User/);
    for (const name of ['Requests per hour', 'Daily quota', 'Monthly quota'])
      await form.getByLabel(name).first().waitFor();
    await form.getByLabel('Requests per hour').first().fill('250');
    await form.getByRole('button', { name: 'Update User' }).click();
    await form.waitFor({ state: 'detached' });
    await open('Budgets');
    await said('Show refused requests');
    await press('Create budget');
    await dialog('Create budget').waitFor();
    await page.keyboard.press('Escape');
    await open('Tenant Credits');
    for (const name of ['Create tenant', 'Billing']) await said(name);
    await page
      .getByRole('row')
      .getByRole('button', { name: /^Details/ })
      .click();
    await page.getByLabel('Low balance threshold').waitFor();
    await open('Settings');
    await said('Longest answer');
  });

  itAtFullSize(
    'the administration guide leads to a policy that is tested before it is enforced',
    async () => {
      await open('Settings');
      const policy = page.getByRole('region', { name: 'Deviation policy' });
      expect(await policy.getByLabel('Enforcement').inputValue()).toBe('Monitor');
      await policy.getByRole('button', { name: /^Test on the last/ }).click();
      await policy.getByRole('status').getByText(/./).first().waitFor();
      await chooseOption(policy, 'Enforcement', 'Warn');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await said('Settings saved');
      await open('Users');
      await page.getByRole('tab', { name: /Appeals/ }).click();
    },
  );

  itAtFullSize(
    'the administration guide leads to logs, analytics, the audit log and the status page',
    async () => {
      await open('System Logs');
      await page.getByRole('button', { name: 'Views' }).first().waitFor();
      await open('Analytics');
      await open('Settings');
      for (const name of ['Days and months', 'Prompts and answers', 'Retention', 'Answers', 'Markup'])
        await said(name);
      await open('Audit log');
      await said(/Mara Lind/);
      await open('Status');
    },
  );
});
