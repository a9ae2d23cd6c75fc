import { createClient, userRole, usersRoutes } from '@sluice/contract';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, takeProblems, token, visitAs } from './console.ts';
import { signIn } from './visit.ts';

const dark = { bg: 'rgb(15, 19, 21)' };
const light = { bg: 'rgb(246, 247, 247)' };
const person = { email: 'noor@example.com', password: 'noor-password', name: 'Noor Al-Amin' };

let userToken: string;

startConsole();
beforeAll(async () => {
  const options = { baseUrl: sluice.url, headers: () => ({ authorization: `Bearer ${token}` }) };
  await createClient(usersRoutes, options).createUser({
    body: { ...person, role_id: userRole.id },
  });
  userToken = await signIn({ ...sluice, ...person });
});

async function open(path: string, session: string, options: BrowserContextOptions = {}): Promise<void> {
  await visitAs(session, options);
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

const backgroundOf = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');

/** Returns code that measures the milliseconds until the page of a sidebar item is shown. */
const goTo = (label: string, heading: string) => `(async () => {
  const link = [...document.querySelectorAll('nav a')].find((item) => item.textContent === '${label}');
  const started = performance.now();
  link.click();
  while (!document.querySelector('h1').textContent.startsWith('${heading}')) {
    await new Promise(requestAnimationFrame);
  }
  return Math.round(performance.now() - started);
})()`;

async function choose(page: Page, choice: string) {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitemradio', { name: choice }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

describe('the theme', () => {
  itAtFullSize(
    'the chosen theme applies from the first paint, regardless of the system setting',
    async () => {
      await open('/admin', token, { colorScheme: 'light' });
      await expect.poll(() => backgroundOf(page)).toBe(light.bg);
      await choose(page, 'Theme: Dark');
      await expect.poll(() => backgroundOf(page)).toBe(dark.bg);

      // Without the console's code, the page remains at its first paint.
      await page.route('**/assets/*.js', (route) => route.abort());
      await page.goto('/admin/users');
      await expect.poll(() => backgroundOf(page)).toBe(dark.bg);
      expect(await page.locator('#root').innerHTML()).toBe('');
    },
  );

  itAtFullSize('the theme follows the system again when System is chosen', async () => {
    await open('/admin', token, { colorScheme: 'dark' });
    await choose(page, 'Theme: Light');
    await expect.poll(() => backgroundOf(page)).toBe(light.bg);
    await choose(page, 'Theme: System');
    await page.reload();
    await expect.poll(() => backgroundOf(page)).toBe(dark.bg);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(() => backgroundOf(page)).toBe(light.bg);
  });

  it('the row height is kept after a reload', async () => {
    await open('/admin/users', token);
    const rowHeight = () =>
      page.evaluate<string>("getComputedStyle(document.documentElement).getPropertyValue('--row-height')");
    await expect.poll(rowHeight).toBe('36px');
    await choose(page, 'Rows: Compact');
    await expect.poll(rowHeight).toBe('28px');
    await page.reload();
    await expect.poll(rowHeight).toBe('28px');
  });
});

describe('the sidebar', () => {
  itAtFullSize('the sidebar collapses to icons with tooltips, by keyboard, and stays collapsed', async () => {
    await open('/admin', token);
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    const widthOf = async () => Math.round((await sidebar.boundingBox())?.width ?? 0);
    await expect.poll(widthOf).toBe(231);
    await page.getByRole('button', { name: 'Collapse sidebar' }).press('Enter');
    await expect.poll(widthOf).toBe(55);
    await page.reload();
    await page.getByRole('button', { name: 'Expand sidebar' }).waitFor();
    await expect.poll(widthOf).toBe(55);

    const users = sidebar.getByRole('link', { name: 'Users' });
    await users.focus();
    await page.getByRole('tooltip', { name: 'Users' }).waitFor();
    await users.press('Enter');
    await page.getByRole('heading', { name: 'User Management' }).waitFor();
  });

  it('the sidebar shows only the portal to users without administration rights', async () => {
    await open('/dashboard', userToken);
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()).toEqual([
      'Dashboard',
      'Usage',
      'Task History',
      'My Tasks',
      'API Keys',
      'Profile',
      'Chat',
    ]);
    await page.getByRole('button', { name: 'Account menu' }).click();
    const items = page.getByRole('menu').getByRole('menuitem');
    await items.first().waitFor();
    expect(await items.allInnerTexts()).toEqual([expect.stringMatching('Keyboard shortcuts'), 'Logout']);
  });

  it('the sidebar lists the pages in order, system pages last', async () => {
    await open('/admin', token);
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()).toEqual([
      'Overview',
      'Users',
      'Teams',
      'Provider Access',
      'Blacklist',
      'Budgets',
      'Service accounts',
      'Management tokens',
      'LLM Comparison',
      'Tasks',
      'LLM Providers',
      'Tenant Credits',
      'Statements',
      'Webhook Monitoring',
      'System Logs',
      'Analytics',
      'Shadow runs',
      'Settings',
      'Identity providers',
      'Audit log',
      'Outbox',
      'Status',
    ]);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL('/admin/settings');
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Open the portal' }).click();
    await page.waitForURL('/dashboard');
  });
});

