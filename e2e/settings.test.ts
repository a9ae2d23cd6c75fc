import { createClient, settingsRoutes } from '@sluice/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';

startConsole();

visitConsole();
beforeEach(async () => {
  await settings().updateSettings({ body: { name: 'Default', time_zone: 'UTC' } });
  await page.goto('/admin/settings');
  await name().waitFor();
});

const name = () => page.getByRole('textbox', { name: 'Name' });
const zone = () => page.getByRole('combobox', { name: 'Time zone' });
const save = () => page.getByRole('button', { name: 'Save changes' });
const question = () => page.getByRole('dialog', { name: 'Discard changes?' });

const settings = () =>
  createClient(settingsRoutes, {
    baseUrl: sluice.url,
    headers: () => ({ authorization: `Bearer ${token}` }),
  });
const readSettings = () => settings().getSettings();

describe("the tenant's settings", () => {
  it('are saved, and the new name shows where the tenant is named', async () => {
    await expect.poll(() => save().isDisabled()).toBe(true);
    await name().fill('Northwind');
    await zone().fill('new york');
    await page.getByRole('option', { name: /America\/New York.*UTC-0[45]:00/ }).click();
    await page.getByText(/^It is .* in this zone now/).waitFor();
    await save().click();
    await page.getByText('Settings saved').waitFor();
    expect(await readSettings()).toMatchObject({ name: 'Northwind', time_zone: 'America/New_York' });
    await expect.poll(() => save().isDisabled()).toBe(true);

    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('You administer the tenant Northwind.').waitFor();
  });

  it('say that they are being saved', async () => {
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      void page.route('**/api/v1/admin/settings', async (route) => {
        if (route.request().method() !== 'PUT') return route.continue();
        resolve();
        await new Promise<void>((go) => {
          answer = go;
        });
        await route.continue();
      });
    });
    await name().fill('Slow');
    await save().click();
    await isAsked;
    await page.getByRole('button', { name: 'Saving...', disabled: true }).waitFor();
    answer();
    await page.getByText('Settings saved').waitFor();
  });

  it('are refused beside the field, before and by the server', async () => {
    await name().fill(' ');
    await page.getByText('Name is required').waitFor();
    await name().fill('Well');
    await page.route('**/api/v1/admin/settings', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({
            status: 422,
            json: {
              detail: [{ loc: ['body', 'time_zone'], msg: 'The database does not know it', type: 'x' }],
            },
          })
        : route.continue(),
    );
    await save().click();
    await page.getByText('The database does not know it').waitFor();
    expect(await name().inputValue()).toBe('Well');
  });

  it('that are not saved keep one from leaving unasked', async () => {
    await name().fill('Half done');
    await page.getByRole('link', { name: 'Users' }).click();
    await question().getByRole('button', { name: 'Keep editing' }).click();
    await question().waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/admin/settings');
    expect(await name().inputValue()).toBe('Half done');

    await page.getByRole('link', { name: 'Users' }).click();
    await question().getByRole('button', { name: 'Discard' }).click();
    await page.waitForURL('/admin/users');
    expect((await readSettings()).name).not.toBe('Half done');
  });

  it('can be left freely once changes are taken back', async () => {
    const former = await name().inputValue();
    await name().fill('Other');
    await name().fill(former);
    await page.getByRole('link', { name: 'Users' }).click();
    await page.waitForURL('/admin/users');
  });
});
