import type { Role } from '@sluice/contract';
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitAs, visitConsole } from './console.ts';
import { chooseOption, readOptions } from './select-field.ts';
import {
  actFromMenu,
  answer,
  callsAs,
  hold,
  listAddress,
  openUsers,
  rolesAddress,
  rowOf,
} from './users-page.ts';
import { signIn } from './visit.ts';

const userRoleId = 3;
const administratorRoleId = 2;
const viewport = { width: 1440, height: 820 };

let calls: ReturnType<typeof callsAs>;

startConsole();
beforeAll(async () => {
  calls = callsAs(token, sluice);
});

visitConsole({
  permissions: ['clipboard-read', 'clipboard-write'],
  viewport,
});

let people = 0;

async function addPerson(fields: { name?: string; role_id?: number } = {}) {
  people++;
  const { name = `Person ${people}`, role_id = userRoleId } = fields;
  const email = `person.${people}@northwind.dev`;
  return calls.users.createUser({ body: { name, email, password: 'secret1', role_id } });
}

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });

async function openCreate() {
  await openUsers(page);
  await page.getByRole('button', { name: '+ Create User' }).click();
  const form = dialog('Create User');
  await form.waitFor();
  return form;
}

async function openEdit(name: string) {
  await openUsers(page);
  await actFromMenu(page, 'Edit', name);
  const form = dialog('Edit User');
  await form.waitFor();
  return form;
}

async function expectRefusals(
  form: Locator,
  button: string,
  cases: [label: string, text: string, words: string][],
) {
  for (const [label, text, words] of cases) {
    await form.getByLabel(label, { exact: true }).fill(text);
    await form.getByRole('button', { name: button }).click();
    await expect.poll(() => problemOf(label), { message: `${label}: "${text}"` }).toBe(words);
  }
}

async function problemOf(label: string) {
  const field = page.getByRole('dialog').getByLabel(label, { exact: true });
  const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
  const problems = ids.filter((id) => id.endsWith('-error')).map((id) => page.locator(`[id="${id}"]`));
  return problems[0] ? problems[0].innerText() : null;
}

