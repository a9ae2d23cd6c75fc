import { apiKeysRoutes, createClient, llmProvidersRoutes, providerAccessRoutes } from '@sluice/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { chooseOption } from './select-field.ts';
import { drawer, impactAddress, openTasks, taskAddress, taskCallsAs, tasksAddress } from './tasks-page.ts';
import { act, actFromMenu, answer, callsAs, pick, rowOf } from './users-page.ts';

let calls: ReturnType<typeof taskCallsAs>;

startConsole();
beforeAll(async () => {
  calls = taskCallsAs(token, sluice);
});

visitConsole({ viewport: { width: 1440, height: 820 } });
beforeEach(async () => {
  for (const { id } of await calls.listTasks({ query: {} })) await calls.deleteTask({ params: { id } });
});

let count = 0;
async function addUser(name: string) {
  const body = { email: `user-${count++}@northwind.dev`, name, password: 'secret1', role_id: 3 };
  return callsAs(token, sluice).users.createUser({ body });
}

const addTask = (fields: Partial<Parameters<typeof calls.createTask>[0]['body']> = {}) =>
  calls.createTask({
    body: { title: 'Payment service', description: 'Keep the payments flowing', ...fields } as never,
  });

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const toast = (text: string) => page.getByText(text, { exact: true }).waitFor();
const counts = () => page.getByRole('region', { name: 'Tasks by status' }).textContent();

describe('creating a task', () => {
  it('creating a task works by keyboard alone, and starts with the default limits', async () => {
    await openTasks(page);
    await page.getByRole('button', { name: 'Create Task' }).first().focus();
    await page.keyboard.press('Enter');
    const form = dialog('Create Task');
    await form.getByLabel('Title').waitFor();
    expect(await form.getByLabel('Token limit').inputValue()).toBe('10,000');
    expect(await form.getByLabel('Max tokens per request').inputValue()).toBe('1,000');
    expect(await form.getByLabel('Category').inputValue()).toBe('Coding');
    await page.keyboard.type('Payment service');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Keep the payments flowing');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    for (let step = 0; step < 12 && (await form.count()) > 0; step++) {
      const focused = await page.evaluate('document.activeElement?.textContent');
      if (focused === 'Create Task') await page.keyboard.press('Enter');
      else await page.keyboard.press('Tab');
    }
    await toast('Payment service was created');
    expect(await rowOf(page, 'Payment service').textContent()).toContain('10,000');
    await expect.poll(counts).toBe('Total1Active1Inactive0');
  });

  itAtFullSize('creating a task shows an error at each invalid field', async () => {
    await openTasks(page);
    await page.getByRole('button', { name: 'Create Task' }).first().click();
    const form = dialog('Create Task');
    const submit = () => form.getByRole('button', { name: 'Create Task' }).click();
    await submit();
    await form.getByText('Title is required').waitFor();
    await form.getByText('Description is required').waitFor();
    await form.getByLabel('Title').fill('ab');
    await form.getByLabel('Description').fill('too short');
    await form.getByLabel('Estimated hours').fill('1001');
    await form.getByLabel('Token limit').fill('999');
    await form.getByLabel('Max tokens per request').fill('99');
    await submit();
    for (const text of [
      'Title must be at least 3 characters',
      'Description must be at least 10 characters',
      'Estimated hours cannot exceed 1000',
      'Token limit must be at least 1,000',
      'Per-request limit must be at least 100',
    ])
      await form.getByText(text).waitFor();
    await form.getByLabel('Title').fill('abc');
    await form.getByLabel('Description').fill('long enough');
    await form.getByLabel('Estimated hours').fill('1');
    await form.getByLabel('Token limit').fill('1000');
    await form.getByLabel('Max tokens per request').fill('1001');
    await submit();
    await form.getByText('Per-request limit cannot exceed total token limit').waitFor();
  });

  itAtFullSize('creating a task for API access requires a user, who gets unlimited tokens', async () => {
    await addUser('Noor Al-Amin');
    await openTasks(page);
    await page.getByRole('button', { name: 'Create Task' }).first().click();
    const form = dialog('Create Task');
    await form.getByText('API Access Task', { exact: true }).click();
    await form.getByRole('button', { name: 'Create Task' }).click();
    await form.getByText('Please select a user for API access').waitFor();
    await pick(form.getByRole('combobox', { name: 'User' }), 'Noor Al-Amin');
    await form.getByRole('button', { name: 'Create Task' }).click();
    await toast('API access of Noor Al-Amin was created');
    expect(await rowOf(page, 'API access of Noor Al-Amin').count()).toBe(0);
    await page.getByLabel('API access tasks').check();
    const row = await rowOf(page, 'API access of Noor Al-Amin').textContent();
    expect(row).toContain('API access · ');
    expect(row).toContain('Unlimited');
    expect(row).toContain('1 user');
  });
});

