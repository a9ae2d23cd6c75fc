import { readFile } from 'node:fs/promises';
import { createClient, invitationsRoutes, outboxRoutes, settingsRoutes, teamsRoutes } from '@sluice/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { chooseOption } from './select-field.ts';
import { callsAs, openUsers, rowOf } from './users-page.ts';

startConsole();
visitConsole({ viewport: { width: 1440, height: 900 } });

const options = {
  get baseUrl() {
    return sluice.url;
  },
  headers: () => ({ authorization: `Bearer ${token}` }),
};
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
let teamId: number;

beforeAll(async () => {
  const { users } = callsAs(token, sluice);
  for (const name of ['Ada Stone', 'Ben Hill', 'Cy Wood']) {
    const email = `${name.split(' ')[0]}@northwind.dev`;
    await users.createUser({ body: { name, email, password: 'secret1', role_id: 3 } });
  }
  ({ id: teamId } = await createClient(teamsRoutes, options).createTeam({ body: { name: 'Platform' } }));
});

const select = (name: string) => rowOf(page, name).getByRole('checkbox').check();
const press = (name: string) =>
  page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name, exact: true }).click();

describe('several invitations', () => {
  it('a pasted list is invited with the same role, team and limits, and failed rows remain with the reason', async () => {
    await page.goto('/admin/users');
    await page.getByRole('button', { name: '+ Invite User' }).click();
    const form = dialog('Invite User');
    await form.getByText('Several addresses').click();
    await form
      .getByLabel('Email addresses')
      .fill('Ida <ida@northwind.dev>, jo@northwind.dev\nben@northwind.dev\nkim@northwind');
    await form.getByText('3 invitations, 1 problem. kim@northwind: Please enter a valid email').waitFor();
    await chooseOption(form, 'Team', 'Platform');
    await form.getByLabel('Daily quota').fill('2,500');
    await form.getByRole('button', { name: 'Send 3 Invitations' }).click();

    const failures = form.getByRole('list', { name: 'Failed rows' });
    await failures.getByText('kim@northwind: Please enter a valid email').waitFor();
    await failures.getByText('ben@northwind.dev: A user with this email already exists').waitFor();
    await form.getByText('2 rows failed and stayed in the list. 2 invitations sent.').waitFor();
    expect(await form.getByLabel('Email addresses').inputValue()).toBe('kim@northwind\nben@northwind.dev');
    const invited = await createClient(invitationsRoutes, options).listInvitations({ query: {} });
    expect(invited.map(({ email }) => email)).toEqual(['jo@northwind.dev', 'ida@northwind.dev']);

    const mails = await createClient(outboxRoutes, options).listMails({ query: {} });
    const link = new URL(mails.find(({ to_address }) => to_address === 'ida@northwind.dev')?.link ?? '');
    await createClient(invitationsRoutes, { baseUrl: sluice.url, headers: () => ({}) }).acceptInvitation({
      params: { token: link.pathname.replace('/invitation/', '') },
      body: { name: 'Ida Holm', password: 'a fine secret' },
    });
    const ida = (await callsAs(token, sluice).users.listUsers({ query: {} })).find(
      ({ name }) => name === 'Ida Holm',
    );
    expect(ida).toMatchObject({ daily_quota: 2500, monthly_quota: 30_000 });
    const { members } = await createClient(teamsRoutes, options).getTeam({ params: { id: teamId } });
    expect(members?.map(({ user_name }) => user_name)).toEqual(['Ida Holm']);
  });

  itAtFullSize('a CSV file gives each invitation its own role', async () => {
    await page.goto('/admin/users?add=invite');
    const form = dialog('Invite User');
    await form.getByText('Several addresses').click();
    await page.locator('input[type="file"]').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('email,role,daily_quota\nlu@northwind.dev,admin,\nmo@northwind.dev,,unlimited\n'),
    });
    await form.getByText('2 invitations', { exact: true }).waitFor();
    await form.getByRole('button', { name: 'Send 2 Invitations' }).click();
    await page.getByText('2 invitations sent').waitFor();
    await form.waitFor({ state: 'detached' });
    const invited = await createClient(invitationsRoutes, options).listInvitations({ query: {} });
    expect(invited.find(({ email }) => email === 'lu@northwind.dev')).toMatchObject({ role: 'admin' });
    expect(invited.find(({ email }) => email === 'mo@northwind.dev')).toMatchObject({ role: 'user' });
  });
});

describe('selected users', () => {
  it('limits of several users change in one dialog', async () => {
    await openUsers(page);
    for (const name of ['Ada Stone', 'Ben Hill']) await select(name);
    await page.getByText('2 selected').waitFor();
    await press('Set limits');
    const form = dialog('Set limits: 2 users');
    await form.getByLabel('Daily quota').fill('70,000');
    await form.getByRole('button', { name: 'Set limits' }).click();
    await form.waitFor({ state: 'detached' });
    for (const name of ['Ada Stone', 'Ben Hill']) {
      await rowOf(page, name).getByText('70,000 a day').waitFor();
      await rowOf(page, name).getByText('30,000 a month').waitFor();
    }
    expect(await rowOf(page, 'Cy Wood').innerText()).not.toContain('70,000');
  });

  itAtFullSize(
    'blocking several users fails for the caller, who remains selected with the reason',
    async () => {
      await openUsers(page);
      for (const name of ['Administrator', 'Cy Wood']) await select(name);
      await press('Block');
      const form = dialog(/^Block: /);
      await form.getByLabel('Reason').fill('Left the company');
      await form.getByRole('button', { name: 'Block users' }).click();
      await form.getByText('Administrator: You cannot block yourself').waitFor();
      await form.getByText('1 user could not be changed and stays selected.').waitFor();
      await rowOf(page, 'Cy Wood').getByText('Blocked').filter({ visible: true }).waitFor();
    },
  );

  itAtFullSize('selected users are added to a team and exported', async () => {
    await openUsers(page);
    for (const name of ['Ada Stone', 'Ben Hill']) await select(name);
    await press('Add to team');
    const form = dialog('Add to team: 2 users');
    await chooseOption(form, 'Team', 'Platform');
    await form.getByRole('button', { name: 'Add to team' }).click();
    await form.waitFor({ state: 'detached' });
    const { members } = await createClient(teamsRoutes, options).getTeam({ params: { id: teamId } });
    expect(members?.map(({ user_name }) => user_name)).toEqual(
      expect.arrayContaining(['Ada Stone', 'Ben Hill']),
    );

    await select('Cy Wood');
    const [download] = await Promise.all([page.waitForEvent('download'), press('Export CSV')]);
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toContain('Cy Wood');
    expect(text).not.toContain('Ben Hill');
  });
});

describe('default limits', () => {
  it('users created without limits get the default limits from Settings', async () => {
    await page.goto('/admin/settings');
    await page.getByLabel('Daily quota').fill('50,000');
    await page.getByLabel('Monthly quota').fill('');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Settings saved').waitFor();
    expect(await createClient(settingsRoutes, options).getSettings()).toMatchObject({
      default_daily_quota: 50_000,
      default_monthly_quota: null,
      default_requests_per_hour: 100,
    });
    const { users } = callsAs(token, sluice);
    const body = { name: 'Di Park', email: 'di@northwind.dev', password: 'secret1', role_id: 3 };
    expect(await users.createUser({ body })).toMatchObject({
      daily_quota: 50_000,
      monthly_quota: null,
      requests_per_hour: 100,
    });
  });
});