describe('the form for a new user', () => {
  itAtFullSize('the new user form has default values and the role user selected', async () => {
    const form = await openCreate();
    const field = (label: string) => form.getByLabel(label, { exact: true });
    expect(await field('Password').getAttribute('placeholder')).toBe('Min. 6 characters');
    expect(await field('Daily quota').getAttribute('placeholder')).toBe('1000');
    expect(await field('Monthly quota').getAttribute('placeholder')).toBe('30000');
    expect(await field('Requests per hour').getAttribute('placeholder')).toBe('100');
    await field('Email').waitFor();
    await field('Full Name').waitFor();
    await expect.poll(() => field('Role').inputValue()).toBe('User');
    await form.getByText('Standard user with task access only').waitFor();
  });

  itAtFullSize(
    'the new user form rejects missing and out-of-range values with a message at each field and sends nothing',
    async () => {
      const form = await openCreate();
      const sent: string[] = [];
      page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
      await expectRefusals(form, 'Create User', [
        ['Email', '', 'Email is required'],
        ['Email', 'mira.novak@northwind', 'Please enter a valid email'],
        ['Full Name', '   ', 'Name is required'],
        ['Password', '', 'Password is required'],
        ['Password', '12345', 'Password must be at least 6 characters'],
        ['Daily quota', '0', 'Daily quota must be at least 1'],
        ['Daily quota', '-5', 'Daily quota must be at least 1'],
        ['Monthly quota', '0', 'Monthly quota must be at least 1'],
        ['Requests per hour', '0', 'Requests per hour must be at least 1'],
        ['Daily quota', '99999999999999999999', 'Daily quota must be a whole number of at most 15 digits'],
      ]);
      expect(sent).toEqual([]);
    },
  );

  itAtFullSize("the new user form requires a role: 'Role selection is required'", async () => {
    const form = await openCreate();
    await chooseOption(form, 'Role', 'Select a role');
    await form.getByRole('button', { name: 'Create User' }).click();
    await expect.poll(() => problemOf('Role')).toBe('Role selection is required');
  });

  itAtFullSize('the new user form shows server errors at the field and keeps the input', async () => {
    const taken = await addPerson();
    const form = await openCreate();
    await form.getByLabel('Email').fill(taken.email);
    await form.getByLabel('Full Name').fill('Somebody Else');
    await form.getByLabel('Password', { exact: true }).fill('secret1');
    await form.getByRole('button', { name: 'Create User' }).click();
    await expect.poll(() => problemOf('Email')).toBe('A user with this email already exists');
    expect(await form.getByLabel('Full Name').inputValue()).toBe('Somebody Else');
  });

  it("the new user form creates one user even if pressed repeatedly: 'Creating User...'", async () => {
    const [name, email] = [`Mira Novak ${++people}`, `mira.${people}@northwind.dev`];
    const form = await openCreate();
    await form.getByLabel('Email').fill(email);
    await form.getByLabel('Full Name').fill(name);
    await form.getByLabel('Password', { exact: true }).fill('secret1');
    const bodies: unknown[] = [];
    page.on('request', (request) => request.method() === 'POST' && bodies.push(request.postDataJSON()));
    const release = await hold(page, listAddress, 'POST');
    await form.getByRole('button', { name: 'Create User' }).click();
    await form.getByRole('button', { name: 'Creating User...' }).click({ force: true });
    release();
    await form.waitFor({ state: 'detached' });
    await page.getByText(`${name} was created`).waitFor();
    for (const quota of ['1,000 a day', '30,000 a month', '100 requests/h'])
      expect(await rowOf(page, name).innerText()).toContain(quota);
    expect(bodies).toEqual([{ email, name, password: 'secret1', role_id: userRoleId }]);
  });

  itAtFullSize(
    'the new user form closes by Cancel, the close button and Escape, and asks for confirmation if there is input',
    async () => {
      for (const close of ['Cancel', 'Close', 'Escape']) {
        const form = await openCreate();
        if (close === 'Escape') await page.keyboard.press('Escape');
        else await form.getByRole('button', { name: close }).click();
        await form.waitFor({ state: 'detached' });
      }
      const form = await openCreate();
      await form.getByLabel('Full Name').fill('Mira');
      await form.getByRole('button', { name: 'Cancel' }).click();
      await dialog('Discard changes?').getByRole('button', { name: 'Keep editing' }).click();
      expect(await form.getByLabel('Full Name').inputValue()).toBe('Mira');
    },
  );
});

