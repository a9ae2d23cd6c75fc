import {
  chatsRoutes,
  createClient,
  llmProvidersRoutes,
  noChatTask,
  providerAccessRoutes,
  tasksRoutes,
} from '@sluice/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitAs } from './console.ts';
import { everyLook, expectGoodLooks } from './looks.ts';
import { callsAs } from './users-page.ts';
import { signIn } from './visit.ts';

const viewport = { width: 1440, height: 900 };
const password = 'password of mara';

startConsole();

const optionsOf = (bearer: string) => ({
  baseUrl: sluice.url,
  headers: () => ({ authorization: `Bearer ${bearer}` }),
});
const field = () => page.getByLabel('Message', { exact: true });
const list = () => page.getByRole('complementary');
const banner = () => page.getByRole('alert');
const openAs = (bearer: string) => visitAs(bearer, { viewport });

let instanceId: number;
beforeAll(async () => {
  const [instance] = await createClient(llmProvidersRoutes, optionsOf(token)).listLlmProviders();
  instanceId = instance?.id ?? 0;
});

async function addPerson(name: string, taskTitles: readonly string[]) {
  const email = `${name}@chat.test`;
  const { users } = callsAs(token, sluice);
  const { id } = await users.createUser({ body: { email, name, password, role_id: 3 } });
  await createClient(providerAccessRoutes, optionsOf(token)).grantUserAccess({
    body: { user_id: id, llm_provider_id: instanceId, allowed_models: ['sandbox-normal'] },
  });
  const tasks = createClient(tasksRoutes, optionsOf(token));
  for (const title of taskTitles) {
    const description = `${title}: read the file, parse it, and write tests for every odd line of it`;
    const { id: taskId } = await tasks.createTask({ body: { title, description } });
    await tasks.createTaskAssignment({ body: { task_id: taskId, user_id: id } });
  }
  return { id, session: await signIn({ ...sluice, email, password }) };
}

