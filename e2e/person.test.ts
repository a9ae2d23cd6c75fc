import { apiKeysRoutes, createClient, tasksRoutes, teamsRoutes } from '@sluice/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { answer, callsAs, openUsers, rowOf } from './users-page.ts';

startConsole();

let maraId = 0;

beforeAll(async () => {
  const options = { baseUrl: sluice.url, headers: () => ({ authorization: `Bearer ${token}` }) };
  const { id } = await callsAs(token, sluice).users.createUser({
    body: { name: 'Mara Lind', email: 'mara@northwind.dev', password: 'secret1', role_id: 3 },
  });
  maraId = id;
  const teams = createClient(teamsRoutes, options);
  const team = await teams.createTeam({ body: { name: 'Ledger' } });
  await teams.addTeamMember({ params: { id: team.id }, body: { user_id: id, role: 'admin' } });
  const tasks = createClient(tasksRoutes, options);
  await tasks.createTask({
    body: { title: 'Port the parser', description: 'Port the parser to the new grammar' },
  });
  const { api_key } = await createClient(apiKeysRoutes, options).createUserApiKey({ params: { id } });
  await fetch(`${sluice.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-normal', messages: [{ role: 'user', content: 'Hello' }] }),
  });
});

visitConsole({ viewport: { width: 1440, height: 900 } });

const details = () => page.getByRole('dialog', { name: 'User details' });
const section = (name: string) => details().getByRole('region', { name, exact: true });

describe('user details', () => {
  it('user details open by URL, and show limits, teams, models and rejected requests', async () => {
    await openUsers(page, `?user=${maraId}`);
    await details().getByRole('heading', { name: 'Mara Lind' }).waitFor();
    expect(new URL(page.url()).searchParams.get('open')).toBe(String(maraId));
    await section('Usage').getByText('0 of 1,000 tokens').waitFor();
    expect(await section('Usage').getByText('Resets').count()).toBe(3);
    await section('Teams').getByRole('link', { name: 'Ledger' }).waitFor();
    await section('Models').getByText('The gateway would refuse every model.').waitFor();
    await section('Recent requests')
      .getByText(/^Refused · /)
      .waitFor();
    await section('Recent requests').getByRole('listitem').getByRole('link').click();
    await page.getByRole('dialog', { name: 'Log Details' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/logs');
  });

  itAtFullSize('user details open from a log row, and close by Escape', async () => {
    await page.goto('/admin/logs');
    await page.locator('tbody').getByRole('link', { name: 'Mara Lind' }).first().click();
    await details().getByRole('heading', { name: 'Mara Lind' }).waitFor();
    await page.keyboard.press('Escape');
    await details().waitFor({ state: 'detached' });
  });

  itAtFullSize('user details show which parts failed to load, and load them after a retry', async () => {
    const address = `**/api/v1/admin/users/${maraId}/standing`;
    await page.route(address, answer(500, { detail: 'The database is unavailable' }));
    await openUsers(page, `?open=${maraId}`);
    await details()
      .getByText('Error loading the activity of the user: The database is unavailable')
      .waitFor();
    await section('Account').getByText('Never').waitFor();
    await page.unroute(address);
    await details().getByRole('button', { name: 'Try Again' }).click();
    await section('Teams').waitFor();
  });

  itAtFullSize('user details of an unknown user show an error', async () => {
    await openUsers(page, '?user=2000000');
    await details().getByText('User not found').waitFor();
  });
});

describe('the list of users', () => {
  it('the user list shows scores, filters by them, and counts pending items in its tabs', async () => {
    await openUsers(page);
    expect(await rowOf(page, 'Mara Lind').getByText('0.00').count()).toBeGreaterThan(0);
    await page.getByRole('tab', { name: /^Invitations \(\d+\)$/ }).waitFor();
    await page.getByRole('tab', { name: /^Appeals \(\d+\)$/ }).waitFor();
    await openUsers(page, '?score=high');
    await page.getByText('No users found').waitFor();
  });
});

itAtFullSize("figures that cannot be loaded show an error, and load after 'Try Again'", async () => {
  const address = '**/api/v1/admin/blacklist/summary';
  await page.route(address, answer(500, { detail: 'The database is unavailable' }));
  await page.goto('/admin/blacklist');
  await page.getByText('Error loading the figures of the blacklist: The database is unavailable').waitFor();
  await page.unroute(address);
  await page.getByRole('button', { name: 'Try Again' }).click();
  await page.getByRole('region', { name: 'Blacklist statistics' }).waitFor();
});

itAtFullSize(
  'the log on a phone has facets and columns and fits, and the audit log names its time zone',
  async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/admin/logs');
    await page.getByRole('button', { name: 'Facets' }).click();
    await page.getByRole('region', { name: 'Facets' }).waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('dialog').filter({ hasText: 'Request ID' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.goto('/admin/audit-log');
    await page.getByText('Dates and times are in UTC.').waitFor();
  },
);