itAtFullSize('task filters are kept in the URL, survive a reload and are cleared together', async () => {
  await addTask();
  await addTask({ title: 'User manual', category: 'documentation', difficulty_level: 'advanced' });
  await openTasks(page);
  await chooseOption(page, 'Category', 'Documentation');
  await chooseOption(page, 'Difficulty', 'Advanced');
  await page.getByLabel('Search tasks').fill('manual');
  await page.waitForURL(/filter=manual/);
  expect(page.url()).toContain('category=documentation');
  await page.reload();
  await rowOf(page, 'User manual').waitFor();
  expect(await rowOf(page, 'Payment service').count()).toBe(0);
  await page.getByRole('radio', { name: 'Inactive' }).check({ force: true });
  await page.getByText('No tasks found. Create your first task to get started.').waitFor();
  await page.getByRole('button', { name: 'Clear Filters' }).first().click();
  await rowOf(page, 'Payment service').waitFor();
  expect(new URL(page.url()).search).toBe('');
});

it('editing a task sends only the changed fields, and the status switch applies immediately', async () => {
  await addTask();
  await openTasks(page);
  await actFromMenu(page, 'Edit', 'Payment service');
  const form = dialog('Edit Task');
  await form.getByLabel('Token limit').fill('50000');
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await form.getByRole('button', { name: 'Update Task' }).click();
  expect((await sent).postDataJSON()).toEqual({ token_limit: 50_000 });
  await toast('Payment service was updated');
  await actFromMenu(page, 'Deactivate', 'Payment service');
  await toast('Payment service is inactive');
  await expect.poll(counts).toBe('Total1Active0Inactive1');
  await actFromMenu(page, 'Activate', 'Payment service');
  await toast('Payment service is active');
});

itAtFullSize('sample prompts are scored against the edited fields of a task', async () => {
  await openTasks(page);
  await page.getByRole('button', { name: 'Create Task' }).first().click();
  const form = dialog('Create Task');
  await form
    .getByRole('textbox', { name: 'Prompts' })
    .fill('Fix the bug in this TypeScript function\nWrite a poem about my cat');
  const verdicts = form.getByRole('list', { name: 'Rehearsed prompts' }).getByRole('listitem');
  await expect
    .poll(() => verdicts.allTextContents())
    .toEqual([expect.stringMatching(/Fits.*Coding/), expect.stringMatching(/Off task.*Off topic/)]);
  expect(await verdicts.first().locator('mark').count()).toBeGreaterThan(0);
  await chooseOption(form, 'Category', 'Documentation');
  await verdicts.first().getByText('other category').waitFor();
});

