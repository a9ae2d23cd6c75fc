import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createClient, llmProvidersRoutes, providerAccessRoutes, tasksRoutes } from '@sluice/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { browser, page, sluice, startConsole, token, visitAs } from './console.ts';
import { everyLook, expectGoodLooks, twoLooks } from './looks.ts';
import { chooseOption, readOptions } from './select-field.ts';
import { answer, callsAs } from './users-page.ts';
import { holding, signIn, visit } from './visit.ts';

const viewport = { width: 1440, height: 820 };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const person = { email: 'noor.haddad@northwind.dev', password: 'password of noor' };
const models = ['sandbox-normal', 'sandbox-echo'];

let apiKey: string;
let session: string;

startConsole();

const optionsOf = (bearer: string) => ({
  baseUrl: sluice.url,
  headers: () => ({ authorization: `Bearer ${bearer}` }),
});

beforeAll(async () => {
  const { users, apiKeys } = callsAs(token, sluice);
  const { id } = await users.createUser({ body: { ...person, name: 'Noor Haddad', role_id: 3 } });
  const [instance] = await createClient(llmProvidersRoutes, optionsOf(token)).listLlmProviders();
  await createClient(providerAccessRoutes, optionsOf(token)).grantUserAccess({
    body: { user_id: id, llm_provider_id: instance?.id ?? 0, allowed_models: models },
  });
  const tasks = createClient(tasksRoutes, optionsOf(token));
  for (const title of ['CSV import', 'Invoice parser']) {
    const task = await tasks.createTask({
      body: { title, description: `${title}: write it, and its tests` },
    });
    await tasks.createTaskAssignment({ body: { task_id: task.id, user_id: id } });
  }
  apiKey = (await apiKeys.createUserApiKey({ params: { id } })).api_key;
  session = await signIn({ ...sluice, ...person });
});
beforeEach(() => visitAs(session, { viewport }));

const run = async (program: string, args: readonly string[]) =>
  (await promisify(execFile)(program, args, { env: { ...process.env, SLUICE_API_KEY: apiKey } })).stdout;

describe('the snippets of the API key page', () => {
  const section = () => page.getByRole('region', { name: 'Make a call' });
  const shown = (language: string) => section().getByRole('tabpanel', { name: language }).innerText();
  const open = async (client: string, language: string) => {
    await page.goto('/dashboard/api-keys');
    await section().getByText(client, { exact: true }).click();
    await section().getByRole('tab', { name: language }).click();
    return shown(language);
  };

  itSampled(2).each(['OpenAI', 'Anthropic'])(
    'API key snippets work unchanged with the client %s',
    async (client) => {
      const curl = await open(client, 'curl');
      expect(curl).not.toContain('slc_');
      expect(await run('sh', ['-c', `${curl} --silent --fail`])).toMatch(/"role": ?"assistant"/);
      const program = await open(client, 'TypeScript');
      await run(process.execPath, ['--input-type=module-typescript', '-e', program]);
      expect(await open(client, 'Python')).toContain(`import ${client}`);
      await section().getByRole('button', { name: 'Copy Python snippet' }).click();
      await page.getByText('Copied to clipboard!').waitFor();
    },
  );

  itAtFullSize('API key snippets offer the models and tasks that the user may use', async () => {
    await open('OpenAI', 'curl');
    expect((await readOptions(page, 'Model')).sort()).toEqual(models.toSorted());
    await chooseOption(page, 'Model', 'sandbox-echo');
    await chooseOption(page, 'Task', 'Invoice parser');
    await expect.poll(() => shown('curl')).toContain('sandbox-echo');
    await expectGoodLooks(page, 'portal-snippets', everyLook);
  });
});

it('a new user gets from the home page through the sign-in to docs with a permitted model, and to the API key page', async () => {
  await visitAs(null, { viewport });
  await page.goto('/');
  await page.getByRole('link', { name: 'Make a first call' }).click();
  await page.getByText('ask an administrator of this gateway to invite you').waitFor();
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Docs', level: 1 }).waitFor();
  const shown = async () => /"model":"([^"]+)"/.exec(await page.locator('pre').nth(1).innerText())?.[1];
  await expect.poll(async () => models.includes((await shown()) ?? '')).toBe(true);
  await page.getByRole('link', { name: 'Your key' }).click();
  await page.getByRole('heading', { name: 'API Keys' }).waitFor();
});

describe('preferences', () => {
  it('preferences apply in another browser of the same user', async () => {
    await page.goto('/dashboard/profile');
    const panel = page.getByRole('region', { name: 'Appearance and time' });
    await panel.getByText('Dark', { exact: true }).click();
    await panel.getByText('Compact', { exact: true }).click();
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
    await panel.getByRole('combobox', { name: 'Time zone' }).fill('Auckland');
    await page.getByRole('option', { name: /Auckland/ }).click();
    await saved;
    const other = await visit(browser, sluice, { ...holding(session, sluice), colorScheme: 'light' });
    await other.page.goto('/dashboard/history');
    await other.page.locator('html[data-mantine-color-scheme="dark"][data-density="compact"]').waitFor();
    const row = other.page.locator('tr[data-row]').first();
    const heightOf = async () => (await row.boundingBox())?.height ?? 0;
    const compactPx = await heightOf();
    await other.page.goto('/dashboard');
    await other.page
      .getByRole('region', { name: 'Limits' })
      .getByText(/Resets .* GMT\+1[23]/)
      .first()
      .waitFor();
    await other.page.goto('/dashboard/profile');
    const there = other.page.getByRole('region', { name: 'Appearance and time' });
    await there.getByText('Comfortable', { exact: true }).click();
    await there.getByText('System', { exact: true }).click();
    await other.page.locator('html[data-mantine-color-scheme="light"]').waitFor();
    await other.page.goto('/dashboard/history');
    expect(await heightOf()).toBeGreaterThan(compactPx);
    await other.end();
  });

  itAtFullSize(
    'preferences that the server did not save show an error and apply in this browser',
    async () => {
      await page.route('**/api/v1/user/preferences', answer(500, { detail: 'The database is unavailable' }));
      await page.goto('/dashboard/profile');
      await page
        .getByRole('region', { name: 'Appearance and time' })
        .getByText('Compact', { exact: true })
        .click();
      await page.getByText('Not saved on the server. The change applies to this browser only').waitFor();
      await page.locator('html[data-density="compact"]').waitFor();
    },
  );
});

