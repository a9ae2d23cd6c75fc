import { createClient, invitationsRoutes, teamsRoutes } from '@sluice/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { describeTask } from './tasks-page.ts';
import { answer, describePerson, listAddress } from './users-page.ts';

startConsole();

beforeAll(async () => {
  const options = { baseUrl: sluice.url, headers: () => ({ authorization: `Bearer ${token}` }) };
  await createClient(teamsRoutes, options).createTeam({ body: { name: 'Data platform' } });
  await createClient(invitationsRoutes, options).createInvitation({
    body: { email: 'grace.hopper@northwind.example', role: 'user' },
  });
});

const tasksAddress = /\/api\/v1\/admin\/tasks(\?|$)/;
const spend = { spend_usd_today: 0.42, spend_usd_month: 128.4, spend_usd_last_month: 1204.55 };

const lists = [
  '/admin/users',
  '/admin/users?tab=invitations',
  '/admin/teams',
  '/admin/tasks',
  '/admin/tenant-credits',
  '/admin/llm-providers?tab=registry',
  '/admin/outbox',
];

/** Runs in the browser. Finds the texts that a cell cuts off. */
const findCutTexts = `[...document.querySelectorAll('td, td *, th, th *')]
  .filter((one) => one.clientWidth > 1 && getComputedStyle(one).overflowX !== 'visible')
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent)`;

describe.each([1280, 1440])('lists at %i px', (width) => {
  visitConsole({ viewport: { width, height: 820 }, reducedMotion: 'reduce' });

  itSampled(5, Number(width === 1440)).each(lists)('%s truncates no text of typical length', async (path) => {
    const person = describePerson(7, 'Bartholomew Castro', {
      current_daily_usage: 18_989,
      current_monthly_usage: 982_338,
      ...spend,
    });
    const task = describeTask(3, 'Cover the scheduler with tests', {
      assigned_users_count: 15,
      total_requests: 1204,
      has_assignments: true,
      token_limit: 1_000_000,
      ...spend,
    });
    await page.route(listAddress, answer(200, [person]));
    await page.route(tasksAddress, answer(200, [task]));
    await page.goto(path);
    await page.locator('table[aria-busy="false"] tr[data-row]').first().waitFor();
    expect(await page.evaluate(findCutTexts)).toEqual([]);
  });
});

/** Lists whose rows have a second button, which the specification requires. */
const listsWithNamedButton = ['/admin/users', '/admin/tenant-credits'];

describe('actions of rows', () => {
  visitConsole({ viewport: { width: 1440, height: 820 } });

  it.each(lists)('a row of %s shows its most frequent actions and a menu', async (path) => {
    await page.route(listAddress, answer(200, [describePerson(7, 'Bartholomew Castro')]));
    await page.route(tasksAddress, answer(200, [describeTask(3, 'Cover the scheduler with tests')]));
    await page.goto(path);
    const row = page.locator('table[aria-busy="false"] tr[data-row]').first();
    await row.waitFor();
    const names = await row
      .locator('td')
      .last()
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? ''));
    expect(names.length).toBe(listsWithNamedButton.includes(path) ? 3 : 2);
    expect(names.at(-1)).toMatch(/^More actions: /);
  });
});

describe('a user with a high score', () => {
  visitConsole({ viewport: { width: 1280, height: 820 } });

  it.each([390, 1280, 1440])('the list of users shows a high score once at %i px', async (width) => {
    await page.setViewportSize({ width, height: 820 });
    await page.route(listAddress, answer(200, [describePerson(7, 'Cleo Brandt', { deviation_score: 0.79 })]));
    await page.goto('/admin/users');
    const scores = page.getByText('0.79 of 1').filter({ visible: true });
    await scores.first().waitFor();
    expect(await scores.count()).toBe(1);
  });
});

describe('lists on a phone', () => {
  visitConsole({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  const filters = () => page.getByRole('button', { name: 'Filters', exact: true });

  itSampled(3).each([
    ['/admin/logs', 'Model'],
    ['/admin/audit-log', 'Actor'],
    ['/admin/analytics', 'Team'],
  ])('%s on a phone shows its filters after a click', async (path, field) => {
    await page.goto(path);
    const choice = page.getByLabel(field, { exact: true }).first();
    await filters().waitFor();
    expect(await choice.isVisible()).toBe(false);
    await filters().click();
    await choice.waitFor();
    await page.getByRole('button', { name: 'Hide filters' }).click();
    await choice.waitFor({ state: 'hidden' });
  });

  itAtFullSize('a list on a phone shows its filters without a click if one is active', async () => {
    await page.goto('/admin/analytics?user=1');
    await page.getByLabel('User', { exact: true }).first().waitFor();
    expect(await filters().count()).toBe(0);
  });

  itAtFullSize('the pager of a list on a phone stays on one line', async () => {
    await page.goto('/admin/outbox');
    const pager = page.getByRole('navigation', { name: 'Pages' });
    const buttons = pager.getByRole('button', { name: /page/i });
    await buttons.last().waitFor();
    const tops = (await buttons.all()).map(async (one) => (await one.boundingBox())?.y);
    expect(new Set(await Promise.all(tops)).size).toBe(1);
  });
});