describe('users of a task', () => {
  it('users are assigned to a task, listed with their usage, replaced and removed', async () => {
    const [maya, jonas] = [await addUser('Maya Ortiz'), await addUser('Jonas Weber')];
    const blocked = await addUser('Ida Blocked');
    await callsAs(token, sluice).users.blockUser({ params: { id: blocked.id }, query: { reason: 'a test' } });
    await addTask();
    await openTasks(page);
    await act(page, 'Assign', 'Payment service');
    const form = dialog(/^Assign Task/);
    await form.getByRole('button', { name: 'Assign Task' }).click();
    await form.getByText('Please select a user').waitFor();
    const field = form.getByRole('combobox', { name: 'User' });
    await field.fill('ida');
    await page.getByRole('paragraph').filter({ hasText: 'No available users found' }).waitFor();
    await field.fill(maya.email);
    await page.getByRole('option', { name: /Maya Ortiz/ }).click();
    await form.getByLabel('Progress notes').fill('Begins with refunds');
    await form.getByRole('button', { name: 'Assign Task' }).click();
    await toast('Maya Ortiz is assigned to Payment service');

    await askAs(maya.id);
    await actFromMenu(page, 'View assignments', 'Payment service');
    await drawer(page).getByText('Begins with refunds').waitFor();
    await expect
      .poll(async () => {
        await page.reload();
        return drawer(page).getByRole('listitem').textContent();
      })
      .toContain('1 request, last');

    await drawer(page).getByRole('button', { name: 'Reassign' }).click();
    const again = dialog(/^Reassign Task/);
    await again.getByRole('combobox', { name: 'User' }).fill(jonas.email);
    await page.getByRole('option', { name: /Jonas Weber/ }).click();
    expect(await again.getByLabel('Instead of').inputValue()).toBe('Maya Ortiz');
    await again.getByRole('button', { name: 'Reassign Task' }).click();
    await toast('Jonas Weber is assigned to Payment service instead of Maya Ortiz');
    const listed = await calls.listTaskAssignments({ query: { status: 'active' } });
    expect(listed.map(({ user_id }) => user_id)).toEqual([jonas.id]);

    await actFromMenu(page, 'Unassign', 'Jonas Weber');
    await dialog(/^Unassign Jonas Weber/)
      .getByRole('button', { name: 'Unassign' })
      .click();
    await toast('Jonas Weber was unassigned from Payment service');
    await page.getByRole('button', { name: 'Assign: Payment service' }).waitFor();
  });
});

async function askAs(userId: number): Promise<void> {
  const options = { baseUrl: sluice.url, headers: () => ({ authorization: `Bearer ${token}` }) };
  const [instance] = await createClient(llmProvidersRoutes, options).listLlmProviders();
  const model = instance?.enabled_models[0] ?? '';
  await createClient(providerAccessRoutes, options).grantUserAccess({
    body: { user_id: userId, llm_provider_id: instance?.id ?? 0, allowed_models: [model] },
  });
  const { api_key: apiKey } = await createClient(apiKeysRoutes, options).createUserApiKey({
    params: { id: userId },
  });
  await expect
    .poll(async () => {
      const response = await fetch(`${sluice.url}/api/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
      });
      return response.status;
    })
    .toBe(200);
}

describe('deleting a task', () => {
  it('deleting a task names the affected users and unassigns them', async () => {
    const maya = await addUser('Maya Ortiz');
    const task = await addTask();
    await calls.createTaskAssignment({ body: { task_id: task.id, user_id: maya.id } });
    await openTasks(page);
    let impactCount = 0;
    await page.route(impactAddress, (route) => {
      impactCount++;
      return route.fallback();
    });
    await actFromMenu(page, 'Delete', 'Payment service');
    const question = dialog('Delete Payment service?');
    await question.getByText('1 active assignment ends').waitFor();
    await question.getByText(maya.email).waitFor();
    await question.getByText('Its users have 10,000 unused tokens.').waitFor();
    await question.getByRole('button', { name: 'Delete Task & Unassign User(s)' }).click();
    await toast('Payment service was deleted');
    await page.getByText('No tasks found. Create your first task to get started.').waitFor();
    const [ended] = await calls.listTaskAssignments({ query: { user_id: maya.id } });
    expect(ended?.status).toBe('cancelled');
    // A second request would return 404, which the page would report as a failure.
    expect(impactCount).toBe(1);
    expect(await page.getByText('Failed to check deletion impact').count()).toBe(0);
  });

  itAtFullSize(
    'deleting a task shows an error if the impact cannot be loaded or the deletion fails',
    async () => {
      await addTask();
      await page.route(impactAddress, answer(500, { detail: 'away' }), { times: 1 });
      await page.route(taskAddress, answer(500, { detail: 'away' }));
      await openTasks(page);
      await actFromMenu(page, 'Delete', 'Payment service');
      await toast('Failed to check deletion impact. Please try again.');
      await dialog('Delete Payment service?').waitFor({ state: 'detached' });
      await actFromMenu(page, 'Delete', 'Payment service');
      await press('Delete Task & Unassign User(s)');
      await toast('Failed to delete task. Please try again.');
      await dialog('Delete Payment service?').waitFor();
    },
  );
});

itAtFullSize('a task list that cannot be loaded is replaced by the error', async () => {
  await page.route(tasksAddress, answer(500, { detail: 'The database is unavailable' }));
  await page.goto('/admin/tasks');
  await page.getByText('Error loading tasks: The database is unavailable').waitFor();
  expect(await page.getByRole('table').count()).toBe(0);
});
