import { createClient, systemRoutes, tenantsRoutes, usersRoutes } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitAs, visitConsole } from './console.ts';
import { everyLook, expectGoodLooks, twoLooks } from './looks.ts';
import { chooseOption } from './select-field.ts';
import { fillTenant, openTenants, tenantRow } from './tenants-page.ts';
import { actFromMenu } from './users-page.ts';
import { signIn } from './visit.ts';

startConsole();
visitConsole({ viewport: { width: 1440, height: 820 } });

const callsOf = (session: string) => {
  const options = { baseUrl: sluice.url, headers: () => ({ authorization: `Bearer ${session}` }) };
  return {
    tenants: createClient(tenantsRoutes, options),
    users: createClient(usersRoutes, options),
    system: createClient(systemRoutes, options),
  };
};
let namesCount = 0;
async function addTenant(plan_id: string | null = null) {
  const name = `Tenant ${++namesCount}`;
  const email = `ada@tenant-${namesCount}.test`;
  const administrator = {
    administrator_email: email,
    administrator_name: 'Ada',
    administrator_password: 'lovelace1',
  };
  const { id } = await callsOf(token).tenants.createTenant({ body: { name, plan_id, ...administrator } });
  return { id, name, session: await signIn({ ...sluice, email, password: 'lovelace1' }) };
}

describe('a new tenant', () => {
  it('a new tenant gets a slug from its name, the limits of a plan, and an administrator who can sign in', async () => {
    await openTenants(page);
    const dialog = await fillTenant(page, {
      name: 'Čapek & Söhne',
      email: 'karel@capek.test',
      password: 'robots99',
    });
    expect(await dialog.getByLabel('Slug').inputValue()).toBe('capek-sohne');
    await chooseOption(dialog, 'Plan', /^Basic/);
    expect(await dialog.getByLabel('User limit').inputValue()).toBe('5');
    expect(await dialog.getByLabel('Admin limit').inputValue()).toBe('1');
    await expectGoodLooks(page, 'tenants-create', everyLook);
    await dialog.getByRole('button', { name: 'Create tenant' }).click();
    await page.getByText('Čapek & Söhne was created').waitFor();
    await tenantRow(page, '@capek-sohne').waitFor();
    await signIn({ ...sluice, email: 'karel@capek.test', password: 'robots99' });
  });

  itAtFullSize(
    'a new tenant with an invited administrator shows the invitation link, which opens the invitation',
    async () => {
      await openTenants(page);
      const dialog = await fillTenant(page, { name: 'Acme', email: 'ada@acme.test' });
      await dialog.getByRole('button', { name: 'Create tenant' }).click();
      await dialog.getByText(/^No email has been sent to ada@acme\.test yet/).waitFor();
      const link = (await dialog.locator('code').allInnerTexts()).find((text) =>
        text.includes('/invitation/'),
      );
      await dialog.getByRole('button', { name: 'Done' }).click();
      await visitAs(null);
      await page.goto(new URL(link ?? '').pathname);
      await page.getByRole('heading', { name: 'Join Acme' }).waitFor();
    },
  );

  itAtFullSize('the form of a new tenant shows errors at the fields and keeps the other input', async () => {
    await openTenants(page);
    const dialog = await fillTenant(page, { name: 'Twice', email: sluice.email, password: 'robots99' });
    await dialog.getByLabel('Slug').fill('default');
    await dialog.getByRole('button', { name: 'Create tenant' }).click();
    await dialog.getByText('Another tenant has this slug').waitFor();
    await dialog.getByLabel('Slug').fill('twice');
    await dialog.getByRole('button', { name: 'Create tenant' }).click();
    await dialog.getByText('A user with this email already exists').waitFor();
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Twice');
  });
});

