import {
  createClient,
  llmProvidersRoutes,
  portalRoutes,
  providerAccessRoutes,
  tasksRoutes,
  usersRoutes,
} from '@sluice/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { formatLabel } from '../web/src/lib/format-label.ts';
import { page, sluice, startConsole, token, visitAs } from './console.ts';
import { everyLook, expectGoodLooks, twoLooks } from './looks.ts';
import { chooseOption } from './select-field.ts';
import { answer, callsAs } from './users-page.ts';
import { signIn } from './visit.ts';

const viewport = { width: 1440, height: 820 };
const password = 'password of noor';
const email = 'noor.haddad@northwind.dev';
const model = 'sandbox-normal';

let userId: number;
let apiKey: string;
let session: string;

startConsole();

const optionsOf = (bearer: string) => ({
  baseUrl: sluice.url,
  headers: () => ({ authorization: `Bearer ${bearer}` }),
});

beforeAll(async () => {
  const { users, apiKeys } = callsAs(token, sluice);
  userId = (await users.createUser({ body: { email, name: 'Noor Haddad', password, role_id: 3 } })).id;
  const [instance] = await createClient(llmProvidersRoutes, optionsOf(token)).listLlmProviders();
  await createClient(providerAccessRoutes, optionsOf(token)).grantUserAccess({
    body: { user_id: userId, llm_provider_id: instance?.id ?? 0, allowed_models: [model] },
  });
  apiKey = (await apiKeys.createUserApiKey({ params: { id: userId } })).api_key;
  session = await signIn({ ...sluice, email, password });
});
beforeEach(async () => {
  await visitAs(session, { viewport });
  await page.setViewportSize(viewport);
});

async function addTask(title: string) {
  const tasks = createClient(tasksRoutes, optionsOf(token));
  const { id } = await tasks.createTask({
    body: {
      title,
      description: `${title}: read the file, parse it, and write tests for every odd line of it`,
    },
  });
  await tasks.createTaskAssignment({ body: { task_id: id, user_id: userId } });
  return id;
}

