import { describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, startConsole, token, visitConsole } from './console.ts';

startConsole();

visitConsole();

const dialog = () => page.getByRole('dialog', { name: 'Act for another tenant' });

async function openChoice(): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Act for another tenant' }).click();
  await dialog().getByLabel('Tenant', { exact: true }).click();
}

/** Returns the paths of requests that selected the second tenant. */
async function addNorthwind(id: number): Promise<readonly string[]> {
  const northwind = { id, name: 'Northwind', slug: 'northwind', status: 'active' as const };
  const named: string[] = [];
  await page.route('**/api/v1/**', async (route) => {
    const { 'x-sluice-tenant': tenant, ...headers } = route.request().headers();
    const { pathname } = new URL(route.request().url());
    if (tenant === String(id)) named.push(pathname);
    const response = await route.fetch({ headers });
    if (!/\/(tenants|auth\/me)$/.test(pathname)) return route.fulfill({ response });
    const json = await response.json();
    if (pathname.endsWith('/tenants')) json.push({ ...northwind, created_at: json[0].created_at });
    else if (tenant === String(id)) json.tenant = northwind;
    return route.fulfill({ response, json });
  });
  return named;
}

describe('a super administrator', () => {
  itAtFullSize(
    'the dialog to act for another tenant offers none if there is only the own tenant',
    async () => {
      await page.goto('/admin');
      await openChoice();
      await page.getByText('There is no other tenant').first().waitFor();
      await dialog().getByRole('button', { name: 'Act for this tenant' }).click();
      await dialog().getByText('Please choose a tenant').waitFor();
    },
  );

  it('a super administrator switches to another tenant, sees its name even after a reload, and switches back', async () => {
    const named = await addNorthwind(77);
    await page.goto('/admin/users');
    await openChoice();
    await page.getByRole('option', { name: 'Northwind' }).click();
    expect(named).toEqual([]);
    await dialog().getByRole('button', { name: 'Act for this tenant' }).click();
    await page.getByText('You are acting for Northwind.').waitFor();
    await page.getByText('You administer the tenant Northwind.').waitFor();

    await page.getByRole('link', { name: 'Users', exact: true }).first().click();
    await page.locator('table[aria-label="Users"][aria-busy="false"]').waitFor();
    expect(named).toContain('/api/v1/admin/users');
    await page.reload();
    await page.getByText('You are acting for Northwind.').waitFor();

    await page.getByRole('button', { name: 'Back to your own tenant' }).click();
    await page.getByText('You administer the tenant Default.').waitFor();
    expect(await page.getByText('You are acting for').count()).toBe(0);
    const count = named.length;
    await page.getByRole('link', { name: 'Users', exact: true }).first().click();
    await page.locator('table[aria-label="Users"][aria-busy="false"]').waitFor();
    expect(named).toHaveLength(count);
  });

  itAtFullSize(
    'a super administrator returns to their own tenant when the other tenant was deleted',
    async () => {
      await page.goto('/admin');
      await page.evaluate(
        (mark) => sessionStorage.setItem('sluice-acting-tenant', `${mark} 2147483647`),
        token.slice(-16),
      );
      await page.goto('/admin/settings');
      await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
      expect(await page.getByText('You are acting for').count()).toBe(0);
    },
  );
});
