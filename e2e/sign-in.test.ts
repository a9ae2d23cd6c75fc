import { createClient, userRole, usersRoutes } from '@sluice/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitAs } from './console.ts';
import { signIn } from './visit.ts';

startConsole();

async function submitSignIn(email: string, password: string) {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const readToken = () => page.evaluate(() => localStorage.getItem('auth_token'));

describe('sign-in', () => {
  beforeEach(() => visitAs(null));

  it('sign-in opens the console for an administrator, and logout returns to the sign-in page', async () => {
    await page.goto('/login');
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
    await page.getByText('Admin Dashboard Access').waitFor();
    await submitSignIn(sluice.email, sluice.password);
    await page.waitForURL('/admin');
    await page.getByRole('banner').getByText(sluice.email).waitFor();
    const token = await readToken();
    expect(token).toBeTruthy();

    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('/login');
    expect(await readToken()).toBeNull();
    const statusOfToken = async () => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${sluice.url}/api/v1/auth/me`, { headers })).status;
    };
    await expect.poll(statusOfToken).toBe(401);
    await page.goto('/admin');
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
  });

  it('a failed sign-in shows the reason above the button and stores nothing', async () => {
    await page.goto('/login');
    await submitSignIn(sluice.email, `not ${sluice.password}`);
    const message = page.getByRole('alert').filter({ hasText: /\S/ });
    await message.waitFor();
    const messageBox = await message.boundingBox();
    const buttonBox = await page.getByRole('button', { name: 'Sign in' }).boundingBox();
    expect(messageBox?.y).toBeLessThan(buttonBox?.y ?? 0);
    expect(await readToken()).toBeNull();
  });

  itAtFullSize('sign-in reports missing fields', async () => {
    await page.goto('/login');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Email is required').waitFor();
    await page.getByText('Password is required').waitFor();
  });

  itAtFullSize('sign-in shows the password on demand', async () => {
    await page.goto('/login');
    const password = page.getByRole('textbox', { name: 'Password' });
    await password.fill('visible');
    expect(await password.getAttribute('type')).toBe('password');
    await page.getByRole('button', { name: 'Show password' }).click();
    expect(await password.getAttribute('type')).toBe('text');
  });

  itAtFullSize('sign-in warns while caps lock is on', async () => {
    await page.goto('/login');
    const password = page.getByRole('textbox', { name: 'Password' });
    const hint = page.getByText('Caps Lock is on');
    await password.dispatchEvent('keydown', { key: 'A', modifierCapsLock: true });
    await hint.waitFor();
    await password.dispatchEvent('keyup', { key: 'CapsLock', modifierCapsLock: false });
    await hint.waitFor({ state: 'detached' });
  });

  itAtFullSize('sign-in shows a new customer that the account was created', async () => {
    await page.goto('/login?signup=success');
    await page.getByText('Your account is ready.').waitFor();
  });

  it('sign-in returns to the requested page', async () => {
    await page.goto('/admin/logs');
    await page.waitForURL(/\/login/);
    await submitSignIn(sluice.email, sluice.password);
    await page.waitForURL('/admin/logs');
    await page.getByRole('heading', { name: 'System Logs' }).waitFor();
  });

  it('sign-in does not redirect to another site', async () => {
    await page.goto('/login?redirect=//elsewhere.invalid/');
    await submitSignIn(sluice.email, sluice.password);
    await page.waitForURL('/admin');
  });
});

describe('a session', () => {
  let people = 0;
  itAtFullSize('a session is removed when its token is invalid', async () => {
    await visitAs('not-a-token');
    await page.goto('/admin');
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
    expect(await readToken()).toBeNull();
  });

  it('a session that the server ended is renewed in a dialog, and the page below keeps its state', async () => {
    await visitAs(await signIn(sluice));
    await page.goto('/admin/logs');
    await page.locator('table[aria-busy="false"]').waitFor();
    await page.evaluate(() => localStorage.setItem('auth_token', 'ended-by-the-server'));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('dialog', { name: 'Sign in to continue' }).waitFor();
    expect(await readToken()).toBeNull();
    await submitSignIn(sluice.email, sluice.password);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('table', { name: 'Requests' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/logs');
  });

  itAtFullSize('a signed-in user is redirected from the sign-in page to their start page', async () => {
    await visitAs(await signIn(sluice));
    await page.goto('/login');
    await page.waitForURL('/admin');
  });

  it('signing out in one tab ends the session in another tab', async () => {
    await visitAs(await signIn(sluice));
    await page.goto('/admin');
    await page.getByRole('button', { name: 'Logout' }).waitFor();
    const otherTab = await page.context().newPage();
    await otherTab.goto('/admin/users');
    await otherTab.getByRole('button', { name: 'Logout' }).click();
    await otherTab.waitForURL('/login');
    await page.getByRole('dialog').getByText('You signed out in another tab.').waitFor();
    expect(await readToken()).toBeNull();
  });

  itAtFullSize('a session without administration rights cannot open the console', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const options = { baseUrl: sluice.url, headers: () => headers };
    const person = { email: `noor.${++people}@example.com`, password: 'noor-password' };
    await createClient(usersRoutes, options).createUser({
      body: { ...person, name: 'Noor Al-Amin', role_id: userRole.id },
    });

    await visitAs(null);
    await page.goto('/admin/users');
    await submitSignIn(person.email, person.password);
    await page.waitForURL('/dashboard');
    await page.getByRole('heading', { name: 'Welcome, Noor Al-Amin' }).waitFor();
    await page.goto('/admin');
    await page.waitForURL('/dashboard');
  });
});