describe('the limits of a tenant', () => {
  itAtFullSize(
    'tenant limits show the current usage, reject 0, and are set by the selected plan',
    async () => {
      const { name } = await addTenant('pro');
      await openTenants(page);
      await actFromMenu(page, 'Edit plan and limits', name);
      const dialog = page.getByRole('dialog', { name: `Edit ${name}` });
      await dialog.getByText('1 in use').waitFor();
      await dialog.getByLabel('Admin limit').fill('0');
      await dialog.getByRole('button', { name: 'Update tenant' }).click();
      await dialog.getByText('Admin limit must be a whole number from 1 to 1,000,000').waitFor();
      await chooseOption(dialog, 'Plan', /^Enterprise/);
      expect(await dialog.getByLabel('User limit').inputValue()).toBe('100');
      await expectGoodLooks(page, 'tenants-edit', twoLooks);
      await dialog.getByRole('button', { name: 'Update tenant' }).click();
      await page.getByText(`${name} was updated`).waitFor();
    },
  );

  itSampled(2).each([
    ['+ Create User', 'Create User'],
    ['+ Invite User', 'Invite User'],
  ])('reached tenant limits are explained in %s, for users and administrators', async (button, title) => {
    const { id, session } = await addTenant('basic');
    const { users } = callsOf(session);
    for (let count = 1; count <= 5; count++)
      await users.createUser({
        body: {
          name: `Person ${count}`,
          email: `p${count}@full-${id}.test`,
          password: 'lovelace1',
          role_id: 3,
        },
      });
    await visitAs(session, { viewport: { width: 1440, height: 820 } });
    await page.goto('/admin/users');
    await page.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.getByText('Admin limit reached. Upgrade your plan to create more admins.').waitFor();
    await dialog.getByText('1 of 1 admins on the plan Basic are in use.').waitFor();
    await dialog.getByText('User limit reached. Upgrade your plan to create more users.').waitFor();
    await dialog.getByText('5 of 5 users on the plan Basic are in use.').waitFor();
    await expectGoodLooks(page, `tenants-limits-${title === 'Create User' ? 'create' : 'invite'}`, twoLooks);
    await dialog
      .getByRole('link', { name: /upgrade the plan/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'Tenant Credits' }).waitFor();
  });
});

describe('a suspended tenant', () => {
  it('a suspended tenant shows its administrator the reason until it is reactivated', async () => {
    const { id, name, session } = await addTenant();
    await openTenants(page);
    await actFromMenu(page, 'Suspend', name);
    const dialog = page.getByRole('dialog', { name: `Suspend ${name}` });
    await dialog.getByLabel('Reason').fill('The invoice of October is overdue');
    await expectGoodLooks(page, 'tenants-suspend', twoLooks);
    await dialog.getByRole('button', { name: 'Suspend tenant' }).click();
    await page.getByText(`${name} is suspended`).waitFor();
    await page.setViewportSize({ width: 1440, height: 820 });
    await tenantRow(page, name).getByText('Suspended').filter({ visible: true }).waitFor();

    await visitAs(session, { viewport: { width: 1440, height: 820 } });
    await page.goto('/admin/users');
    await page.getByText(`${name} is suspended: The invoice of October is overdue.`).first().waitFor();
    await expectGoodLooks(page, 'tenants-suspended', twoLooks);

    await visitAs(token, { viewport: { width: 1440, height: 820 } });
    await openTenants(page);
    await actFromMenu(page, 'Reactivate', name);
    await page.getByRole('dialog').getByRole('button', { name: 'Reactivate' }).click();
    await tenantRow(page, name).getByText('Active').waitFor();
    expect((await callsOf(session).system.getStatus()).banners).toEqual([]);
    expect(await callsOf(token).tenants.getTenant({ params: { id } })).toMatchObject({ status: 'active' });
  });

  itAtFullSize('the tenant of the super administrators cannot be suspended', async () => {
    await openTenants(page);
    await actFromMenu(page, 'Suspend', 'Default');
    const dialog = page.getByRole('dialog', { name: 'Suspend Default' });
    await dialog.getByLabel('Reason').fill('x');
    await dialog.getByRole('button', { name: 'Suspend tenant' }).click();
    await dialog.getByText('Default is the tenant of super administrators and cannot be suspended').waitFor();
  });
});

itAtFullSize(
  'an administrator can recharge and inspect their own tenant, but not create or change tenants',
  async () => {
    const { session } = await addTenant();
    await visitAs(session, { viewport: { width: 1440, height: 820 } });
    await openTenants(page);
    expect(await page.getByRole('button', { name: 'Create tenant' }).count()).toBe(0);
    await page.getByRole('button', { name: /^More actions/ }).click();
    await page.getByRole('menuitem', { name: 'Details' }).waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
      'Recharge',
      'Details',
      'Proof of balance',
    ]);
  },
);
