import { join } from 'node:path';
import { expect, it } from 'vitest';
import { page, shareConsole, takeProblems, visitConsole } from './console.ts';
import { openUsers, rowOf } from './users-page.ts';

const dialogs = '**/assets/user-overlays-*.js';

shareConsole();
visitConsole();

it('a dialog whose code cannot be loaded is missing alone, until the page is reloaded', async () => {
  await page.route(dialogs, (route) => route.abort());
  await openUsers(page);
  await page.getByRole('button', { name: '+ Create User' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'A part of this page could not be loaded.' });
  await notice.waitFor();
  await page.screenshot({ path: join(import.meta.dirname, 'screenshots', 'failed-part.png') });
  await notice.getByRole('button', { name: 'Not now' }).click();
  await notice.waitFor({ state: 'detached' });
  await page.getByPlaceholder('Search users by name or email...').fill('admin');
  await rowOf(page, 'Administrator').waitFor();
  expect(takeProblems()).toEqual([]);
});

it('the reload brings the dialog back', async () => {
  await page.route(dialogs, (route) => route.abort());
  await openUsers(page);
  await page.getByRole('button', { name: '+ Create User' }).click();
  await page.getByRole('alert').getByRole('button', { name: 'Reload the page' }).waitFor();
  await page.unroute(dialogs);
  await page.getByRole('alert').getByRole('button', { name: 'Reload the page' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: '+ Create User' }).click();
  await page.getByRole('dialog', { name: 'Create User' }).waitFor();
});