describe('opening the chat', () => {
  it('the sidebar opens the chat with the only active task', async () => {
    const { session } = await addPerson('one', ['Harbor report']);
    await openAs(session);
    await page.goto('/dashboard');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Chat' }).click();
    await page.getByRole('heading', { name: 'Harbor report' }).waitFor();
    expect(await banner().textContent()).toBe('');
    await expect.poll(() => field().isEnabled()).toBe(true);
  });

  itAtFullSize('the chat offers several active tasks and opens the selected one', async () => {
    const { session } = await addPerson('two', ['Lock survey', 'Tide tables']);
    await openAs(session);
    await page.goto('/chat');
    await page.getByRole('heading', { name: 'Choose a task to chat about' }).waitFor();
    expect(await banner().textContent()).toBe('');
    await expectGoodLooks(page, 'chat-picker', everyLook);
    await page.setViewportSize(viewport);
    await page.getByRole('button', { name: 'Tide tables' }).click();
    await page.getByRole('heading', { name: 'Tide tables' }).waitFor();
  });

  itAtFullSize('a user without an active task sees why the chat is empty', async () => {
    const { session } = await addPerson('none', []);
    await openAs(session);
    await page.goto('/chat?new=true');
    await banner().getByText(noChatTask, { exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await page.getByText('No active task').waitFor();
    await expectGoodLooks(page, 'chat-no-task', everyLook);
  });

  it('a blocked user can read chats and gets a link to the appeal', async () => {
    const { id, session } = await addPerson('blocked', ['Dredging']);
    await openAs(session);
    await page.goto('/chat');
    await field().fill('Is it deep enough?');
    await field().press('Enter');
    await page.getByRole('article').getByText('tokens').waitFor();
    await callsAs(token, sluice).users.blockUser({ params: { id }, query: { reason: 'Too many requests' } });
    // Signs in again, because blocking the user ended the session.
    await openAs(await signIn({ ...sluice, email: 'blocked@chat.test', password }));
    await page.goto('/chat');
    await list().getByRole('button', { name: 'Is it deep enough?' }).first().click();
    await page.getByText('You can read your chats, but cannot send messages.').waitFor();
    await page.getByText('Reason: Too many requests').waitFor();
    await page.getByRole('region', { name: 'Messages' }).getByText('Is it deep enough?').waitFor();
    expect(await field().count()).toBe(0);
    await expectGoodLooks(page, 'chat-blocked', everyLook);
    await page.getByRole('link', { name: 'Open the dashboard' }).click();
    await page.getByLabel('Appeal against the block').waitFor();
  });
});

describe('the list of chats', () => {
  itAtFullSize('chats are found by message text, renamed and pinned', async () => {
    const { session } = await addPerson('finder', ['Pilot notes']);
    const chats = createClient(chatsRoutes, optionsOf(session));
    await openAs(session);
    await page.goto('/chat');
    await field().fill('First line\nWhere is the wreck of the Batavia?');
    await field().press('Enter');
    await page.getByRole('article').getByText('tokens').waitFor();
    await page.getByLabel('Search chats').fill('BATAVIA');
    await list().getByText('of the Batavia?').waitFor();
    await expectGoodLooks(page, 'chat-found', everyLook);
    await page.setViewportSize(viewport);
    await page.getByLabel('Search chats').fill('no such text');
    await list().getByText('No chats match your search').waitFor();
    await page.getByLabel('Search chats').fill('');
    await list().getByRole('heading', { name: 'Today' }).waitFor();
    await list().getByRole('button', { name: 'More actions: First line' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('New title of First line').fill('Wrecks');
    await page.keyboard.press('Enter');
    await list().getByRole('button', { name: 'More actions: Wrecks' }).click();
    await page.getByRole('menuitem', { name: 'Pin', exact: true }).click();
    await list().getByRole('heading', { name: 'Pinned' }).waitFor();
    expect(await chats.listChats({ query: {} })).toMatchObject([{ title: 'Wrecks', is_pinned: true }]);
  });
});

describe('the message field', () => {
  it('a chat draft survives a reload and a visit to another page', async () => {
    const { session } = await addPerson('drafter', ['Buoys']);
    await openAs(session);
    await page.goto('/chat');
    await field().fill('Half a sentence about');
    await page.reload();
    await expect.poll(() => field().inputValue()).toBe('Half a sentence about');
    await page.goto('/dashboard');
    await page.goto('/chat');
    await expect.poll(() => field().inputValue()).toBe('Half a sentence about');
  });

  itAtFullSize(
    'shortcuts do nothing while a chat message is sent, and text typed while the answer streams is kept',
    async () => {
      await openAs(token);
      await page.goto('/chat?new=true');
      await expect.poll(() => page.url()).toMatch(/open=/);
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/api/v1/chats/send', async (route) => {
        await released;
        await route.continue();
      });
      await field().fill('Write a function');
      await field().press('Enter');
      await expect.poll(() => field().isDisabled()).toBe(true);
      const before = page.url();
      await page.keyboard.type('gu');
      await page.keyboard.type('?');
      expect(page.url()).toBe(before);
      expect(await page.getByRole('dialog').count()).toBe(0);
      release();
      await expect.poll(() => field().isEnabled()).toBe(true);
      await expect.poll(() => field().evaluate((element) => element.matches(':focus'))).toBe(true);
      await page.keyboard.type('And now?');
      await page.getByRole('article').getByText('tokens').waitFor();
      expect(await field().inputValue()).toBe('And now?');
    },
  );

  itAtFullSize('the chat search keeps the focus when an answer completes', async () => {
    await openAs(token);
    await page.goto('/chat?new=true');
    await expect.poll(() => page.url()).toMatch(/open=/);
    await field().fill('Write a function');
    await field().press('Enter');
    await page.getByLabel('Search chats').focus();
    await page.getByRole('article').getByText('tokens').waitFor();
    await expect.poll(() => field().isEnabled()).toBe(true);
    const search = page.getByLabel('Search chats');
    expect(await search.evaluate((element) => element.matches(':focus'))).toBe(true);
  });

  itAtFullSize(
    'a chat image remains attached when the model accepts no images, and a suitable model is offered',
    async () => {
      await openAs(token);
      await page.route('**/api/v1/models*', (route) =>
        route.fulfill({
          json: {
            object: 'list',
            data: [
              { id: 'text-only', object: 'model', created: 1, owned_by: 'a', input_modalities: ['text'] },
              { id: 'sees', object: 'model', created: 1, owned_by: 'a', input_modalities: ['text', 'image'] },
            ],
          },
        }),
      );
      await page.goto('/chat?new=true');
      await expect.poll(() => page.url()).toMatch(/open=/);
      const picture = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
        'base64',
      );
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: picture });
      await field().fill('What is this?');
      await page.getByText('text-only does not accept images.').waitFor();
      expect(await page.getByRole('list', { name: 'Attached images' }).getByText('dot.png').count()).toBe(1);
      expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
      await expectGoodLooks(page, 'chat-picture', everyLook);
      await page.setViewportSize(viewport);
      await page.getByRole('button', { name: 'Use sees' }).click();
      await expect.poll(() => page.getByRole('button', { name: 'Send', exact: true }).isEnabled()).toBe(true);
    },
  );
});

it('a chat answer is announced to screen readers once it is complete', async () => {
  await openAs(token);
  await page.goto('/chat?new=true');
  await expect.poll(() => page.url()).toMatch(/open=/);
  await field().fill('Write a function');
  await field().press('Enter');
  await page
    .getByRole('status')
    .getByText(/^Answer: \w/)
    .waitFor();
});