describe('the roles to choose from', () => {
  const roles = (admins: number, max: number | null): Role[] => [
    { id: 1, name: 'super_admin', description: 'Operates the platform', can_assign: false },
    {
      id: 2,
      name: 'admin',
      description: 'Manages one tenant',
      can_assign: max === null || admins < max,
      current_count: admins,
      max_allowed: max,
      ...(max !== null && { limit: { taken: admins, allowed: max, plan: 'Pro' } }),
    },
    { id: 3, name: 'user', description: 'Standard user with task access only', can_assign: true },
  ];
  const limit = 'Admin limit reached. Upgrade your plan to create more admins.';

  itAtFullSize("the role field shows 'Loading roles...' until the roles are loaded", async () => {
    const release = await hold(page, rolesAddress);
    const form = await openCreate();
    const role = form.getByLabel('Role');
    expect(await role.inputValue()).toBe('Loading roles...');
    expect(await role.isDisabled()).toBe(true);
    release();
    await expect.poll(() => role.inputValue()).toBe('User');
  });

  itAtFullSize(
    'the role field shows the number and limit of administrators, and disables unavailable roles',
    async () => {
      await page.route(rolesAddress, answer(200, roles(1, 3)));
      const form = await openCreate();
      await expect.poll(() => form.getByLabel('Role').inputValue()).toBe('User');
      expect(await readOptions(form, 'Role')).toEqual([
        'Select a role',
        'Super admin Not permitted',
        'Admin (1/3)',
        'User',
      ]);
      expect(await form.getByText(limit).count()).toBe(0);
    },
  );

  itAtFullSize('the role administrator is disabled at the limit, with the reason', async () => {
    await page.route(rolesAddress, answer(200, roles(2, 2)));
    const form = await openCreate();
    await form.getByText(limit, { exact: true }).waitFor();
    const offered = await readOptions(form, 'Role');
    expect(offered).toEqual(
      expect.arrayContaining(['Super admin Not permitted', 'Admin (2/2) Limit reached']),
    );
    await form.getByLabel('Role').click();
    expect(await page.getByRole('option', { disabled: true }).count()).toBe(2);
  });

  itAtFullSize('an administrator keeps the role when its limit is reached', async () => {
    const tom = await addPerson({ role_id: 2 });
    await page.route(rolesAddress, answer(200, roles(2, 2)));
    const form = await openEdit(tom.name);
    await form.getByText(limit, { exact: true }).waitFor();
    expect(await form.getByLabel('Role').inputValue()).toBe('Admin (2/2)');
    expect(await readOptions(form, 'Role')).toContain('Admin (2/2)');
  });

  itAtFullSize(
    'the role field offers only the role user if the roles cannot be loaded, and logs the error',
    async () => {
      const warnings: string[] = [];
      page.on('console', (entry) => entry.type() === 'warning' && warnings.push(entry.text()));
      await page.route(rolesAddress, answer(500, { detail: 'The database is unavailable' }));
      const form = await openCreate();
      const role = form.getByLabel('Role');
      await expect.poll(() => role.inputValue()).toBe('User');
      expect(await readOptions(form, 'Role')).toEqual(['Select a role', 'User']);
      await form.getByText('Standard user with task access only').waitFor();
      expect(warnings).toEqual([expect.stringContaining('The roles could not be loaded')]);
      expect(await page.getByText('The database is unavailable').count()).toBe(0);
    },
  );
});

describe('the form of a user', () => {
  itAtFullSize("the edit user form sends only changed fields: 'Updating User...'", async () => {
    const person = await addPerson();
    const form = await openEdit(person.name);
    expect(await form.getByRole('button', { name: 'Update User' }).isDisabled()).toBe(true);
    expect(await form.getByLabel('User is active').isChecked()).toBe(true);
    expect(await form.getByLabel('Daily quota').inputValue()).toBe('1,000');
    const name = `Renamed ${person.name}`;
    await form.getByLabel('Full Name').fill(` ${name} `);
    await form.getByLabel('Monthly quota').fill('45000');
    const bodies: unknown[] = [];
    page.on('request', (request) => request.method() === 'PUT' && bodies.push(request.postDataJSON()));
    const release = await hold(page, `${listAddress}/${person.id}`, 'PUT');
    await form.getByRole('button', { name: 'Update User' }).click();
    await form.getByRole('button', { name: 'Updating User...' }).waitFor();
    release();
    await form.waitFor({ state: 'detached' });
    expect(bodies).toEqual([{ name, monthly_quota: 45_000 }]);
    expect(await rowOf(page, name).innerText()).toContain('45,000 a month');
  });

  it('the edit user form changes the role and deactivates the user', async () => {
    const person = await addPerson();
    const form = await openEdit(person.name);
    await chooseOption(form, 'Role', /^Admin/);
    await form.getByLabel('User is active').uncheck();
    await form.getByRole('button', { name: 'Update User' }).click();
    await form.waitFor({ state: 'detached' });
    await rowOf(page, person.name).getByText('Admin', { exact: true }).waitFor();
    await rowOf(page, person.name).getByRole('cell', { name: 'Inactive', exact: true }).waitFor();
  });

  itAtFullSize(
    'the edit user form treats an empty limit as unlimited, and 0 as a limit of zero',
    async () => {
      const person = await addPerson();
      const form = await openEdit(person.name);
      for (const label of ['Daily quota', 'Monthly quota', 'Requests per hour']) {
        await form.getByLabel(label).fill('');
        expect(await form.getByLabel(label).getAttribute('placeholder')).toBe('Unlimited');
      }
      await form.getByRole('button', { name: 'Update User' }).click();
      await form.waitFor({ state: 'detached' });
      await rowOf(page, person.name).getByText('Unlimited', { exact: true }).waitFor();
      const { daily_quota, monthly_quota, requests_per_hour } = await calls.users.getUser({
        params: { id: person.id },
      });
      expect([daily_quota, monthly_quota, requests_per_hour]).toEqual([null, null, null]);

      await actFromMenu(page, 'Edit', person.name);
      await form.getByLabel('Daily quota').fill('0');
      await form.getByRole('button', { name: 'Update User' }).click();
      await rowOf(page, person.name).getByText('unlimited a month').waitFor();
    },
  );

  itAtFullSize(
    'the edit user form rejects missing and out-of-range values with a message at each field',
    async () => {
      const form = await openEdit('Administrator');
      await expectRefusals(form, 'Update User', [
        ['Email', '', 'Email is required'],
        ['Email', 'nobody', 'Please enter a valid email'],
        ['Full Name', '', 'Name is required'],
        ['Daily quota', '-1', 'Daily quota must be non-negative'],
        ['Monthly quota', '-1', 'Monthly quota must be non-negative'],
        ['Requests per hour', '-1', 'Requests per hour must be non-negative'],
      ]);
    },
  );

  itAtFullSize('the edit user form shows server errors', async () => {
    const person = await addPerson();
    await page.route(`${listAddress}/${person.id}`, answer(409, { detail: 'Somebody was faster' }));
    const form = await openEdit(person.name);
    await form.getByLabel('Full Name').fill('Too Late');
    await form.getByRole('button', { name: 'Update User' }).click();
    await form.getByRole('alert').getByText('Somebody was faster').waitFor();
  });
});

