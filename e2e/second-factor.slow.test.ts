import { authRoutes, createClient, settingsRoutes, usersRoutes } from '@sluice/contract';
import type { CDPSession } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { computeTotp, totpStepOf } from '../server/src/domain/totp.ts';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitAs } from './console.ts';
import { everyLook, expectGoodLooks } from './looks.ts';

startConsole();

const person = { name: 'Lena Marsh', email: 'lena@second.test', password: 'correct horse battery' };
let personId: number;
/** Must be on localhost, at which passkeys work. */
let publicUrl: string;

const clientOptions = () => ({ baseUrl: sluice.url, headers: () => ({ authorization: `Bearer ${token}` }) });

beforeAll(async () => {
  publicUrl = `http://localhost:${new URL(sluice.url).port}`;
  const users = createClient(usersRoutes, clientOptions());
  const { id } = await users.createUser({ body: { ...person, role_id: 3 } });
  personId = id;
});

async function enterPassword(email = person.email, password = person.password): Promise<void> {
  await page.goto(`${publicUrl}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const arrive = () => page.waitForURL(/\/(dashboard|admin)/);

async function openFactors(): Promise<void> {
  await page.goto(`${publicUrl}/dashboard/profile`);
  await page.getByRole('region', { name: 'Second factor' }).waitFor();
}

const dialog = () => page.getByRole('dialog');

/** Each code works once, so later codes need a higher `stepsAhead`. */
const codeOf = (secret: string, stepsAhead: number) =>
  computeTotp(secret, totpStepOf(Date.now()) + stepsAhead);

async function readKey(): Promise<string> {
  const shown = await dialog().locator('code').innerText();
  return shown.replaceAll(/\s/g, '');
}

async function addApp(): Promise<{ secret: string; recoveryCodes: string[] }> {
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  await dialog().getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  const secret = await readKey();
  await dialog().getByLabel('Code', { exact: true }).fill(codeOf(secret, -1));
  await dialog().getByRole('button', { name: 'Add app' }).click();
  const list = dialog().getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  const recoveryCodes = await list.locator('code').allInnerTexts();
  return { secret, recoveryCodes };
}

/** The authenticator confirms passkeys automatically while its user is present. */
async function addDevice() {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    setPresent: (enabled: boolean) =>
      session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    setVerified: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

describe('second factor', () => {
  it('a user sets up an authenticator app and a passkey, and signs in with each and with a recovery code', async () => {
    await visitAs(null);
    const device = await addDevice();
    await enterPassword();
    await arrive();
    await openFactors();
    await page.getByText('Off. You sign in with your password only.').waitFor();
    await page.getByRole('button', { name: 'Add authenticator app' }).click();
    await dialog().getByRole('img').waitFor();
    await expectGoodLooks(page, 'second-factor-app', everyLook);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    const { secret, recoveryCodes } = await addApp();
    expect(recoveryCodes).toHaveLength(10);
    await expectGoodLooks(page, 'second-factor-codes', everyLook);
    await dialog().getByRole('button', { name: 'I stored them' }).click();
    await page.getByText('On. Signing in requires your password and a second factor.').waitFor();

    await page.getByRole('button', { name: 'Add passkey' }).click();
    await dialog().getByLabel('Name').fill('Work laptop');
    await page.keyboard.press('Enter');
    await page.getByText('Passkey Work laptop').waitFor();
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Second factor' }).scrollIntoViewIfNeeded();
    await expectGoodLooks(page, 'second-factor-profile', everyLook);
    await page.setViewportSize({ width: 1280, height: 720 });

    // The sign-in page offers the passkey in the autofill. With the user present, the authenticator would confirm
    // immediately.
    await device.setPresent(false);

    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(/\/login/);
    await enterPassword();
    const code = page.getByLabel('Code from your authenticator app');
    await code.waitFor();
    await expectGoodLooks(page, 'second-factor-step', everyLook);
    await page.setViewportSize({ width: 1280, height: 720 });
    await expect.poll(() => page.evaluate('document.activeElement.autocomplete')).toBe('one-time-code');
    const right = codeOf(secret, 0);
    await code.fill(right === '000000' ? '111111' : '000000');
    await page.getByText('This code is incorrect or was already used.').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBeNull();
    await code.fill(`${right.slice(0, 3)} ${right.slice(3)}`);
    await arrive();

    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(/\/login/);
    await enterPassword();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await device.setPresent(true);
    await page.getByRole('button', { name: 'Use passkey' }).click();
    await arrive();
    await device.setPresent(false);

    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(/\/login/);
    const offered = page.waitForResponse('**/api/v1/auth/passkey/options');
    await page.goto(`${publicUrl}/login`);
    await offered;
    const alone = page.getByRole('button', { name: 'Continue with a passkey' });
    await alone.waitFor();
    await expectGoodLooks(page, 'sign-in-passkey', everyLook);
    await page.setViewportSize({ width: 1280, height: 720 });
    // The virtual authenticator does not apply a changed presence to a waiting request, such as the autofill request.
    await device.setPresent(true);
    await alone.click();
    await arrive();
    await device.setPresent(false);

    // A passkey without user verification does not replace both steps.
    const offeredAgain = page.waitForResponse('**/api/v1/auth/passkey/options');
    await page.getByRole('button', { name: 'Logout' }).click();
    await offeredAgain;
    await alone.waitFor();
    await device.setVerified(false);
    await device.setPresent(true);
    await alone.click();
    await page.getByText('No passkey was used: the request was canceled or timed out.').waitFor();

    // The browser selects the only passkey in the autofill.
    await device.setVerified(true);
    await page.reload();
    await arrive();
    await device.setPresent(false);

    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(/\/login/);
    await enterPassword();
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
    await page.keyboard.press('Enter');
    await arrive();
    await openFactors();
    await page.getByText('9 unused codes').waitFor();
  });

  it('an administrator sees the second factor of a user and resets it when the device is lost', async () => {
    await visitAs(token);
    await page.goto(`/admin/users?open=${personId}`);
    const drawer = page.getByRole('complementary', { name: 'User details' }).or(page.getByRole('dialog'));
    await drawer.getByText('Second factor').first().waitFor();
    await page.getByRole('button', { name: 'Reset second factor' }).first().click();
    await page.getByText('Reset the second factor of Lena Marsh?').waitFor();
    await page.getByRole('button', { name: 'Reset second factor' }).last().click();
    await page.getByText('The second factor of Lena Marsh is reset').waitFor();
    const { access_token } = await createClient(authRoutes, {
      ...clientOptions(),
      headers: () => ({}),
    }).login({
      form: { username: person.email, password: person.password },
    });
    expect(access_token).toBeTruthy();
  });

  it('a user whose role requires a second factor can only set one up, and then continues', async () => {
    await visitAs(token);
    await page.goto('/admin/settings');
    await page.getByRole('switch', { name: 'Users must have a second factor' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Settings saved').waitFor();

    await visitAs(null);
    await enterPassword();
    await page.waitForURL(/\/second-factor/);
    await page.getByText('Your role requires a second factor. Add one to continue.').waitFor();
    await expectGoodLooks(page, 'second-factor-required', everyLook);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.goto(`${publicUrl}/dashboard/usage`);
    await page.waitForURL(/\/second-factor/);
    await addApp();
    await dialog().getByRole('button', { name: 'I stored them' }).click();
    await page.getByRole('button', { name: 'Continue to Sluice' }).click();
    await page.waitForURL(/\/dashboard/);
    const settings = createClient(settingsRoutes, clientOptions());
    await settings.updateSettings({ body: { second_factor_roles: [] } });
  });

  itAtFullSize(
    'a super administrator is asked to set up a second factor after a sign-in until the notice is dismissed',
    async () => {
      await visitAs(null);
      await enterPassword(sluice.email, sluice.password);
      await page.waitForURL(/\/admin/);
      await page.getByRole('link', { name: 'Set up a second factor' }).waitFor();
      await expectGoodLooks(page, 'second-factor-prompt', everyLook);
      await page.getByRole('button', { name: 'Later' }).click();
      await page.getByRole('link', { name: 'Set up a second factor' }).waitFor({ state: 'detached' });
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.getByRole('link', { name: 'Set up a second factor' }).count()).toBe(0);
    },
  );
});
