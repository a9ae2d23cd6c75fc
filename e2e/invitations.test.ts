import { createClient, outboxRoutes } from '@sluice/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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
});

afterAll(async () => {
  await browser?.close();
  await sluice?.stop();
});

afterEach(async () => {
  expect(current.problems).toEqual([]);
  await current.end();
});

async function open(path: string, options = holding(token, sluice)): Promise<void> {
  current = await visit(browser, sluice, options);
  page = current.page;
  await page.goto(path);
}

const asVisitor = {};
const dialog = () => page.getByRole('dialog', { name: 'Invite User' });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (label: string) => page.getByLabel(label, { exact: true });

async function invite(email: string): Promise<string> {
  await button('+ Invite User').click();
  await dialog().getByLabel('Email').fill(email);
  await dialog().getByLabel('Role').selectOption('user');
  await button('Send Invitation').click();
  await dialog().getByText(`No mail was sent to ${email} so far.`).waitFor();
  const link = await dialog().getByRole('code').innerText();
  await button('Done').click();
  return new URL(link).pathname;
}

async function readPath(email: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const mails = await createClient(outboxRoutes, { baseUrl: sluice.url, headers: () => headers }).listMails({
    query: {},
  });
  return new URL(mails.find(({ to_address }) => to_address === email)?.link ?? 'http://nowhere').pathname;
}

describe('an invitation', () => {
  it('goes from the dialog by its link to an account that signs in', async () => {
    await open('/admin/users');
    const path = await invite('ines@example.com');
    await page.getByRole('tab', { name: 'Invitations' }).click();
    await page.getByRole('row', { name: /ines@example.com.*Pending/ }).waitFor();
    expect(await findSeriousFaults(page)).toEqual([]);
    await current.end();

    await open(path, asVisitor);
    await page.getByText('You will use the models that you are granted').waitFor();
    for (const fact of ['Default', 'Administrator', 'ines@example.com'])
      await page.getByRole('definition').filter({ hasText: fact }).first().waitFor();
    expect(await findSeriousFaults(page)).toEqual([]);
    await field('Full Name').fill('Ines Duarte');
    await field('Password').fill('ines-password');
    await field('Confirm Password').fill('ines-password');
    await button('Create Account').click();
    await page.getByText('Account created successfully! You can now log in with your credentials.').waitFor();
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
    await field('Email').fill('ines@example.com');
    await field('Password').fill('ines-password');
    await button('Sign in').click();
    await page.waitForURL('**/dashboard');

    await page.goto(path);
    await page.getByRole('heading', { name: 'Invalid Invitation' }).waitFor();
  });

  it('is refused with words under the fields', async () => {
    await open(await makePath('words@example.com'), asVisitor);
    await button('Create Account').click();
    await page.getByText('Please enter your full name').waitFor();
    await page.getByText('Password must be at least 6 characters long').waitFor();
    await field('Full Name').fill('Wim');
    await field('Password').fill('long enough');
    await field('Confirm Password').fill('long enouhg');
    await button('Create Account').click();
    await page.getByText('Passwords do not match').waitFor();
  });

  it('that leads nowhere says so, and leads to the sign-in', async () => {
    await open('/invitation/nobody-made-this', asVisitor);
    await page.getByRole('heading', { name: 'Invalid Invitation' }).waitFor();
    await page.getByText('The invitation link may have expired or is invalid.').waitFor();
    await page.getByRole('link', { name: 'Go to Login' }).click();
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
  });

  it('says that its details are loading', async () => {
    const path = await makePath('slow@example.com');
    current = await visit(browser, sluice);
    page = current.page;
    const gate = Promise.withResolvers<void>();
    await page.route('**/details', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.goto(path);
    await page.getByText('Loading invitation details...').waitFor();
    gate.resolve();
    await page.getByRole('heading', { name: 'Join Default' }).waitFor();
  });

  it('is cancelled after a question, and its link is worthless then', async () => {
    const path = await makePath('gone@example.com');
    await open('/admin/users?tab=invitations');
    await page.getByRole('button', { name: 'Cancel: gone@example.com' }).click();
    await page.getByText('The link that gone@example.com has will no longer work.').waitFor();
    await button('Cancel invitation').click();
    await page.getByRole('row', { name: /gone@example.com.*Cancelled/ }).waitFor();
    await page.goto(path);
    await page.getByRole('heading', { name: 'Invalid Invitation' }).waitFor();
  });

  it('is resent with a new link', async () => {
    const path = await makePath('again@example.com');
    await open('/admin/users?tab=invitations');
    await page.getByRole('button', { name: 'Resend: again@example.com' }).click();
    await page.getByText('again@example.com was invited again').waitFor();
    const renewed = await readPath('again@example.com');
    expect(renewed).not.toBe(path);
    await page.goto(path);
    await page.getByRole('heading', { name: 'Invalid Invitation' }).waitFor();
    await page.goto(renewed);
    await page.getByRole('heading', { name: 'Join Default' }).waitFor();
  });

  it('to somebody who is here already is refused under the field', async () => {
    await open('/admin/users');
    await button('+ Invite User').click();
    await dialog().getByText('An invitation expires after 7 days.').waitFor();
    await button('Send Invitation').click();
    await dialog().getByText('Email is required').waitFor();
    await dialog().getByLabel('Email').fill('admin@example.com');
    await button('Send Invitation').click();
    await dialog().getByText('A user with this email already exists').waitFor();
  });
});

describe('the outbox', () => {
  it('holds the links that nobody has sent', async () => {
    await makePath('held@example.com');
    await open('/admin/outbox');
    await page.getByRole('row', { name: /held@example.com.*To pass on/ }).waitFor();
    await page.getByRole('button', { name: 'Copy link: held@example.com' }).click();
    await page.getByText(/The link is copied|Copy by hand/).waitFor();
    expect(await findSeriousFaults(page)).toEqual([]);
  });
});

/** Makes an invitation in a visit of its own, and answers its page. */
async function makePath(email: string): Promise<string> {
  const maker = await visit(browser, sluice, holding(token, sluice));
  page = maker.page;
  await page.goto('/admin/users');
  const path = await invite(email);
  await maker.end();
  return path;
}
