import type { Locator, Page } from 'playwright-core';

export async function openTenants(page: Page): Promise<void> {
  await page.goto('/admin/tenant-credits');
  await page.locator('table[aria-label="Tenant credits"][aria-busy="false"]').waitFor();
}

export const tenantRow = (page: Page, name: string): Locator =>
  page.locator('tr[data-row]').filter({ hasText: name });

/** The first administrator is invited unless a password is given. */
export async function fillTenant(
  page: Page,
  { name, email, password }: { name: string; email: string; password?: string },
): Promise<Locator> {
  await page.getByRole('button', { name: 'Create tenant' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create tenant' });
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel('Email').fill(email);
  if (password !== undefined) {
    await dialog.getByText('Create account').click();
    await dialog.getByLabel('Full Name').fill('Ada Lovelace');
    await dialog.getByLabel('Password', { exact: true }).fill(password);
  }
  return dialog;
}
