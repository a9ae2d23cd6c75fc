import { beforeAll, describe, expect } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { busyDay, openCockpit } from './overview-page.ts';
import { callsAs } from './users-page.ts';

startConsole();
beforeAll(async () => {
  const { users } = callsAs(token, sluice);
  const person = { name: 'Noor Al-Amin', email: 'noor@northwind.dev', password: 'secret-1', role_id: 3 };
  const { id } = await users.createUser({ body: person });
  await users.blockUser({ params: { id }, query: { reason: 'Shared the key' } });
});

visitConsole({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

/** Runs in the browser. Links in running text may be as low as a line. */
const findSmallTargets = `(() => {
  const leastPx = 44;
  const pressed = 'button, [role=button], [role=tab], [role=menuitem], [role=option], [role=switch], input, select, textarea, summary, a[href]';
  // A row is pressed anywhere, and the way past the header is for keyboards.
  const ignored = 'tr a, a[href="#content"], .visually-hidden, .visually-hidden *, [tabindex="-1"][aria-hidden=true]';
  const sizeOf = (element) => {
    const rects = [element, ...(element.labels ?? [])].map((box) => box.getBoundingClientRect());
    return [Math.max(...rects.map(({ width }) => width)), Math.max(...rects.map(({ height }) => height))];
  };
  return [...document.querySelectorAll(pressed)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(ignored))
    .filter((one) => !(one.matches('a[href]') && getComputedStyle(one).display === 'inline'))
    .map((one) => ({ one, size: sizeOf(one) }))
    .filter(({ size: [width, height] }) => width > 1 && Math.min(width, height) < leastPx - 0.5)
    .map(({ one, size }) => \`\${one.tagName} \${one.ariaLabel ?? one.textContent} \${one.className} \${size}\`);
})()`;

/** Runs in the browser. The count changes when the opened part has rendered. */
const countTargets = 'document.querySelectorAll("button, a[href], input").length';

const screens = [
  '/admin',
  '/admin/users',
  '/admin/users?tab=invitations',
  '/admin/users?tab=appeals',
  '/admin/teams',
  '/admin/provider-access',
  '/admin/provider-access?tab=summary',
  '/admin/blacklist',
  '/admin/budgets',
  '/admin/statements',
  '/admin/service-accounts',
  '/admin/management-tokens',
  '/admin/tasks',
  '/admin/logs',
  '/admin/audit-log',
  '/admin/outbox',
  '/admin/shadow-runs',
  '/admin/settings',
  '/dashboard',
  '/dashboard/usage',
  '/dashboard/history',
  '/dashboard/tasks',
  '/dashboard/api-keys',
  '/dashboard/profile',
  '/admin/users?open=1',
];

describe('touch targets', () => {
  itSampled(8).each(screens)('touch targets on %s are large enough', async (path) => {
    await page.goto(path);
    await page.locator('main h1').first().waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    expect(await page.evaluate(findSmallTargets)).toEqual([]);
  });

  itSampled(6).each<[name: string, path: string, open: () => Promise<void>]>([
    ['the account menu', '/admin', () => page.getByRole('button', { name: 'Account menu' }).click()],
    [
      'the menu of a row',
      '/admin/users',
      () =>
        page
          .getByRole('button', { name: /^More actions/ })
          .first()
          .click(),
    ],
    [
      'the query of the log',
      '/admin/logs',
      () => page.getByPlaceholder(/^status:error/).fill('status:error'),
    ],
    ['the columns of the log', '/admin/logs', () => page.getByRole('button', { name: 'Columns' }).click()],
    ['the views of the log', '/admin/logs', () => page.getByRole('button', { name: 'Views' }).click()],
    ['the palette', '/admin', () => page.keyboard.press('Control+k')],
  ])('touch targets of %s are large enough', async (_, path, open) => {
    await page.goto(path);
    await page.locator('h1').first().waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    const before = await page.evaluate<number>(countTargets);
    await open();
    await expect.poll(() => page.evaluate(countTargets)).not.toBe(before);
    expect(await page.evaluate(findSmallTargets)).toEqual([]);
  });

  itAtFullSize('touch targets on the overview of a tenant that is set up are large enough', async () => {
    await openCockpit(page, busyDay);
    await page.getByRole('region', { name: 'Top users' }).getByRole('link').first().waitFor();
    expect(await page.evaluate(findSmallTargets)).toEqual([]);
  });

  itSampled(6).each([
    ['/admin/users', '+ Create User'],
    ['/admin/users', '+ Invite User'],
    ['/admin/teams', 'Create Team'],
    ['/admin/tasks', 'Create Task'],
    ['/admin/provider-access', 'Grant Access'],
    ['/admin/blacklist', 'Add to Blacklist'],
  ])('touch targets in the dialog opened on %s by %s are large enough', async (path, name) => {
    await page.goto(path);
    await page.getByRole('button', { name, exact: true }).first().click();
    await page.getByRole('dialog').getByRole('button').first().waitFor();
    expect(await page.evaluate(findSmallTargets)).toEqual([]);
  });
});
