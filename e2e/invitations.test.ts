import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type RunningSluice, startSluice } from './running-sluice.ts';
import { holding, signIn, type Visit, visit } from './visit.ts';

let sluice: RunningSluice;
let browser: Browser;
let token: string;
let admin: Visit;
let guest: Visit;

beforeAll(async () => {
  [sluice, browser] = await Promise.all([startSluice(), launchBrowser()]);
  token = await signIn(sluice);
});

afterAll(async () => {
  await browser?.close();
  await sluice?.stop();
});

beforeEach(async () => {
  admin = await visit(browser, sluice, holding(token, sluice));
  guest = await visit(browser, sluice);
});

afterEach(async () => {
  expect([...admin.problems, ...guest.problems]).toEqual([]);
  await Promise.all([admin.end(), guest.end()]);
});

const invitationsAddress = '/admin/users?tab=invitations';
const rowOf = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email });

/** Invites a person on the page of invitations, and answers the link that is handed over. */
async function invite(page: Page, email: string): Promise<string> {
  await page.goto(invitationsAddress);
  await page.getByRole('button', { name: '+ Invite User' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Invite User' });
  await dialog.getByRole('textbox', { name: 'Email' }).fill(email);
  await dialog.getByRole('button', { name: 'Send Invitation' }).click();
  const link = await dialog.locator('code').innerText();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await rowOf(page, email).getByText('Pending').filter({ visible: true }).waitFor();
  return link;
}

const fieldOf = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

async function createAccount(page: Page, name: string, password: string, confirmation = password) {
  await fieldOf(page, 'Full Name').fill(name);
  await fieldOf(page, 'Password').fill(password);
  await fieldOf(page, 'Confirm Password').fill(confirmation);
  await page.getByRole('button', { name: 'Create Account' }).click();
}

async function expectInvalid(page: Page, link: string): Promise<void> {
  await page.goto(new URL(link).pathname);
  await page.getByRole('heading', { name: 'Invalid Invitation' }).waitFor();
  await page.getByText('The invitation link may have expired or is invalid.').waitFor();
}

describe('an invited person', () => {
  it('makes an account by the link, once, and signs in with it', async () => {
    const email = 'mara@northwind.dev';
    const link = await invite(admin.page, email);
    const { page } = guest;
    await page.goto(new URL(link).pathname);
    for (const fact of ['Default', 'Administrator', email]) {
      await page.locator('dl').getByText(fact, { exact: true }).waitFor();
    }
    await createAccount(page, ' ', '12345', '54321');
    for (const words of [
      'Please enter your full name',
      'Password must be at least 6 characters long',
      'Passwords do not match',
    ]) {
      await page.getByText(words).waitFor();
    }
    await createAccount(page, 'Mara Lind', 'a good password');
    await page.getByText('Account created successfully! You can now log in with your credentials.').waitFor();
    await page.waitForURL('**/login');
    await fieldOf(page, 'Email').fill(email);
    await fieldOf(page, 'Password').fill('a good password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/dashboard');

    await admin.page.reload();
    await rowOf(admin.page, email).getByText('Accepted').filter({ visible: true }).waitFor();
    await expectInvalid(page, link);
  });

  it('finds the link invalid once it was sent anew or cancelled', async () => {
    const email = 'ben@northwind.dev';
    const link = await invite(admin.page, email);
    const act = (name: string) =>
      admin.page.getByRole('button', { name: `${name}: ${email}`, exact: true }).click();
    await act('Resend');
    await admin.page.getByText(`${email} was invited again`).waitFor();
    await expectInvalid(guest.page, link);

    await act('Cancel');
    await admin.page.getByRole('button', { name: 'Cancel invitation' }).click();
    await rowOf(admin.page, email).getByText('Cancelled').filter({ visible: true }).waitFor();
    await admin.page.goto('/admin/outbox');
    await rowOf(admin.page, email).getByText('Withdrawn').filter({ visible: true }).first().waitFor();
  });
});
