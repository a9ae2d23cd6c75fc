import { chat } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { everyLook, expectGoodLooks } from './looks.ts';
import { chooseOption } from './select-field.ts';
import { answer } from './users-page.ts';

startConsole();
visitConsole({ viewport: { width: 1440, height: 900 } });

const field = () => page.getByLabel('Message', { exact: true });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const send = () => page.getByRole('button', { name: 'Send', exact: true });
const thread = () => page.getByRole('region', { name: 'Messages' });
const banner = () => page.getByRole('alert');

async function openNewChat(): Promise<void> {
  await page.goto('/chat?new=true');
  await expect.poll(() => page.url()).toMatch(/open=/);
  expect(page.url()).not.toMatch(/new=/);
}

describe('a chat', () => {
  it('a chat sends on Enter, breaks the line on Shift+Enter, shows the answer and gets a title', async () => {
    await openNewChat();
    expect(await send().isDisabled()).toBe(true);
    await chooseOption(page, 'Model', 'sandbox-normal');
    await field().fill('How do retries');
    await field().press('Shift+Enter');
    await field().pressSequentially('end?');
    await field().press('Enter');
    await thread().getByRole('article').getByText('tokens').waitFor();
    expect(await thread().getByText('How do retries\nend?').count()).toBe(1);
    await page
      .getByRole('complementary')
      .getByRole('button', { name: 'How do retries', exact: false })
      .first()
      .waitFor();
    expect(await field().inputValue()).toBe('');
    expect(await field().isDisabled()).toBe(false);
    await expectGoodLooks(page, 'chat', everyLook);
  });

  itAtFullSize(
    'a printed chat shows long lines of code and wide tables in full, and no buttons',
    async () => {
      await openNewChat();
      await chooseOption(page, 'Model', 'sandbox-echo');
      const cells = Array.from({ length: 12 }, (_, place) => `column${place}`.repeat(3));
      const table = `| ${cells.join(' | ')} |\n|${' - |'.repeat(cells.length)}`;
      await field().fill(`\`\`\`\n${'word '.repeat(80)}\n\`\`\`\n\n${table}`);
      await field().press('Enter');
      await thread().getByRole('article').getByRole('table').waitFor();
      await thread().getByRole('article').getByText('tokens').waitFor();
      await page.emulateMedia({ media: 'print' });
      const wide = await thread()
        .locator('pre, div')
        .evaluateAll((parts) => parts.filter((part) => part.scrollWidth > part.clientWidth + 1).length);
      expect(wide).toBe(0);
      expect(await page.getByRole('main').getByRole('button').filter({ visible: true }).count()).toBe(0);
      await page.emulateMedia({ media: 'screen' });
    },
  );

  it('a chat continues after a reload during an answer, loses no text, and can be stopped', async () => {
    await openNewChat();
    await chooseOption(page, 'Model', 'sandbox-slow');
    await field().fill('Tell me something long');
    await field().press('Enter');
    const said = () => thread().getByRole('article').locator('p').first();
    await expect
      .poll(() =>
        said()
          .textContent()
          .catch(() => ''),
      )
      .toMatch(/\w/);
    const before = (await said().textContent()) ?? '';
    await page.reload();
    await expect
      .poll(() =>
        said()
          .textContent()
          .catch(() => ''),
      )
      .toContain(before.trim().split(' ')[0]);
    const stop = page.getByRole('button', { name: 'Stop', exact: true });
    if (await stop.count()) await stop.click();
    await stop.waitFor({ state: 'detached' });
    expect(await field().isDisabled()).toBe(false);
    expect((await said().textContent())?.startsWith(before)).toBe(true);
  });

  itAtFullSize('a chat is found by its title, and archiving it clears the view', async () => {
    await openNewChat();
    const list = page.getByRole('complementary');
    await page.getByLabel('Search chats').fill('no such chat');
    await list.getByText('No chats match your search').waitFor();
    await page.getByLabel('Search chats').fill('new');
    await list.getByRole('button', { name: 'Archive New chat' }).first().click();
    await expect.poll(() => page.url()).not.toMatch(/open=/);
  });
});

describe('chat errors are shown in a banner that can be dismissed', () => {
  const cases = [
    ['Failed to load chats', '**/api/v1/chats', '/chat'],
    ['Failed to load or create chat', '**/api/v1/chats/new', '/chat?new=true'],
    ['Failed to load task and chat', '**/api/v1/chats/task/**', '/chat?task=7'],
    [
      'Failed to load chat messages',
      '**/api/v1/chats/*-*-*-*',
      '/chat?open=019a0000-0000-7000-8000-000000000001',
    ],
  ] as const;

  itSampled(3).each(cases)('the chat shows a banner: %s', async (text, address, path) => {
    await page.route(address, answer(500, { detail: 'Something went wrong.' }));
    await page.goto(path);
    await banner().getByText(text, { exact: true }).waitFor();
    await press('Dismiss');
    await banner().getByText(text, { exact: true }).waitFor({ state: 'detached' });
  });

  it("the chat shows 'Failed to send message' and restores the text", async () => {
    await openNewChat();
    await page.route('**/api/v1/chats/send', answer(429, { detail: 'The limit is used up.' }));
    await field().fill('Hello there');
    await send().click();
    await banner().getByText('Failed to send message', { exact: true }).waitFor();
    await banner().getByText('The limit is used up.').waitFor();
    await expect.poll(() => field().inputValue()).toBe('Hello there');
  });

  itAtFullSize("the chat shows 'Failed to archive chat'", async () => {
    await openNewChat();
    await page.route('**/api/v1/chats/*-*-*-*', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 500, json: { detail: 'Something went wrong.' } })
        : route.fallback(),
    );
    await page.getByRole('button', { name: 'Archive New chat' }).first().click();
    await banner().getByText('Failed to archive chat', { exact: true }).waitFor();
  });
});

it('the chat disables sending when the task has no tokens left', async () => {
  const context = {
    title: 'Retry',
    description: 'Safely',
    category: 'coding',
    token_limit: 9,
    remaining_tokens: 0,
  };
  await page.route('**/api/v1/chats/task/7/context', answer(200, context));
  const created = await fetch(`${sluice.url}/api/v1/chats/new`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  await page.route(
    '**/api/v1/chats/task/7',
    answer(200, { ...chat.parse(await created.json()), task_id: 7 }),
  );
  await page.goto('/chat?task=7');
  await page.getByRole('heading', { name: 'Retry' }).waitFor();
  await page.getByText('0 tokens left').waitFor();
  await field().fill('Hello');
  await page.getByTitle('No tokens remaining').waitFor();
  expect(await send().isDisabled()).toBe(true);
});
