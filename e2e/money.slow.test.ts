import {
  apiKeysRoutes,
  createClient,
  firstStepsRoutes,
  llmProvidersRoutes,
  logsRoutes,
  portalRoutes,
  providerAccessRoutes,
  tasksRoutes,
  teamsRoutes,
  usersRoutes,
} from '@sluice/contract';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitAs, visitConsole } from './console.ts';
import { everyLook, expectGoodLooks } from './looks.ts';
import { chooseOption } from './select-field.ts';
import { answer } from './users-page.ts';
import { signIn } from './visit.ts';

const viewport = { width: 1440, height: 900 };
const model = 'sandbox-normal';
const password = 'password of ann';

startConsole();

const optionsOf = (bearer: string) => ({
  baseUrl: sluice.url,
  headers: () => ({ authorization: `Bearer ${bearer}` }),
});

let teamId: number;
let ann: { id: number; apiKey: string };

async function addSender(name: string, email: string, requests: number) {
  const admin = optionsOf(token);
  const { id } = await createClient(usersRoutes, admin).createUser({
    body: { email, name, password, role_id: 3, daily_quota: 100_000, monthly_quota: 1_000_000 },
  });
  await createClient(teamsRoutes, admin).addTeamMember({ params: { id: teamId }, body: { user_id: id } });
  await createClient(tasksRoutes, admin).createTask({ body: { is_dummy_task: true, user_id: id } });
  const { api_key: apiKey } = await createClient(apiKeysRoutes, admin).createUserApiKey({ params: { id } });
  for (let sent = 0; sent < requests; sent++) {
    const response = await fetch(`${sluice.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Write a function that sorts' }] }),
    });
    expect(response.status, await response.text()).toBe(200);
  }
  return { id, apiKey };
}

beforeAll(async () => {
  const admin = optionsOf(token);
  const [instance] = await createClient(llmProvidersRoutes, admin).listLlmProviders();
  teamId = (await createClient(teamsRoutes, admin).createTeam({ body: { name: 'Research' } })).id;
  await createClient(providerAccessRoutes, admin).grantTeamAccess({
    body: { team_id: teamId, llm_provider_id: instance?.id ?? 0, allowed_models: [model] },
  });
  ann = await addSender('Ann Spender', 'ann@northwind.dev', 4);
  await addSender('Ben Saver', 'ben@northwind.dev', 1);
  const logs = createClient(logsRoutes, admin);
  const countRequests = async () => (await logs.getLogTotals({ query: { team_id: teamId } })).requests;
  await vi.waitFor(async () => expect(await countRequests()).toBe(5), 30_000);
});

const isSetUp = async () => {
  const admin = optionsOf(token);
  const steps = await createClient(firstStepsRoutes, admin).getFirstSteps();
  await page.route(
    '**/api/v1/admin/first-steps',
    answer(200, {
      ...steps,
      providers: ['Sandbox'],
      connection_tested_at: '2026-11-03T09:00:00.000Z',
    }),
  );
};

describe('costs', () => {
  visitConsole({ viewport });
  beforeEach(async () => {
    await page.setViewportSize(viewport);
    await isSetUp();
  });

  it('totals of the log follow its filters and match the API', async () => {
    const logs = createClient(logsRoutes, optionsOf(token));
    const status = page.getByRole('status', { name: 'Totals' });
    await page.goto('/admin/logs');
    await chooseOption(page, 'Team', 'Research');
    await status.getByText('5 requests').waitFor();
    const totals = await logs.getLogTotals({ query: { team_id: teamId } });
    expect(await status.innerText()).toContain(`${totals.total_tokens} tokens`);
    await page.goto('/admin/logs?filter=team%3AResearch%20user%3Aben');
    await status.getByText('1 request', { exact: true }).waitFor();
  });

  it('the lists of users, teams, tasks and models have a cost column that sorts', async () => {
    for (const [path, label] of [
      ['/admin/users', 'Users'],
      ['/admin/teams', 'Teams'],
      ['/admin/tasks?api=true', 'Tasks'],
      ['/admin/llm-providers?tab=models', 'Models'],
    ] as const) {
      await page.goto(path);
      const table = page.locator(`table[aria-label="${label}"][aria-busy="false"]`);
      await table.waitFor();
      await table.getByRole('columnheader', { name: 'Cost' }).getByRole('button').click();
      await expect.poll(() => page.url()).toContain('sort=');
    }
  });

  itAtFullSize('the overview shows cost, top users and health, and fits the screen', async () => {
    await page.goto('/admin');
    await page.getByRole('region', { name: 'Top models' }).getByText(model).waitFor();
    await page
      .getByRole('region', { name: 'Provider health' })
      .getByText(/of 5 requests failed/)
      .waitFor();
    await expectGoodLooks(page, 'money-overview', everyLook);
    await page.setViewportSize(viewport);
    await page.getByRole('button', { name: 'Call this gateway' }).click();
    await page
      .getByRole('dialog', { name: 'Call this gateway' })
      .getByRole('button', { name: 'Copy Base URL' })
      .waitFor();
  });

  itAtFullSize('the checklist is never shown while the overview loads', async () => {
    const gate = Promise.withResolvers<void>();
    await page.route('**/api/v1/admin/first-steps', async (route) => {
      await gate.promise;
      await route.fallback();
    });
    await page.goto('/admin');
    await page.getByRole('heading', { name: /^Welcome/ }).waitFor();
    expect(await page.getByText('First steps').count()).toBe(0);
    gate.resolve();
    await page.getByRole('region', { name: 'Top users' }).waitFor();
    expect(await page.getByText('First steps').count()).toBe(0);
  });

  itSampled(2).each([1280, 1440])(
    'names in lists with cost columns have more than 120 px at a window width of %i px',
    async (width) => {
      const leastPx = 120;
      await page.setViewportSize({ ...viewport, width });
      for (const path of ['/admin/users', '/admin/teams', '/admin/tasks?api=true']) {
        await page.goto(path);
        await page.locator('table[aria-busy="false"]').first().waitFor();
        const name = page.locator('tr[data-row] a').first();
        expect((await name.locator('xpath=ancestor::td').boundingBox())?.width, path).toBeGreaterThan(
          leastPx,
        );
        await page.getByRole('columnheader', { name: 'Cost this month', exact: true }).waitFor();
      }
    },
  );

  itSampled(2).each([
    ['logs', '/admin/logs', '5 requests'],
    ['analytics', '/admin/analytics', 'Total Cost'],
    ['users', '/admin/users', 'last month'],
    ['teams', '/admin/teams', 'last month'],
    ['tasks', '/admin/tasks?api=true', 'last month'],
    ['models', '/admin/llm-providers?tab=models', 'last month'],
  ])('the page of %s with its cost is accessible and fits', async (name, path, label) => {
    await page.goto(path);
    await page.getByText(label).filter({ visible: true }).first().waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    await expectGoodLooks(page, `money-${name}`, everyLook);
  });

  itSampled(2).each([
    ['user-drawer', () => `/admin/users?open=${ann.id}`, 'Cost of Ann Spender'],
    ['team-drawer', () => `/admin/teams?open=${teamId}`, 'Cost of Research'],
  ])('the %s with its cost is accessible and fits', async (name, pathOf, label) => {
    await page.goto(pathOf());
    await page.getByRole('region', { name: label }).getByText('This month').waitFor();
    await expectGoodLooks(page, `money-${name}`, everyLook);
  });
});

describe('money in the portal', () => {
  it('a user sees their cost today and this month, their remaining tokens, and the reset time', async () => {
    const session = await signIn({ ...sluice, email: 'ann@northwind.dev', password });
    await visitAs(session, { viewport });
    const { spend_usd_month: month } = await createClient(portalRoutes, optionsOf(session)).getUserStats();
    expect(month).toBeGreaterThan(0);
    for (const path of ['/dashboard', '/dashboard/usage']) {
      await page.goto(path);
      const money = page.getByRole('region', { name: 'Cost and remaining tokens' });
      await money
        .getByText(/at your average price/)
        .first()
        .waitFor();
      const text = await money.innerText();
      expect(text).toMatch(/about \$[\d.,]+ at your average price, until \w+ \d+/);
      expect(text.match(/\$0\.0\d+/g)?.length).toBeGreaterThanOrEqual(2);
      await expectGoodLooks(page, `money-portal${path.replaceAll('/', '-')}`, everyLook);
    }
  });
});
