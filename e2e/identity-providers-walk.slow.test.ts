import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOpenIdProvider, type TestOpenIdProvider } from '../server/test/providers/openid-provider.ts';
import { launchBrowser } from './browser.ts';
import { everyLook, expectGoodLooks } from './looks.ts';
import { type EmptySluice, startEmptySluice } from './running-sluice.ts';

const clicksMax = 8;
const fieldsMax = 4;
const readyMs = 120_000;
const viewport = { width: 1440, height: 900 };

let sluice: EmptySluice;
let browser: Browser;
let openid: TestOpenIdProvider;

beforeAll(async () => {
  [sluice, browser] = await Promise.all([
    startEmptySluice({ SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1' }),
    launchBrowser(),
  ]);
}, readyMs);
afterAll(() => Promise.all([sluice?.stop(), openid?.close()]));

async function registerAt(redirectUri: string) {
  const returnUri = new URL('/login', sluice.consoleUrl).href;
  openid = await startOpenIdProvider({ redirectUri, returnUri, isPublic: true });
  openid.signInAs('mara', {
    email: `mara@${sluice.email.replace(/.*@/, '')}`,
    email_verified: true,
    name: 'Mara Lind',
    groups: ['staff', 'leads'],
  });
}

function startWalk() {
  const counts = { clicks: 0, fields: 0 };
  return {
    counts,
    async click(target: Locator) {
      counts.clicks++;
      await target.click();
    },
    async fill(field: Locator, text: string) {
      counts.fields++;
      await field.fill(text);
    },
  };
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

async function openPage(): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
  return { context, page: await context.newPage() };
}

async function look(page: Page, name: string) {
  await expectGoodLooks(page, `identity-providers-${name}`, everyLook);
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: 'light' });
}

async function signInAsAdministrator(page: Page) {
  await page.goto(new URL('/login', sluice.consoleUrl).href);
  await page.getByLabel('Email').fill(sluice.email);
  await page.getByLabel('Password', { exact: true }).fill(sluice.password);
  await button(page, 'Sign in').click();
  await page.waitForURL('**/admin');
}

describe('the setup from an empty data folder to the first single sign-on', () => {
  it(`the first single sign-on needs at most ${clicksMax} clicks and ${fieldsMax} fields`, async () => {
    const { page, context } = await openPage();
    const { counts, click, fill } = startWalk();
    await page.goto(sluice.consoleUrl);
    await fill(page.getByLabel('Email'), sluice.email);
    await fill(page.getByLabel('Password', { exact: true }), sluice.password);
    await click(button(page, 'Sign in'));
    await click(page.getByRole('link', { name: 'Identity providers' }));
    await page.getByText('No identity provider yet').waitFor();
    await look(page, 'empty');
    await click(button(page, 'Add identity provider'));
    const redirectUri = await page.getByText('Redirect URI').locator('code').textContent();
    await registerAt(redirectUri ?? '');
    await fill(page.getByLabel('Issuer'), openid.issuer);
    await fill(page.getByLabel('Client ID'), openid.clientId);
    await look(page, 'form');
    await click(button(page, 'Add provider'));
    await page.getByText('Identity provider added').waitFor();
    await click(button(page, 'Logout'));
    const continueButton = button(page, 'Continue with 127.0.0.1');
    await continueButton.waitFor();
    await look(page, 'sign-in');
    await click(continueButton);
    await page.waitForURL('**/dashboard');
    await page.getByText('Mara Lind').first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(counts.clicks).toBeLessThanOrEqual(clicksMax);
    expect(counts.fields).toBeLessThanOrEqual(fieldsMax);
    await context.close();
  });

  it('a sign-out also ends the session at the provider, and the next sign-in remembers the provider', async () => {
    const { page, context } = await openPage();
    await page.goto(new URL('/login', sluice.consoleUrl).href);
    await button(page, 'Continue with 127.0.0.1').click();
    await page.waitForURL('**/dashboard');
    await button(page, 'Logout').click();
    await button(page, 'Sign out').click();
    await page.waitForURL('**/login');
    expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBeNull();
    expect(openid.requests.get('/session/end/confirm')).toBe(1);
    expect(await page.evaluate(() => localStorage.getItem('sluice-sign-in-provider'))).toContain('127.0.0.1');
    await context.close();
  });

  it('the test of a provider shows the claims and that the user could sign in, and the linked user shows the source of the role', async () => {
    const { page, context } = await openPage();
    await signInAsAdministrator(page);
    await page.getByRole('link', { name: 'Identity providers' }).click();
    await button(page, 'Edit 127.0.0.1').click();
    await button(page, 'Add group').click();
    await page.getByRole('textbox', { name: 'Group 1' }).fill('leads');
    await look(page, 'mapping');
    await button(page, 'Save changes').click();
    await page.getByText('Identity provider saved').waitFor();
    await button(page, 'Test 127.0.0.1').click();
    const result = page.getByRole('dialog', { name: 'Test result for 127.0.0.1' });
    await result.getByText('This user could sign in').waitFor();
    await result.getByText('staff, leads').waitFor();
    await result.getByText('"email_verified": true').waitFor();
    await look(page, 'test');
    await button(page, 'Close').last().click();
    await page.getByText('Role user from the identity provider; it follows the groups').waitFor();
    await look(page, 'linked');
    await context.close();
  });

  it('a provider response that this tab did not request opens no session', async () => {
    const { page, context } = await openPage();
    await page.goto(new URL('/login/callback/1-foreign?code=stolen&state=x', sluice.consoleUrl).href);
    await page.getByText('This sign-in was started in another browser or tab', { exact: false }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBeNull();
    await look(page, 'foreign');
    await context.close();
  });

  it('the sign-in page names a provider that is unavailable, and the password still works', async () => {
    await openid.close();
    const { page, context } = await openPage();
    await page.goto(new URL('/login', sluice.consoleUrl).href);
    await page.route('**/api/v1/auth/sign-ins', (route) =>
      route.fulfill({
        status: 502,
        json: {
          detail:
            '127.0.0.1 is not available. Try again later, or sign in with a password if you have one. (The provider could not be reached (ECONNREFUSED).)',
        },
      }),
    );
    await button(page, 'Continue with 127.0.0.1').click();
    await page.getByText('127.0.0.1 is not available', { exact: false }).waitFor();
    await look(page, 'down');
    await signInAsAdministrator(page);
    await context.close();
  });
});