describe('blocking', () => {
  it("blocking a user requires a reason and covers the page meanwhile: 'Blocking user...'", async () => {
    const person = await addPerson();
    await openUsers(page);
    await actFromMenu(page, 'Block', person.name);
    const form = dialog(`Block ${person.name}`);
    const confirm = form.getByRole('button', { name: 'Block User' });
    expect(await confirm.isDisabled()).toBe(true);
    await form.getByLabel('Reason').fill('   \n ');
    expect(await confirm.isDisabled()).toBe(true);
    await form.getByLabel('Reason').fill('  Sold the key  ');
    const release = await hold(page, `${listAddress}/${person.id}/block*`, 'POST');
    await confirm.click();
    const overlay = page.getByText('Blocking user...', { exact: true });
    await overlay.waitFor();
    const covered = await page.getByRole('dialog', { name: 'Please wait' }).boundingBox();
    expect(covered).toMatchObject({ x: 0, y: 0, width: 1440, height: 820 });
    release();
    await overlay.waitFor({ state: 'detached' });
    await form.waitFor({ state: 'detached' });
    await rowOf(page, person.name).getByRole('button', { name: 'Blocked' }).waitFor();
    const { blocked_reason } = await calls.users.getUser({ params: { id: person.id } });
    expect(blocked_reason).toBe('Sold the key');
  });

  itAtFullSize(
    'the block dialog shows the error of a rejected block and keeps the entered reason',
    async () => {
      const person = await addPerson();
      await page.route(`${listAddress}/${person.id}/block*`, answer(403, { detail: 'Not that one' }));
      await openUsers(page);
      await actFromMenu(page, 'Block', person.name);
      const form = dialog(`Block ${person.name}`);
      await form.getByLabel('Reason').fill('A reason');
      await form.getByRole('button', { name: 'Block User' }).click();
      await form.getByRole('alert').getByText('Not that one').waitFor();
      expect(await form.getByLabel('Reason').inputValue()).toBe('A reason');
      expect(await page.getByText('Blocking user...').count()).toBe(0);
    },
  );

  itAtFullSize("unblocking a user applies without a confirmation: 'Unblocking user...'", async () => {
    const person = await addPerson();
    await calls.users.blockUser({ params: { id: person.id }, query: { reason: 'A reason' } });
    await openUsers(page);
    const release = await hold(page, `${listAddress}/${person.id}/unblock`, 'POST');
    await actFromMenu(page, 'Unblock', person.name);
    await page.getByText('Unblocking user...', { exact: true }).waitFor();
    release();
    await rowOf(page, person.name).getByRole('cell', { name: 'Active', exact: true }).waitFor();
    expect(await page.getByText('Unblocking user...').count()).toBe(0);
  });

  itAtFullSize('unblocking a user that fails shows an error', async () => {
    const person = await addPerson();
    await calls.users.blockUser({ params: { id: person.id }, query: { reason: 'A reason' } });
    await page.route(`${listAddress}/${person.id}/unblock`, (route) => route.abort());
    await openUsers(page);
    await actFromMenu(page, 'Unblock', person.name);
    await page.getByText('Failed to unblock user').waitFor();
  });
});

