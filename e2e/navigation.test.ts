import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type RunningSluice, startSluice } from './running-sluice.ts';
import { holding, signIn, visit } from './visit.ts';

let sluice: RunningSluice;
let browser: Browser;
let token: string;

beforeAll(async () => {
  [sluice, browser] = await Promise.all([startSluice(), launchBrowser()]);
  token = await signIn(sluice);
});

afterAll(async () => {
  await browser?.close();
  await sluice?.stop();
});

describe('the console', () => {
  it('is reached past its navigation by the first tab stop', async () => {
    const { page, end } = await visit(browser, sluice, holding(token, sluice));
    await page.goto('/admin/users');
    await page.getByRole('heading', { name: 'User Management' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('+ Create User');
    await end();
  });

  it('marks the overview on its own page only, and other items below theirs too', async () => {
    const { page, end } = await visit(browser, sluice, holding(token, sluice));
    const current = page.getByRole('navigation').locator('[aria-current="page"]');
    await page.goto('/admin');
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    expect(await current.allInnerTexts()).toEqual(['Overview']);
    await page.getByRole('link', { name: 'System Logs', exact: true }).first().click();
    await page.getByRole('heading', { name: 'System Logs' }).waitFor();
    expect(await current.allInnerTexts()).toEqual(['System Logs']);
    await end();
  });

  it('is walked through a drawer on a phone, by keyboard too', async () => {
    const phone = { viewport: { width: 390, height: 780 } };
    const { page, problems, end } = await visit(browser, sluice, { ...holding(token, sluice), ...phone });
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
    expect(problems).toEqual([]);
    await end();
  });
});