describe('going to another page', () => {
  itAtFullSize('navigation moves the focus to the heading of the page and sets the tab title', async () => {
    await open('/admin', token);
    await expect.poll(() => page.title()).toBe('Overview · Sluice');
    await page.getByRole('link', { name: 'System Logs', exact: true }).first().press('Enter');
    await page.locator('h1:focus', { hasText: 'System Logs' }).waitFor();
    await expect.poll(() => page.title()).toBe('System Logs · Sluice');
    await page.goBack();
    await page.locator('h1:focus', { hasText: 'Welcome' }).waitFor();
  });

  itAtFullSize('navigation closes the drawer on a phone, and moves the focus', async () => {
    await open('/admin', token, { viewport: { width: 390, height: 780 } });
    const opener = page.getByRole('button', { name: 'Open navigation' });
    await opener.press('Enter');
    await page.getByRole('dialog').getByRole('link', { name: 'Users' }).press('Enter');
    await page.locator('h1:focus', { hasText: 'User Management' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.locator('h1:focus').count()).toBe(1);

    await opener.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await opener.and(page.locator(':focus')).waitFor();
  });

  itAtFullSize('navigation loads no code after the console has prefetched it', async () => {
    await open('/admin', token);
    await page.mouse.move(600, 400);
    await page.waitForFunction(() =>
      ['users', 'logs', 'settings'].every((name) =>
        performance.getEntriesByType('resource').some((entry) => entry.name.includes(`/assets/${name}-`)),
      ),
    );
    await page.waitForLoadState('networkidle');
    const fetched: string[] = [];
    page.on('request', (request) => request.url().endsWith('.js') && fetched.push(request.url()));

    const durationsMs: Record<string, number> = {};
    for (const [label, heading] of [
      ['Users', 'User Management'],
      ['System Logs', 'System Logs'],
      ['Overview', 'Welcome'],
    ] as const) {
      durationsMs[label] = await page.evaluate<number>(goTo(label, heading));
    }
    console.log('warm route changes, ms:', durationsMs);
    expect(fetched).toEqual([]);
  });
});

describe('missing pages and connection failures', () => {
  itAtFullSize('an unknown URL shows an error inside the layout, with a link back', async () => {
    await open('/admin/nowhere', token);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).waitFor();
    await page.getByRole('link', { name: 'Go to your home page' }).click();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  });

  it('an unreachable gateway leaves the page visible, and the page refreshes when the gateway responds again', async () => {
    await open('/admin/logs', token);
    await page.locator('table[aria-busy="false"]').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Refresh' }).click();
    const notice = page.getByText('You are offline.');
    await notice.waitFor();
    await page.getByRole('table', { name: 'Requests' }).waitFor();

    await page.context().setOffline(false);
    const refreshed = page.waitForResponse((response) => response.url().includes('/admin/logs'));
    await refreshed;
    await notice.waitFor({ state: 'detached' });
  });

  itAtFullSize(
    'a single request without a response shows an error and is not repeated automatically',
    async () => {
      let calls = 0;
      await visitAs(token);
      await page.route('**/api/v1/admin/audit-log?*', (route) => {
        calls++;
        return route.abort();
      });
      const probed = page.waitForResponse((response) => response.url().endsWith('/healthz'));
      await page.goto('/admin/audit-log');
      await page.getByRole('alert').waitFor();
      await probed;
      const callsThen = calls;
      // Intentional delay: repeated requests would be sent after a second.
      await page.waitForTimeout(1_500);
      expect(calls).toBe(callsThen);
      await page.getByRole('alert').waitFor();
      for (const problem of takeProblems()) expect(problem).toContain('Failed to fetch');
    },
  );

  itAtFullSize(
    'an unreachable gateway at startup shows an error, and the page retries automatically',
    async () => {
      await visitAs(token);
      await page.route('**/api/v1/auth/me', (route) => route.abort());
      await page.goto('/admin');
      await page.getByRole('heading', { name: 'The gateway cannot be reached' }).waitFor();
      await page.unroute('**/api/v1/auth/me');
      await page.getByRole('heading', { name: 'Welcome' }).waitFor();
      for (const problem of takeProblems()) expect(problem).toContain('Failed to fetch');
    },
  );
});

it('installation banners appear on pages of the console and of the portal', async () => {
  await visitAs(token);
  const told = {
    id: 'ledger',
    severity: 'error',
    message: 'The books disagree.',
    raised_at: '2026-01-01T00:00:00Z',
  };
  await page.route('**/api/v1/status', (route) =>
    route.fulfill({ json: { version: '1', build: null, banners: [told] } }),
  );
  for (const path of ['/admin', '/admin/users', '/dashboard']) {
    await page.goto(path);
    await page.getByRole('status').getByText('The books disagree.').waitFor();
  }
});
