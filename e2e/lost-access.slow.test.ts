import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { startMailServer } from '../server/test/processes/mail-server.ts';
import { page, sluice, startConsole, token, visitAs } from './console.ts';
import { findSeriousFaults } from './looks.ts';
import { callsAs } from './users-page.ts';

const mails = await startMailServer();
afterAll(() => mails.close());

startConsole({ SMTP_URL: mails.url, MAIL_FROM: 'Sluice <sluice@example.com>' });

let people = 0;
let calls: ReturnType<typeof callsAs>;
beforeAll(() => {
  calls = callsAs(token, sluice);
});

async function addPerson() {
  const email = `lost.${++people}@northwind.dev`;
  await calls.users.createUser({ body: { name: 'Lost One', email, password: 'old password', role_id: 3 } });
  return email;
}

const link = /Choose a new password: (\S+)/;

async function readPath(email: string): Promise<string> {
  const sent = () => mails.received.find(({ to }) => to.includes(email));
  await expect.poll(sent, { timeout: 20_000 }).toBeDefined();
  return new URL(link.exec(sent()?.content ?? '')?.[1] ?? '').pathname;
}

async function askForLink(email: string) {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  // The previous page also has an Email field.
  await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByText(`If ${email} has an account here, an email is on its way.`).waitFor();
}

async function signInAs(email: string, password: string) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('a forgotten password', () => {
  it('a forgotten password is reset by a link that works once, and all sessions of the user end', async () => {
    const email = await addPerson();
    await visitAs(null);
    await askForLink(email);
    expect(await findSeriousFaults(page)).toEqual([]);
    const path = await readPath(email);

    await page.goto('/login');
    await signInAs(email, 'old password');
    await page.waitForURL('**/dashboard');
    const oldToken = await page.evaluate<string>(`localStorage.getItem('auth_token')`);

    await page.goto(path);
    await page.getByText(`For ${email}. You will be signed out everywhere.`).waitFor();
    expect(await findSeriousFaults(page)).toEqual([]);
    await page.getByLabel('New password').fill('a new horse');
    await page.getByLabel('Confirm Password').fill('a new house');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Passwords do not match').waitFor();
    await page.getByLabel('Confirm Password').fill('a new horse');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.waitForURL('**/login');
    const headers = { authorization: `Bearer ${oldToken}` };
    await expect
      .poll(async () => (await fetch(`${sluice.url}/api/v1/auth/me`, { headers })).status)
      .toBe(401);
    await signInAs(email, 'a new horse');
    await page.waitForURL('**/dashboard');

    await page.goto(path);
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
    await page.getByRole('link', { name: 'Send a new link' }).click();
    await page.waitForURL('**/reset-password');
  });

  itAtFullSize(
    'a password reset shows the same message for an unknown email address and sends no mail',
    async () => {
      await visitAs(null);
      await askForLink('nobody@northwind.dev');
      const known = await addPerson();
      await askForLink(known);
      await readPath(known);
      expect(mails.received.filter(({ to }) => to.includes('nobody@northwind.dev'))).toEqual([]);
    },
  );
});

itAtFullSize(
  'the sign-in page shows that the server ended a session, and no message after a sign-out',
  async () => {
    const email = await addPerson();
    await visitAs(null);
    await page.goto('/login');
    await page.getByLabel('Email').waitFor();
    const notice = page.getByText('Your session has ended. Sign in to continue.');
    expect(await notice.count()).toBe(0);
    await signInAs(email, 'old password');
    await page.waitForURL('**/dashboard');
    const id = (await calls.users.listUsers({ query: {} })).find((user) => user.email === email)?.id ?? 0;
    await calls.users.changeUserPassword({ params: { id }, body: { password: 'set by others' } });
    // The server rejects the next request of the page.
    await page.getByRole('link', { name: 'Leave this page' }).click();
    await page.waitForURL(/\/login/);
    await notice.waitFor();
    await signInAs(email, 'set by others');
    await page.waitForURL('**/dashboard');
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.waitForURL('**/login');
    await page.getByLabel('Email').waitFor();
    expect(await notice.count()).toBe(0);
  },
);
