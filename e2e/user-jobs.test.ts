import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  chatsRoutes,
  createClient,
  llmProvidersRoutes,
  providerAccessRoutes,
  tasksRoutes,
  tenantsRoutes,
} from '@sluice/contract';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { moveToPast } from '../server/test/database/move-to-past.ts';
import { sluice, startConsole, token } from './console.ts';
import { describeJobs } from './count-actions.ts';
import { continueToPayment, sendCard } from './signup-page.ts';
import { callsAs } from './users-page.ts';
import { signIn } from './visit.ts';

const password = 'password of a developer';

startConsole({ SLUICE_DEMO: '1' });

const optionsOf = (bearer: string) => ({
  baseUrl: sluice.url,
  headers: () => ({ authorization: `Bearer ${bearer}` }),
});

let people = 0;

async function addDeveloper(models: string[]) {
  const email = `developer.${++people}@northwind.dev`;
  const { users, apiKeys } = callsAs(token, sluice);
  const { id } = await users.createUser({
    body: { email, name: `Developer ${people}`, password, role_id: 3, daily_quota: 50_000 },
  });
  const [instance] = await createClient(llmProvidersRoutes, optionsOf(token)).listLlmProviders();
  await createClient(providerAccessRoutes, optionsOf(token)).grantUserAccess({
    body: { user_id: id, llm_provider_id: instance?.id ?? 0, allowed_models: models },
  });
  const tasks = createClient(tasksRoutes, optionsOf(token));
  const description = 'Write the parser of the CSV import and its tests';
  const task = await tasks.createTask({ body: { title: 'CSV import', description } });
  await tasks.createTaskAssignment({ body: { task_id: task.id, user_id: id } });
  const { api_key: apiKey } = await apiKeys.createUserApiKey({ params: { id } });
  return { id, email, taskId: task.id, apiKey };
}

const signInAs = (email: string) => signIn({ ...sluice, email, password });
const follow = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const message = (page: Page) => page.getByLabel('Message', { exact: true });

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

describeJobs('user', {
  'make a first call': async (open) => {
    const { email, apiKey } = await addDeveloper(['sandbox-normal']);
    const page = await open(null, '/');
    await page.getByRole('link', { name: 'Login' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await press(page, 'Sign in');
    await follow(page, 'API Keys');
    await press(page, 'Copy curl snippet');
    await page.getByText('Copied to clipboard!').waitFor();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    const env = { ...process.env, SLUICE_API_KEY: apiKey };
    const { stdout } = await promisify(execFile)('sh', ['-c', `${command} --silent --fail`], { env });
    expect(stdout).toMatch(/"role": ?"assistant"/);
  },

  'chat about a picture': async (open) => {
    const { email } = await addDeveloper(['sandbox-vision']);
    const page = await open(await signInAs(email), '/dashboard');
    await follow(page, 'Chat');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: /^Attach files/ }).click();
    await (await choosing).setFiles({ name: 'dot.png', mimeType: 'image/png', buffer: picture });
    await page.getByRole('list', { name: 'Attached images' }).getByText('dot.png').waitFor();
    await message(page).fill('What is this?');
    await page.keyboard.press('Enter');
    await page
      .getByRole('article')
      .getByText(/^[\d,]+ tokens$/)
      .waitFor();
    await page.getByRole('region', { name: 'Messages' }).getByRole('img').waitFor();
  },

  'find the chat of last week by its text': async (open) => {
    const { id, email, taskId } = await addDeveloper(['sandbox-normal']);
    const session = await signInAs(email);
    const chats = createClient(chatsRoutes, optionsOf(session));
    for (const content of [
      'Notes of the pilot\nWhere is the wreck of the Batavia?',
      'How deep is the harbor?',
    ]) {
      const { id: chat_id } = await chats.createChat({ body: { task_id: taskId } });
      await chats.sendChatMessage({ body: { chat_id, content } });
    }
    await moveToPast(sluice.databaseUrl, id, 7);
    const page = await open(session, '/dashboard');
    await follow(page, 'Chat');
    await page.getByLabel('Search chats').fill('batavia');
    const list = page.getByRole('complementary');
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
    await list.getByText('7d', { exact: true }).waitFor();
    await list.getByRole('button', { name: /^Notes of the pilot .*Batavia/ }).click();
    const thread = page.getByRole('region', { name: 'Messages' });
    await thread.getByText(/Where is the wreck of the Batavia/).waitFor();
  },

  'sign up': async (open) => {
    const email = `grace-${++people}@hopper.test`;
    const page = await open(null, '/');
    await page.getByRole('banner').getByRole('link', { name: 'Sign up' }).click();
    await page.getByLabel('Full Name').fill('Grace Hopper');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('cobol-1959');
    await page.getByLabel('Confirm Password').fill('cobol-1959');
    await page.getByRole('radio', { name: /^Pro/ }).click();
    await continueToPayment(page);
    await sendCard(page, '4242 4242 4242 4242');
    await page.getByText(`${email} can sign in now.`).waitFor();
    await page.getByRole('link', { name: 'Continue to Login' }).click();
    await page.getByLabel('Password', { exact: true }).fill('cobol-1959');
    await press(page, 'Sign in');
    await page.getByRole('region', { name: 'First steps' }).waitFor();
    const tenants = createClient(tenantsRoutes, optionsOf(token));
    expect(await tenants.listTenants({ query: { search: 'Hopper' } })).toMatchObject([{ status: 'trial' }]);
  },
});