async function ask(content: string, taskId: number) {
  const response = await fetch(`${sluice.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, task_id: taskId, messages: [{ role: 'user', content }] }),
  });
  expect(response.status, await response.text()).toBe(200);
}

describe('a new user', () => {
  itAtFullSize('dashboard, tasks, usage and history of a new user show an empty state', async () => {
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Welcome, Noor Haddad' }).waitFor();
    await page.getByText('No Tasks Assigned. Please contact your administrator').waitFor();
    await page.getByText('Good Standing').waitFor();
    await expectGoodLooks(page, 'portal-dashboard-empty', everyLook);
    await page.goto('/dashboard/tasks');
    await page.getByText('No Tasks Assigned').waitFor();
    await page.goto('/dashboard/usage');
    await page.getByText(/^No usage in this period/).waitFor();
    await page.goto('/dashboard/history');
    await page.getByText('No Tasks Assigned. Please contact your administrator').waitFor();
  });

  it('the portal sidebar lists six pages, then the chat', async () => {
    await page.goto('/dashboard');
    const names = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await expect
      .poll(() => names.allInnerTexts())
      .toEqual(['Dashboard', 'Usage', 'Task History', 'My Tasks', 'API Keys', 'Profile', 'Chat']);
  });
});

describe('an active user', () => {
  let taskId: number;
  beforeAll(async () => {
    taskId = await addTask('CSV import');
    await addTask('Invoice parser');
    await ask(
      'Fix the failing import in parser.ts and write a TypeScript function that parses a CSV line',
      taskId,
    );
  });

  it('the portal dashboard shows figures, limits and tasks', async () => {
    const portal = createClient(portalRoutes, optionsOf(session));
    const countRequests = async () => (await portal.getUserStats()).requests_today;
    await expect.poll(countRequests, { timeout: 15_000 }).toBe(1);
    await page.goto('/dashboard');
    const stats = page.getByRole('region', { name: 'Quick stats' });
    await expect.poll(() => stats.locator('dd').first().innerText()).toBe('1');
    const tasks = page.getByRole('region', { name: 'Active tasks' });
    await tasks.getByText('CSV import', { exact: true }).waitFor();
    await tasks.getByRole('link', { name: 'View all tasks' }).waitFor();
    await page.getByRole('region', { name: 'Limits' }).getByText('Tokens this month').waitFor();
    const requests = page.getByRole('region', { name: 'Last requests' });
    await requests.getByText('Success').waitFor();
    await requests.getByText('Fix the failing import in parser.ts').waitFor();
    await requests.getByText('Coding').waitFor();
    await expectGoodLooks(page, 'portal-dashboard', everyLook);
  });

  itAtFullSize('the usage page shows health, statistics and trend, and changes to 90 days', async () => {
    await page.goto('/dashboard/usage');
    await page.getByRole('region', { name: 'Account health' }).getByText('Good Standing').waitFor();
    await page.getByRole('region', { name: 'Token statistics' }).getByText('Highest day').waitFor();
    await page.getByRole('application', { name: 'Token Usage Trend' }).waitFor();
    await expectGoodLooks(page, 'portal-usage', everyLook);
    await page.getByText('90 days', { exact: true }).click();
    await page.waitForURL('**/usage?days=90');
  });

  itAtFullSize(
    'a history that cannot be loaded shows the page and the error status, and loads after a retry',
    async () => {
      const address = '**/api/v1/user/tasks';
      await page.route(address, (route) => route.fulfill({ status: 500, body: '' }));
      await page.goto('/dashboard/history');
      await page
        .getByRole('alert')
        .getByText('Error loading request history: Unknown error (HTTP 500)', { exact: true })
        .waitFor();
      await page.unroute(address);
      await page.getByRole('button', { name: 'Try Again', exact: true }).click();
      await page.locator('tr[data-row]').first().waitFor();
    },
  );

  it('the history is filtered, opens a task, and is exported as CSV', async () => {
    await page.goto('/dashboard/history');
    const rows = page.locator('tr[data-row]');
    await expect.poll(() => rows.count()).toBe(2);
    await expectGoodLooks(page, 'portal-history', everyLook);
    await page.getByLabel('Search tasks').fill('invoice');
    await expect.poll(() => rows.count()).toBe(1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^my-tasks-\d{4}-\d\d-\d\d\.csv$/);
    await chooseOption(page, 'Status', 'Completed');
    await page.getByText('No tasks found').waitFor();
    await page.getByRole('button', { name: 'Show all tasks' }).click();
    await page.getByRole('link', { name: 'CSV import' }).click();
    const dialog = page.getByRole('dialog', { name: 'CSV import' });
    await dialog.getByText('Estimated hours').waitFor();
    await expectGoodLooks(page, 'portal-history-task', everyLook);
  });

  itAtFullSize('the dashboard shows why a request was rejected', async () => {
    const response = await fetch(`${sluice.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'gpt-of-nobody',
        task_id: taskId,
        messages: [{ role: 'user', content: 'Hi' }],
      }),
    });
    // safe because an error in OpenAI's format has both fields
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    const portal = createClient(portalRoutes, optionsOf(session));
    const listRefused = async () => (await portal.listUserLogs({ query: { status: 'refused' } })).length;
    await expect.poll(listRefused, { timeout: 15_000 }).toBe(1);
    await page.goto('/dashboard');
    const requests = page.getByRole('region', { name: 'Last requests' });
    await requests.getByText(`Refused · ${formatLabel(error.code)}`).waitFor();
    await requests.getByText(error.message).waitFor();
    await expectGoodLooks(page, 'portal-dashboard-refused', twoLooks);
  });

  itAtFullSize('a user adds a progress note to a task and completes it', async () => {
    await page.goto('/dashboard/tasks');
    const card = page.getByRole('article').filter({ hasText: 'Invoice parser' });
    await card.getByRole('button', { name: 'Add notes' }).click();
    await card.getByLabel('Progress notes').fill('Half of it parses');
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('Half of it parses').waitFor();
    await expectGoodLooks(page, 'portal-tasks', everyLook);
    await card.getByRole('button', { name: 'Complete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Complete' }).click();
    await card.getByText('Completed').waitFor();
    expect(await card.getByRole('button').count()).toBe(0);
  });

  itAtFullSize(
    'the API key page shows the masked key and offers only complete values for copying',
    async () => {
      await page.goto('/dashboard/api-keys');
      const panel = page.getByRole('region', { name: 'API key' });
      await panel.getByText('Active', { exact: true }).waitFor();
      expect(await panel.innerText()).not.toContain(apiKey);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const copied = new Map<string, string>();
      for (const button of await page.getByRole('button', { name: /^Copy/ }).all()) {
        const label = (await button.getAttribute('aria-label')) ?? (await button.innerText());
        await button.click();
        await page.getByText('Copied to clipboard!').first().waitFor();
        copied.set(label, await page.evaluate<string>('navigator.clipboard.readText()'));
      }
      expect(copied.get('Copy base URL')).toBe(`${sluice.url}/api/v1`);
      expect(copied.get('Copy key ID')).toMatch(/^\d+$/);
      expect([...copied].filter(([, text]) => text.includes('…') || text === '')).toEqual([]);
      await expectGoodLooks(page, 'portal-api-keys', everyLook);
    },
  );
});

