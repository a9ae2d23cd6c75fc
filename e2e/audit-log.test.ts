import { createClient, usersRoutes } from '@sluice/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findSeriousFaults } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { type RunningSluice, startSluice } from './running-sluice.ts';
import { holding, signIn, type Visit, visit } from './visit.ts';

let sluice: RunningSluice;
let browser: Browser;
let token: string;
let current: Visit;
let page: Page;

beforeAll(async () => {
  [sluice, browser] = await Promise.all([startSluice(), launchBrowser()]);
  token = await signIn(sluice);
  const headers = () => ({ authorization: `Bearer ${token}` });
  const users = createClient(usersRoutes, { baseUrl: sluice.url, headers });
  const body = { email: 'mara@example.com', name: 'Mara Lind', password: 'mara-password', role_id: 3 };
  const { id } = await users.createUser({ body });
  await users.blockUser({ params: { id }, query: { reason: 'left the company' } });
  await users.changeUserPassword({ params: { id }, body: { password: 'another-password' } });
});

afterAll(async () => {
  await browser?.close();
  await sluice?.stop();
});

beforeEach(async () => {
  current = await visit(browser, sluice, holding(token, sluice));
  page = current.page;
  await page.goto('/admin/audit-log');
  await row(/Block user/).waitFor();
});

afterEach(async () => {
  expect(current.problems).toEqual([]);
  await current.end();
});

const row = (name: RegExp) => page.getByRole('row', { name });
const details = () => page.getByRole('dialog', { name: 'Change Details' });

describe('the audit log', () => {
  it('tells who changed what, from what to what', async () => {
    await row(/Block user User Mara Lind Administrator/).click();
    await details().getByRole('heading', { name: 'Block user' }).waitFor();
    await details().getByText('Administrator · admin@example.com').waitFor();
    await details().getByRole('row', { name: 'Is blocked false true' }).waitFor();
    await details().getByRole('row', { name: 'Blocked reason — left the company' }).waitFor();
    expect(await findSeriousFaults(page)).toEqual([]);
  });

  it('never tells a secret', async () => {
    await row(/Change user password/).click();
    await details().getByRole('row', { name: 'Password hash [redacted] [redacted]' }).waitFor();
  });

  it('is narrowed by who, of what, and by words, and the address holds it', async () => {
    await page.getByLabel('Of').selectOption('LLM provider');
    await row(/LLM provider sandbox/).waitFor();
    await row(/Block user/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await page.getByRole('searchbox').fill('left the company');
    await row(/Block user/).waitFor();
    await row(/Create user/).waitFor({ state: 'detached' });
    await page.reload();
    await row(/Block user/).waitFor();
    await page.getByRole('searchbox').fill('nothing is called this');
    await page.getByText('No changes match your filters').waitFor();
  });
});
