import { describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, shareConsole, visitConsole } from './console.ts';

shareConsole();
visitConsole();

describe('the console', () => {
  it('the first tab stop of the console skips its navigation', async () => {
    await page.goto('/admin/users');
    await page.getByRole('heading', { name: 'User Management' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.locator(':focus', { hasText: '+ Create User' }).waitFor();
  });

  itAtFullSize(
    'the navigation marks the overview as current only on its own page, and System Logs on its page',
    async () => {
      const current = page.getByRole('navigation').locator('[aria-current="page"]');
      await page.goto('/admin');
      await page.getByRole('heading', { name: 'Welcome' }).waitFor();
      await expect.poll(() => current.allInnerTexts()).toEqual(['Overview']);
      await page.getByRole('link', { name: 'System Logs', exact: true }).first().click();
      await page.getByRole('heading', { name: 'System Logs' }).waitFor();
      await expect.poll(() => current.allInnerTexts()).toEqual(['System Logs']);
    },
  );

  it('the navigation is a drawer on a phone, and works by keyboard', async () => {
    await page.setViewportSize({ width: 390, height: 780 });
    await page.goto('/admin');
    const opener = page.getByRole('button', { name: 'Open navigation' });
    await opener.press('Enter');
    await page.getByRole('dialog').getByRole('link', { name: 'Users' }).press('Enter');
    await page.getByRole('heading', { name: 'User Management' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await opener.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
