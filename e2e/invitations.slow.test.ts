import { createClient, outboxRoutes } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitAs } from './console.ts';
import { findSeriousFaults } from './looks.ts';
import { chooseOption } from './select-field.ts';
import { actFromMenu, answer } from './users-page.ts';

startConsole();

async function open(path: string, session: string | null = token): Promise<void> {
  await visitAs(session);
  await page.goto(path);
}

const asVisitor = null;
let tries = 0;
const addressOf = (name: string) => `${name}.${++tries}@example.com`;

const dialog = () => page.getByRole('dialog', { name: 'Invite User' });
const rowOf = (email: string, status: string) =>
  page.getByRole('row').filter({ hasText: email }).filter({ hasText: status });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (label: string) => page.getByLabel(label, { exact: true });

async function invite(email: string): Promise<string> {
  await button('+ Invite User').click();
  await dialog().getByLabel('Email').fill(email);
  await chooseOption(dialog(), 'Role', 'User');
  await button('Send Invitation').click();
  await dialog().getByText(`No email has been sent to ${email} yet.`).waitFor();
  const link = await dialog().getByRole('code').first().innerText();
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
  it('an invitation link creates an account that can sign in', async () => {
    const email = addressOf('ines');
    await open('/admin/users');
    const path = await invite(email);
    await page.getByRole('tab', { name: 'Invitations' }).click();
    await rowOf(email, 'Pending').waitFor();
    expect(await findSeriousFaults(page)).toEqual([]);

    await open(path, asVisitor);
    await page.getByText('You will use the models that you are granted').waitFor();
    for (const fact of ['Default', 'Administrator', email])
      await page.getByRole('definition').filter({ hasText: fact }).first().waitFor();
    expect(await findSeriousFaults(page)).toEqual([]);
    await field('Full Name').fill('Ines Duarte');
    await field('Password').fill('ines-password');
    await field('Confirm Password').fill('ines-password');
    await button('Create Account').click();
    await page.getByText('Account created successfully! You can now log in with your credentials.').waitFor();
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
    await field('Email').fill(email);
    await field('Password').fill('ines-password');
    await button('Sign in').click();
    await page.waitForURL('**/dashboard');

    await page.goto(path);
    await page.getByRole('heading', { name: 'Invalid Invitation' }).waitFor();
  });

  itAtFullSize('the invitation form shows errors under its fields', async () => {
    await open(await makePath(addressOf('words')), asVisitor);
    await button('Create Account').click();
    await page.getByText('Please enter your full name').waitFor();
    await page.getByText('Password must be at least 6 characters long').waitFor();
    await field('Full Name').fill('Wim');
    await field('Password').fill('long enough');
    await field('Confirm Password').fill('long enouhg');
    await button('Create Account').click();
    await page.getByText('Passwords do not match').waitFor();
  });

  itAtFullSize('an invalid invitation link shows an error and a link to the sign-in page', async () => {
    await open('/invitation/nobody-made-this', asVisitor);
    await page.getByRole('heading', { name: 'Invalid Invitation' }).waitFor();
    await page.getByText('The invitation link may have expired or is invalid.').waitFor();
    await page.getByRole('link', { name: 'Go to Login' }).click();
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
  });

  itAtFullSize('an invitation page shows that its details are loading', async () => {
    const path = await makePath(addressOf('slow'));
    await visitAs(asVisitor);
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

  it('an invitation is canceled after confirmation, and its link stops working', async () => {
    const email = addressOf('gone');
    const path = await makePath(email);
    await open('/admin/users?tab=invitations');
    await actFromMenu(page, 'Cancel', email);
    await page.getByText(`The invitation link of ${email} will no longer work.`).waitFor();
    await button('Cancel invitation').click();
    await rowOf(email, 'Cancelled').waitFor();
    await page.goto(path);
    await page.getByRole('heading', { name: 'Invalid Invitation' }).waitFor();
  });

  itAtFullSize('an invitation is resent with a new link', async () => {
    const email = addressOf('again');
    const path = await makePath(email);
    await open('/admin/users?tab=invitations');
    await page.getByRole('button', { name: `Resend: ${email}` }).click();
    await page.getByText(`${email} was invited again`).waitFor();
    const renewed = await readPath(email);
    expect(renewed).not.toBe(path);
    await page.goto(path);
    await page.getByRole('heading', { name: 'Invalid Invitation' }).waitFor();
    await page.goto(renewed);
    await page.getByRole('heading', { name: 'Join Default' }).waitFor();
  });

  itAtFullSize('the dialog of an invitation closes if no link must be forwarded', async () => {
    const email = addressOf('mailed');
    await open('/admin/users');
    await page.route('**/api/v1/admin/outbox?*', answer(200, []));
    await button('+ Invite User').click();
    await dialog().getByLabel('Email').fill(email);
    await button('Send Invitation').click();
    await page.getByText(`${email} is invited`).waitFor();
    await dialog().waitFor({ state: 'detached' });
  });

  itAtFullSize('an invitation to an existing user is rejected at the email field', async () => {
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
  itAtFullSize('the outbox shows links of mails that were not sent', async () => {
    const email = addressOf('held');
    await makePath(email);
    await open('/admin/outbox');
    await rowOf(email, 'Needs forwarding').waitFor();
    await page.getByRole('button', { name: `Copy link: ${email}` }).click();
    await page.getByText(/Link copied|Copy manually/).waitFor();
    expect(await findSeriousFaults(page)).toEqual([]);
  });
});

async function makePath(email: string): Promise<string> {
  await open('/admin/users');
  const path = await invite(email);
  return path;
}
