import { createClient, signInsRoutes } from '@sluice/contract';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize, sample } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, takeProblems, token, visitAs } from './console.ts';
import { findSeriousFaults, saveScreenshot } from './looks.ts';
import { callsAs } from './users-page.ts';
import { signIn } from './visit.ts';

startConsole();

interface OpenForm {
  readonly name: string;
  open(page: Page): Promise<void>;
  input(page: Page): Locator;
  submit(page: Page): Locator;
  /** Changed for each test, because an unchanged form cannot be saved. */
  value: string;
  /** Text shown after a successful save. */
  readonly saved: string;
}

const inDialog = (dialog: string, label: string, button: string) => ({
  input: (on: Page) => on.getByRole('dialog', { name: dialog }).getByLabel(label),
  submit: (on: Page) => on.getByRole('dialog', { name: dialog }).getByRole('button', { name: button }),
});

const forms: readonly OpenForm[] = [
  {
    name: 'a dialog of the console',
    ...inDialog('Create Team', 'Team Name', 'Create Team'),
    value: 'Interrupted team',
    saved: 'Interrupted team',
    async open(on) {
      await on.goto('/admin/teams');
      await on.getByRole('button', { name: 'Create Team' }).first().click();
      await this.input(on).fill(this.value);
    },
  },
  {
    name: 'a page of the console',
    input: (on) => on.getByRole('textbox', { name: 'Name', exact: true }),
    submit: (on) => on.getByRole('button', { name: 'Save changes' }),
    value: 'Interrupted tenant',
    saved: 'Settings saved',
    async open(on) {
      await on.goto('/admin/settings');
      await this.input(on).fill(this.value);
    },
  },
  {
    name: 'a page of the portal',
    input: (on) => on.getByRole('region', { name: 'Personal information' }).getByLabel('Name'),
    submit: (on) => on.getByRole('button', { name: 'Save Changes' }),
    value: 'Interrupted name',
    saved: 'Interrupted name',
    async open(on) {
      await on.goto('/dashboard/profile');
      await on.getByRole('button', { name: 'Edit' }).click();
      await this.input(on).fill(this.value);
    },
  },
];

const dialog = () => page.getByRole('dialog', { name: 'Sign in to continue' });
const shell = () => page.getByRole('banner').first();

async function signInAgain(email = sluice.email, password = sluice.password) {
  await dialog().getByLabel('Email').fill(email);
  await dialog().getByRole('textbox', { name: 'Password' }).fill(password);
  await dialog().getByRole('button', { name: 'Sign in' }).click();
}

async function expireSession() {
  const held = await page.evaluate(() => localStorage.getItem('auth_token'));
  const headers = { authorization: `Bearer ${held}` };
  await createClient(signInsRoutes, { baseUrl: sluice.url, headers: () => headers }).logout();
}

async function expectSaved(form: OpenForm) {
  await form.submit(page).click();
  await page.getByText(form.saved).first().waitFor();
}

beforeEach(async () => visitAs(await signIn(sluice)));

describe.each(sample(forms, 3))('$name with input', (form) => {
  beforeEach(() => {
    form.value += '.';
    return form.open(page);
  });

  it('a form keeps its input while offline, reports the failure, and can be saved afterwards', async () => {
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await form.submit(page).click();
    await page
      .getByText(/\(?you are offline\)?/)
      .first()
      .waitFor();
    expect(await form.input(page).inputValue()).toBe(form.value);
    await shell().waitFor();
    await saveScreenshot(page, `offline-${forms.indexOf(form)}`);
    await page.context().setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
    await expectSaved(form);
  });

  it('a form keeps its input when the session expires, and can be saved after signing in again', async () => {
    await expireSession();
    await form.submit(page).click();
    await dialog().getByText('Your session has ended.').waitFor();
    expect(new URL(page.url()).pathname).not.toBe('/login');
    await saveScreenshot(page, `session-${forms.indexOf(form)}`);
    expect(await findSeriousFaults(page)).toEqual([]);
    await signInAgain();
    await dialog().waitFor({ state: 'detached' });
    expect(await form.input(page).inputValue()).toBe(form.value);
    await expectSaved(form);
  });

  itAtFullSize(
    'a form is hidden when another tab signs out, and is shown with its input when the other tab signs in',
    async () => {
      const other = await page.context().newPage();
      await other.goto('/admin');
      await other.getByRole('button', { name: 'Logout' }).click();
      await other.waitForURL('/login');
      await dialog().getByText('You signed out in another tab.').waitFor();
      await saveScreenshot(page, `signed-out-${forms.indexOf(form)}`);
      await other.getByLabel('Email').fill(sluice.email);
      await other.getByRole('textbox', { name: 'Password' }).fill(sluice.password);
      await other.getByRole('button', { name: 'Sign in' }).click();
      await other.waitForURL('/admin');
      await dialog().waitFor({ state: 'detached' });
      expect(await form.input(page).inputValue()).toBe(form.value);
      await expectSaved(form);
    },
  );
});

