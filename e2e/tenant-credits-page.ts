import type { Page } from 'playwright-core';

export async function openTenantCredits(page: Page, search = ''): Promise<void> {
  await page.goto(`/admin/tenant-credits${search}`);
  await page.locator('table[aria-label="Tenant credits"][aria-busy="false"]').waitFor();
}

export async function beginRecharge(page: Page, amount: string): Promise<void> {
  await page
    .locator('tr[data-row]')
    .first()
    .getByRole('button', { name: /^Recharge/ })
    .click();
  const dialog = page.getByRole('dialog', { name: /^Recharge/ });
  await dialog.getByLabel('Amount').fill(amount);
  await dialog.getByRole('button', { name: 'Continue to Payment' }).click();
}

export async function payByCard(page: Page, number: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Recharge/ });
  await dialog.getByLabel('Card number').fill(number);
  await dialog.getByLabel('Expiry').fill('12 / 34');
  await dialog.getByLabel('CVC').fill('123');
  await dialog.getByRole('button', { name: /^Pay/ }).click();
}
