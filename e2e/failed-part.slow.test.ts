import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, shareConsole, takeProblems, visitConsole } from './console.ts';
import { openUsers, rowOf } from './users-page.ts';

const dist = join(import.meta.dirname, '..', 'web', 'dist');
const manifest = z
  .record(z.string(), z.object({ file: z.string() }))
  .parse(JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8')));
const dialogs = `**/${manifest['src/features/users/overlays.tsx']?.file}*`;
const abort = (route: Route) => route.abort();
const notice = () => page.getByRole('alert').filter({ hasText: 'This content could not be loaded.' });
const createUser = () => page.getByRole('button', { name: '+ Create User' }).click();
const press = (name: string) => notice().getByRole('button', { name }).click();

shareConsole();
visitConsole();

beforeEach(async () => {
  await page.route(dialogs, abort);
  await openUsers(page);
  await createUser();
  await notice().waitFor();
});

it('a dialog whose code cannot be loaded leaves the rest of the page working', async () => {
  await page.screenshot({ path: join(import.meta.dirname, 'screenshots', 'failed-part.png') });
  await press('Not now');
  await notice().waitFor({ state: 'detached' });
  await page.getByPlaceholder('Search users by name or email...').fill('admin');
  await rowOf(page, 'Administrator').waitFor();
  expect(takeProblems()).toEqual([]);
});

it('a dialog that failed to load opens after a retry, and the page keeps its state', async () => {
  await page.getByPlaceholder('Search users by name or email...').fill('admin');
  await press('Try Again');
  await notice().waitFor();
  await page.unroute(dialogs);
  await press('Try Again');
  await page.getByRole('dialog', { name: 'Create User' }).waitFor();
  await notice().waitFor({ state: 'detached' });
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
  expect(await page.getByPlaceholder('Search users by name or email...').inputValue()).toBe('admin');
});

itAtFullSize('a dialog that failed to load opens when its button is pressed again', async () => {
  await press('Not now');
  await createUser();
  await notice().waitFor();
  await press('Not now');
  await page.unroute(dialogs);
  await createUser();
  await page.getByRole('dialog', { name: 'Create User' }).waitFor();
});

itAtFullSize('a dialog that failed to load opens after a page reload', async () => {
  await page.unroute(dialogs);
  await press('Reload the page');
  await notice().waitFor({ state: 'detached' });
  await createUser();
  await page.getByRole('dialog', { name: 'Create User' }).waitFor();
});

it('a dialog that failed to load opens when the browser is online again', async () => {
  await page.unroute(dialogs);
  await page.evaluate(`dispatchEvent(new Event('online'))`);
  await page.getByRole('dialog', { name: 'Create User' }).waitFor();
  await notice().waitFor({ state: 'detached' });
});