it('the offline banner appears once the server is unreachable, not when the browser goes offline', async () => {
  await page.goto('/admin/teams');
  await page.getByRole('button', { name: 'Create Team' }).first().waitFor();
  const isAnswered = page.waitForResponse('**/healthz');
  await page.evaluate(`Object.defineProperty(navigator, 'onLine', { get: () => false, configurable: true });
    dispatchEvent(new Event('offline'))`);
  expect((await isAnswered).ok()).toBe(true);
  expect(await page.getByText('You are offline.').count()).toBe(0);
  await page.evaluate(`globalThis.connectedFetch = fetch;
    globalThis.fetch = async () => { throw new TypeError('Failed to fetch'); }`);
  await page.getByText('You are offline.').waitFor();
  await page.evaluate(`globalThis.fetch = connectedFetch;
    delete navigator.onLine;
    dispatchEvent(new Event('online'))`);
  await page.getByText('You are offline.').waitFor({ state: 'detached' });
});

describe('a page whose session ended', () => {
  const person = { email: 'second@northwind.dev', password: 'second-password' };
  beforeAll(async () => {
    await callsAs(token, sluice).users.createUser({ body: { ...person, name: 'Second', role_id: 3 } });
  });

  itAtFullSize('a page whose session ended is dropped when another user signs in', async () => {
    await page.goto('/admin/settings');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Not for others');
    await expireSession();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await signInAgain(person.email, person.password);
    await page.waitForURL('/dashboard');
    expect(await page.getByText('Not for others').count()).toBe(0);
  });

  itAtFullSize('a page whose session ended sends no API request until its user signs in', async () => {
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: /^Welcome/ }).waitFor();
    await expireSession();
    await dialog().waitFor({ timeout: 60_000 });
    const sent: string[] = [];
    page.on('request', (request) => sent.push(new URL(request.url()).pathname));
    // The dashboard refetches the quota every 10 s, so the test would notice requests without a session.
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await signInAgain();
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: /^Welcome/ }).waitFor();
    expect(sent[0]).toBe('/healthz');
    expect(sent.filter((path) => path.startsWith('/api/'))[0]).toBe('/api/v1/auth/login');
  });

  it('a page whose session ended can be left through the sign-in page, which returns to the same page', async () => {
    await page.goto('/admin/logs');
    await page.locator('table[aria-busy="false"]').waitFor();
    await expireSession();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await dialog().getByRole('link', { name: 'Leave this page' }).click();
    await page.waitForURL(/\/login/);
    await page.getByText('Your session has ended. Sign in to continue.').waitFor();
    await page.getByLabel('Email').fill(sluice.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(sluice.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('/admin/logs');
  });
});

describe('a page whose code cannot be loaded', () => {
  const code = '**/assets/audit-log*.js*';
  const goToAuditLog = () => page.getByRole('link', { name: 'Audit log' }).click();

  itAtFullSize(
    'a page whose code cannot be loaded shows why inside the shell, and opens once the code arrives',
    async () => {
      await page.route(code, (route) => route.abort());
      await page.goto('/admin');
      await goToAuditLog();
      await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
      await page.getByRole('button', { name: 'Reload the page' }).waitFor();
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      await saveScreenshot(page, 'missing-code');
      await page.unroute(code);
      await page.getByRole('button', { name: 'Try Again' }).click();
      await page.getByRole('heading', { name: 'Audit log' }).waitFor();
      for (const problem of takeProblems()) expect(problem).toContain('fetch');
    },
  );

  itAtFullSize(
    'a page whose code cannot be loaded shows inside the shell that the browser is offline, and opens after a reload',
    async () => {
      await page.route(code, (route) => route.abort());
      await page.goto('/admin');
      await page.getByRole('link', { name: 'Audit log' }).waitFor();
      await page.context().setOffline(true);
      await goToAuditLog();
      await page.getByRole('heading', { name: 'You are offline', exact: true }).waitFor();
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      await page.unroute(code);
      await page.context().setOffline(false);
      // Reloads, because Chromium does not retry a shared module that failed to load in the same document.
      await page.reload();
      await page.getByRole('heading', { name: 'Audit log' }).waitFor();
      for (const problem of takeProblems()) expect(problem).toContain('fetch');
    },
  );
});