describe('setting a password', () => {
  it('setting a password generates a password and shows it once with a copy button, and the user can sign in with it', async () => {
    const person = await addPerson();
    await openUsers(page);
    await actFromMenu(page, 'Set password', person.name);
    const form = dialog(`Set password of ${person.name}`);
    await form.getByRole('button', { name: 'Generate' }).click();
    const generated = await form.getByLabel('Password', { exact: true }).inputValue();
    expect(generated).toMatch(/^(\w{5}-){3}\w{5}$/);
    await form.getByRole('button', { name: 'Set password' }).click();
    await form.getByText(/It is shown only once/).waitFor();
    expect(await form.getByLabel('New password').getAttribute('type')).toBe('password');
    await form.getByRole('button', { name: 'Copy password' }).click();
    await form.getByText('Copied').first().waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(generated);
    await form.getByRole('button', { name: 'Done' }).click();
    await form.waitFor({ state: 'detached' });

    await expect(signIn({ ...sluice, email: person.email, password: generated })).resolves.toBeTruthy();
    await expect(signIn({ ...sluice, email: person.email, password: 'secret1' })).rejects.toThrow();
    await actFromMenu(page, 'Set password', person.name);
    expect(await form.getByLabel('Password', { exact: true }).inputValue()).toBe('');
  });

  itAtFullSize('setting a password rejects short passwords', async () => {
    const person = await addPerson();
    await openUsers(page);
    await actFromMenu(page, 'Set password', person.name);
    const form = dialog(`Set password of ${person.name}`);
    await expectRefusals(form, 'Set password', [
      ['Password', '', 'Password is required'],
      ['Password', '12345', 'Password must be at least 6 characters'],
    ]);
  });

  itAtFullSize(
    'setting the own password requires the current password, keeps this session and ends the others',
    async () => {
      const { email, name } = await addPerson({ role_id: administratorRoleId });
      const signInAs = (password: string) => signIn({ ...sluice, email, password });
      const [here, elsewhere] = [await signInAs('secret1'), await signInAs('secret1')];
      await visitAs(here, { viewport });
      await openUsers(page);
      await actFromMenu(page, 'Set password', name);
      const form = dialog(`Set password of ${name}`);
      await form.getByText('You stay signed in here. All your other sessions end.').waitFor();
      await form.getByLabel('Current password').fill('not-my-password');
      await form.getByLabel('New password').fill('renewed-1');
      await form.getByRole('button', { name: 'Set password' }).click();
      await form.getByText('Current password is incorrect').waitFor();
      await form.getByLabel('Current password').fill('secret1');
      await form.getByRole('button', { name: 'Set password' }).click();
      await page.getByText('Password changed successfully!').waitFor();
      await form.waitFor({ state: 'detached' });
      await openUsers(page);
      await rowOf(page, name).waitFor();
      await expect(callsAs(elsewhere, sluice).users.listUsers({ query: {} })).rejects.toMatchObject({
        status: 401,
      });
      await expect(signInAs('renewed-1')).resolves.toBeTruthy();
    },
  );
});