describe('the profile', () => {
  itAtFullSize('the profile allows changing the name, but not the email address', async () => {
    await page.goto('/dashboard/profile');
    const panel = page.getByRole('region', { name: 'Personal information' });
    await panel.getByRole('button', { name: 'Edit' }).click();
    await panel.getByLabel('Name').fill(' ');
    await panel.getByRole('button', { name: 'Save Changes' }).click();
    await panel.getByText('Name is required').waitFor();
    expect(await panel.getByLabel('Email').isDisabled()).toBe(true);
    await panel.getByLabel('Name').fill('Noor H.');
    await panel.getByRole('button', { name: 'Save Changes' }).click();
    await panel.getByText('Noor H.').waitFor();
    await expectGoodLooks(page, 'portal-profile', everyLook);
    await createClient(usersRoutes, optionsOf(token)).updateUser({
      params: { id: userId },
      body: { name: 'Noor Haddad' },
    });
  });

  it('the profile checks a new password against the rules and keeps the session after the change', async () => {
    await page.goto('/dashboard/profile');
    const panel = page.getByRole('region', { name: 'Password' });
    const change = async (...texts: [string, string, string]) => {
      const labels = ['Current password', 'New password', 'Confirm new password'];
      for (const [index, label] of labels.entries()) {
        await panel.getByLabel(label, { exact: true }).fill(texts[index] ?? '');
      }
      await panel.getByRole('button', { name: 'Change Password' }).click();
    };
    await panel.getByRole('button', { name: 'Change Password' }).click();
    await change('', '', '');
    for (const words of [
      'Current password is required',
      'New password is required',
      'Please confirm your new password',
    ])
      await panel.getByText(words, { exact: true }).waitFor();
    await change(password, 'short', 'other');
    await panel.getByText('New password must be at least 6 characters').waitFor();
    await panel.getByText('Passwords do not match').waitFor();
    await change(password, password, password);
    await panel.getByText('New password must be different from current password').waitFor();
    await change('wrong password', 'new password of noor', 'new password of noor');
    await panel.getByText('Current password is incorrect').waitFor();
    await change(password, 'new password of noor', 'new password of noor');
    await page.getByText('Password changed successfully!').waitFor();
    session = await signIn({ ...sluice, email, password: 'new password of noor' });
    await page.goto('/dashboard/usage');
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
  });

  itAtFullSize('the profile lists the sessions of the user and ends all other sessions', async () => {
    await signIn({ ...sluice, email, password: 'new password of noor' });
    await page.goto('/dashboard/profile');
    const panel = page.getByRole('region', { name: 'Sessions' });
    await page.getByText('No other user has read your prompts.').waitFor();
    await panel.getByText('This session').waitFor();
    await panel.getByRole('button', { name: 'End all other sessions' }).click();
    await page.getByText('All other sessions ended').waitFor();
    await expect.poll(() => panel.getByRole('listitem').count()).toBe(1);
  });
});

describe('portal loading errors', () => {
  itSampled(3).each([
    ['/dashboard/tasks', '**/api/v1/user/tasks', 'Failed to load tasks. Please try again.'],
    ['/dashboard/history', '**/api/v1/user/tasks', /^Error loading request history: /],
    ['/dashboard/profile', '**/api/v1/user/profile', 'Error loading profile information'],
    ['/dashboard/usage', '**/api/v1/user/daily-usage*', 'Your usage could not be loaded'],
    ['/dashboard/api-keys', '**/api/v1/auth/api-keys', 'Your API key could not be loaded'],
  ] as const)('%s shows a loading error', async (path, address, words) => {
    await page.route(address, (route) => route.abort());
    await page.goto(path);
    await page.getByText(words).first().waitFor();
  });

  itAtFullSize('the portal tasks load after a retry', async () => {
    await page.route('**/api/v1/user/tasks', answer(500, { detail: 'The database is unavailable' }));
    await page.goto('/dashboard/tasks');
    await page.getByText('Failed to load tasks. Please try again.').waitFor();
    await page.unroute('**/api/v1/user/tasks');
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByRole('article').first().waitFor();
  });
});

itAtFullSize('a blocked user sees the block on the usage page', async () => {
  const { users } = callsAs(token, sluice);
  await users.blockUser({ params: { id: userId }, query: { reason: 'Stories on company time' } });
  // Signs in again, because blocking the user ended all sessions.
  await visitAs(await signIn({ ...sluice, email, password: 'new password of noor' }), { viewport });
  await page.goto('/dashboard');
  await page.getByText('Your account has been temporarily blocked due to policy violations.').waitFor();
  await page.goto('/dashboard/usage');
  await page.getByRole('region', { name: 'Account health' }).getByText('Blocked').waitFor();
  await users.unblockUser({ params: { id: userId } });
});