it('the data export of a user is a single file with profile, API keys, tasks and chats, without the secret of the key', async () => {
  await page.goto('/dashboard/profile');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export my data' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^sluice-my-data-\d{4}-\d\d-\d\d\.json$/);
  const text = await readFile(await download.path(), 'utf8');
  const data: unknown = JSON.parse(text);
  expect(data).toMatchObject({
    profile: { email: person.email },
    api_keys: [{}],
    tasks: [{}, {}],
    chats: [],
  });
  expect(text).not.toContain(apiKey);
  await page.getByText(`Saved as ${download.suggestedFilename()}`).waitFor();
});

describe('the forecast', () => {
  const forecast = {
    used: 20_000,
    limit: 30_000,
    reaches_on: '2030-11-28',
    earliest: '2030-11-26',
    latest: '2030-11-30',
    last_day: '2030-11-30',
    used_by_end: 33_000,
    error: 0.21,
    learned_days: 28,
  };
  const said = (text: string) => page.getByRole('region', { name: 'Forecast' }).getByText(text);

  itAtFullSize('the forecast shows when the quota is reached, the certainty, and the method', async () => {
    await page.route('**/api/v1/user/forecast', answer(200, { forecast, hidden_because: null }));
    for (const path of ['/dashboard/usage', '/dashboard']) {
      await page.goto(path);
      await said('At this pace you reach your monthly quota on Thursday, Nov 28.').waitFor();
      await said('At the earliest on Tuesday, Nov 26, at the latest on Saturday, Nov 30.').waitFor();
    }
    await page.getByRole('button', { name: 'How the forecast is calculated' }).focus();
    await page.getByText(/Based on your usage in the last 28 days/).waitFor();
    await expectGoodLooks(page, 'portal-forecast', everyLook);
  });

  itAtFullSize('the forecast is hidden if there is not enough data', async () => {
    const asked = page.waitForResponse('**/api/v1/user/forecast');
    await page.goto('/dashboard');
    expect(await (await asked).json()).toEqual({ forecast: null, hidden_because: 'too_few_days' });
    await page.getByRole('region', { name: 'Limits' }).getByText('Tokens this month').waitFor();
    expect(await page.getByRole('region', { name: 'Forecast' }).count()).toBe(0);
  });
});

describe('on a phone', () => {
  beforeEach(() => visitAs(session, phone));
  const tabs = () => page.getByRole('navigation', { name: 'Tabs' });

  itAtFullSize('the portal is navigated by tabs at the bottom on a phone', async () => {
    await page.goto('/dashboard');
    const names = () => tabs().locator('a, button').allInnerTexts();
    await expect.poll(names).toEqual(['Dashboard', 'Tasks', 'Chat', 'Usage', 'More']);
    expect(await page.getByRole('button', { name: 'Open navigation' }).count()).toBe(0);
    await tabs().getByRole('link', { name: 'Usage' }).tap();
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
    expect(await tabs().locator('[aria-current="page"]').innerText()).toBe('Usage');
    await tabs().getByRole('button', { name: 'More' }).tap();
    await page.getByRole('dialog').getByRole('link', { name: 'API Keys' }).tap();
    await page.getByRole('heading', { name: 'API Keys' }).waitFor();
  });

  const pages = ['', '/usage', '/history', '/tasks', '/api-keys', '/profile'].map(
    (end) => `/dashboard${end}`,
  );
  itSampled(4).each([...pages, '/chat'])('the bottom tabs cover no content of %s', async (path) => {
    await page.goto(path);
    await page.locator('main h1').first().waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    const bar = await tabs().boundingBox();
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBe(phone.viewport.height);
    const tabHeights = await tabs()
      .locator('a, button')
      .evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).map(({ height, width }) => Math.min(height, width)),
      );
    expect(Math.min(...tabHeights)).toBeGreaterThanOrEqual(44);
    const findLowest = () =>
      page.evaluate(
        `scrollTo(0, document.documentElement.scrollHeight), Math.max(...[...document.querySelectorAll('main *')].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().bottom))`,
      );
    await expect.poll(findLowest).toBeLessThanOrEqual(bar?.y ?? 0);
  });

  itAtFullSize('an administrator on a phone gets a navigation drawer in the console', async () => {
    await visitAs(token, phone);
    await page.goto('/admin');
    await page.getByRole('button', { name: 'Open navigation' }).waitFor();
    expect(await tabs().count()).toBe(0);
  });
});

itAtFullSize('the profile with preferences and data export is accessible and fits', async () => {
  await page.goto('/dashboard/profile');
  await page.getByRole('region', { name: 'Appearance and time' }).waitFor();
  await page
    .getByRole('region', { name: 'Appearance and time' })
    .getByText('System', { exact: true })
    .click();
  await expectGoodLooks(page, 'portal-profile-preferences', everyLook);
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  await expectGoodLooks(page, 'portal-profile-export', twoLooks);
});
