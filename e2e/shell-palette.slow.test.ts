import { createClient, teamsRoutes, usersRoutes } from '@sluice/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitAs, visitConsole } from './console.ts';
import { signIn } from './visit.ts';

const roleId = 3;
const person = { email: 'aiko@example.com', password: 'aiko-password', name: 'Aiko Tanaka' };

startConsole();
beforeAll(async () => {
  const options = { baseUrl: sluice.url, headers: () => ({ authorization: `Bearer ${token}` }) };
  await createClient(usersRoutes, options).createUser({ body: { ...person, role_id: roleId } });
  await createClient(teamsRoutes, options).createTeam({ body: { name: 'Quasar' } });
});

visitConsole({ permissions: ['clipboard-read', 'clipboard-write'] });
beforeEach(() => openOverview());

/** Waits for the content, because keys pressed earlier would be lost. */
async function openOverview() {
  await page.goto('/admin');
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
}

const input = () => page.getByRole('combobox', { name: /^Go to a page, find/ });
const options = () => page.getByRole('listbox', { name: 'Results' }).getByRole('option');

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
  it('the command palette opens a page by keyboard alone, and remembers it', async () => {
    await openAndType('log');
    await expect.poll(chosen).toBe('System Logs');
    await page.keyboard.press('Enter');
    await page.waitForURL('/admin/logs');
    await page.locator('h1:focus', { hasText: 'System Logs' }).waitFor();

    await openAndType('');
    const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option');
    await expect.poll(() => recent.allInnerTexts()).toEqual(['System Logs']);
  });

  itAtFullSize(
    'the command palette moves with the arrow keys and wraps from the last to the first entry',
    async () => {
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
    },
  );

  itAtFullSize('the command palette finds a user by name and by email address', async () => {
    await openAndType('tanaka');
    await page.getByRole('option', { name: person.name }).waitFor();
    await page.getByRole('status').filter({ hasText: '1 result' }).waitFor({ state: 'attached' });
    await input().fill('aiko@');
    await page.getByRole('option', { name: person.email }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/admin\/users\?open=\d+$/);
  });

  itAtFullSize('the command palette opens a pasted request id in the log', async () => {
    const id = '01938f6e-0000-7000-8000-000000000001';
    await openAndType('');
    await input().fill(` ${id} `);
    await expect.poll(chosen).toBe('Open the request in System Logs');
    await page.keyboard.press('Enter');
    await page.waitForURL(`/admin/logs?open=${id}`);
  });

  itAtFullSize('the command palette copies the base URL and confirms it', async () => {
    await openAndType('base url');
    await page.keyboard.press('Enter');
    await page.getByText(`Copied ${sluice.url}/api/v1`).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(`${sluice.url}/api/v1`);
  });

  it('the command palette starts an action on the user whose name is typed', async () => {
    for (const [typed, label, title] of [
      ['block aiko', 'Block Aiko Tanaka', 'Block Aiko Tanaka'],
      ['create key aiko', 'Create API key for Aiko Tanaka', 'API key of Aiko Tanaka'],
    ] as const) {
      await openOverview();
      await openAndType(typed);
      await page.getByRole('option', { name: label }).click();
      await page.getByRole('dialog', { name: title }).waitFor();
      await page.waitForURL('**/admin/users');
    }
  });

  itAtFullSize('the command palette finds teams, models and settings', async () => {
    for (const [typed, group] of [
      ['quasar', 'Teams'],
      ['sandbox-echo', 'Models'],
      ['retention', 'Settings'],
    ] as const) {
      await openAndType(typed);
      await page.getByRole('group', { name: group }).getByRole('option').first().waitFor();
      await page.keyboard.press('Escape');
    }
  });

  itAtFullSize(
    'the command palette shows that nothing matches and restores the focus when closed',
    async () => {
      await page.getByRole('button', { name: /^Go to a page, find a user/ }).focus();
      await page.keyboard.press('Enter');
      await input().fill('zzzz');
      await page.getByText('No results for “zzzz”.').waitFor();
      expect(await input().getAttribute('aria-activedescendant')).toBeNull();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.locator(':focus', { hasText: 'Go to a page, find a user' }).waitFor();
    },
  );

  itAtFullSize('the command palette logs out', async () => {
    // Logging out ends the session on the server.
    await visitAs(await signIn(sluice));
    await openOverview();
    await openAndType('sign out');
    await page.keyboard.press('Enter');
    await page.waitForURL('/login');
  });

  itAtFullSize('the command palette still finds other results when the user search fails', async () => {
    await page.route('**/api/v1/admin/users', (route) =>
      route.fulfill({ status: 500, json: { detail: 'Broken' } }),
    );
    await openAndType('users');
    await page.getByText('Users cannot be searched: Broken').waitFor();
    await expect.poll(chosen).toBe('Users');
  });
});

describe('single keys', () => {
  itAtFullSize('the single key g followed by a letter opens a page', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await page.locator('h1:focus', { hasText: 'User Management' }).waitFor();
    await page.keyboard.press('/');
    await page.locator('main input[type="search"]:focus').waitFor();
  });

  itAtFullSize('single keys do nothing while typing', async () => {
    await page.goto('/admin/users');
    const search = page.getByRole('searchbox');
    await search.focus();
    await page.keyboard.type('gl?[/');
    expect(await search.inputValue()).toBe('gl?[/');
    expect(page.url()).toMatch(/\/admin\/users/);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('single keys are listed in a sheet, which can disable them permanently', async () => {
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
