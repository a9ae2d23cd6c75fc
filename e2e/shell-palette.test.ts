import { createClient, usersRoutes } from '@sluice/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { page, sluice, startConsole, token, visitAs, visitConsole } from './console.ts';
import { signIn } from './visit.ts';

const roleId = 3;
const person = { email: 'aiko@example.com', password: 'aiko-password', name: 'Aiko Tanaka' };

startConsole();
beforeAll(async () => {
  const options = { baseUrl: sluice.url, headers: () => ({ authorization: `Bearer ${token}` }) };
  await createClient(usersRoutes, options).createUser({ body: { ...person, role_id: roleId } });
});

visitConsole({ permissions: ['clipboard-read', 'clipboard-write'] });
beforeEach(async () => {
  await page.goto('/admin');
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
});

const input = () => page.getByRole('combobox', { name: /^Go to a screen/ });
const options = () => page.getByRole('listbox', { name: 'Answers' }).getByRole('option');

/** The option that the input names as the chosen one, which screen readers speak. */
const chosen = () =>
  page.evaluate<string | null>(`(() => {
    const id = document.querySelector('[role="combobox"]').getAttribute('aria-activedescendant');
    const option = document.getElementById(id);
    return option?.ariaSelected === 'true' ? option.innerText.split('\\n')[0] : null;
  })()`);

async function openAndType(text: string) {
  await page.keyboard.press('Control+k');
  await input().waitFor();
  await page.keyboard.type(text);
}

describe('the command palette', () => {
  it('goes to a screen by keyboard alone, and remembers it', async () => {
    await openAndType('log');
    await expect.poll(chosen).toBe('System Logs');
    await page.keyboard.press('Enter');
    await page.waitForURL('/admin/logs');
    await page.locator('h1:focus', { hasText: 'System Logs' }).waitFor();

    await openAndType('');
    const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option');
    await expect.poll(() => recent.allInnerTexts()).toEqual(['System Logs']);
  });

  it('chooses with the arrows, from the last to the first', async () => {
    await openAndType('rows');
    await expect.poll(() => options().count()).toBe(2);
    await expect.poll(chosen).toBe('Use compact rows');
    await page.keyboard.press('ArrowDown');
    await expect.poll(chosen).toBe('Use comfortable rows');
    await page.keyboard.press('ArrowDown');
    await expect.poll(chosen).toBe('Use compact rows');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.locator('html[data-density="comfortable"]').waitFor();
  });

  it('finds a user by name and by e-mail address', async () => {
    await openAndType('tanaka');
    await page.getByRole('option', { name: person.name }).waitFor();
    await page.getByRole('status').filter({ hasText: '1 answer' }).waitFor({ state: 'attached' });
    await input().fill('aiko@');
    await page.getByRole('option', { name: person.email }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/admin\/users\?open=\d+$/);
  });

  it('opens a pasted request id in the log', async () => {
    const id = '01938f6e-0000-7000-8000-000000000001';
    await openAndType('');
    await input().fill(` ${id} `);
    await expect.poll(chosen).toBe('Open the request in System Logs');
    await page.keyboard.press('Enter');
    await page.waitForURL(`/admin/logs?open=${id}`);
  });

  it('copies the base URL and says so', async () => {
    await openAndType('base url');
    await page.keyboard.press('Enter');
    await page.getByText(`Copied ${sluice.url}/api/v1`).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(`${sluice.url}/api/v1`);
  });

  it('says when nothing answers, and gives the focus back when it is dismissed', async () => {
    await page.getByRole('button', { name: /^Go to, find a user/ }).focus();
    await page.keyboard.press('Enter');
    await input().fill('zzzz');
    await page.getByText('No results for “zzzz”.').waitFor();
    expect(await input().getAttribute('aria-activedescendant')).toBeNull();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator(':focus', { hasText: 'Go to, find a user' }).waitFor();
  });

  it('logs out', async () => {
    // With a session of its own, since signing out ends it on the server.
    await visitAs(await signIn(sluice));
    await page.goto('/admin');
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await openAndType('sign out');
    await page.keyboard.press('Enter');
    await page.waitForURL('/login');
  });

  it('still finds the rest when users cannot be searched', async () => {
    await page.route('**/api/v1/admin/users', (route) =>
      route.fulfill({ status: 500, json: { detail: 'Broken' } }),
    );
    await openAndType('users');
    await page.getByText('Users cannot be searched: Broken').waitFor();
    await expect.poll(chosen).toBe('Users');
  });
});

describe('single keys', () => {
  it('go to a screen after g', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await page.locator('h1:focus', { hasText: 'User Management' }).waitFor();
    await page.keyboard.press('/');
    await page.locator('main input[type="search"]:focus').waitFor();
  });

  it('do nothing while typing', async () => {
    await page.goto('/admin/users');
    const search = page.getByRole('searchbox');
    await search.focus();
    await page.keyboard.type('gl?[/');
    expect(await search.inputValue()).toBe('gl?[/');
    expect(page.url()).toMatch(/\/admin\/users/);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('are listed in a sheet, which switches them off for good', async () => {
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('System Logs').waitFor();
    await sheet.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });

    await page.reload();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await input().waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/admin');
  });
});
