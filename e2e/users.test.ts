import { beforeAll, describe, expect, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitAs, visitConsole } from './console.ts';
import {
  actFromMenu,
  answer,
  callsAs,
  describePerson,
  hold,
  listAddress,
  openUsers,
  rowOf,
} from './users-page.ts';
import { signIn } from './visit.ts';

const viewport = { width: 1440, height: 820 };
const blockReason = 'Shared the key with people outside the company';

startConsole();
beforeAll(async () => {
  const { users } = callsAs(token, sluice);
  const add = (name: string, email: string, role_id = 3) =>
    users.createUser({ body: { name, email, password: 'secret1', role_id } });
  await add('Jonas Weber', 'jonas@northwind.dev');
  const lena = await add('Lena Fischer', 'l.fischer@northwind.dev');
  const noor = await add('Noor Al-Amin', 'noor@southwind.dev');
  await add('Tom Keller', 'tom@northwind.dev', 2);
  await users.blockUser({ params: { id: lena.id }, query: { reason: blockReason } });
  await users.updateUser({ params: { id: noor.id }, body: { is_active: false } });
});

visitConsole({ viewport });

const search = () => page.getByPlaceholder('Search users by name or email...');
const names = () => page.locator('tr[data-row] a').allInnerTexts();
const everybody = ['Administrator', 'Jonas Weber', 'Lena Fischer', 'Noor Al-Amin', 'Tom Keller'];

describe('User Management', () => {
  it('User Management shows title, columns and counts; inactive and blocked users are not counted as active', async () => {
    await openUsers(page);
    await page.getByRole('heading', { level: 1, name: 'User Management' }).waitFor();
    await page.getByText('Manage users, quotas, and access permissions').waitFor();
    const headings = await page.getByRole('columnheader').allTextContents();
    expect(headings).toEqual([
      '',
      'User',
      'Quotas',
      'Usage',
      'Status',
      'Score',
      'Cost this month',
      'Created',
      'Actions',
    ]);
    const chips = page.getByRole('group', { name: 'Users by status' }).getByRole('button');
    expect(await chips.allTextContents()).toEqual(['5 Total', '3 Active', '1 Blocked']);
    await page.getByRole('button', { name: '+ Create User' }).waitFor();
    expect(await names()).toEqual(everybody);
  });

  itAtFullSize('User Management shows that it is loading', async () => {
    const release = await hold(page, listAddress);
    await page.goto('/admin/users');
    await page.getByText('Loading users...').waitFor();
    release();
    await rowOf(page, 'Jonas Weber').waitFor();
    expect(await page.getByText('Loading users...').count()).toBe(0);
  });

  itAtFullSize(
    "User Management shows the server error when loading fails, and loads after 'Try Again'",
    async () => {
      await page.route(listAddress, answer(500, { detail: 'The database is unavailable' }));
      await page.goto('/admin/users');
      await page.getByText('Error loading users: The database is unavailable', { exact: true }).waitFor();
      await page.unroute(listAddress);
      await page.getByRole('button', { name: 'Try Again' }).click();
      await rowOf(page, 'Jonas Weber').waitFor();
      expect(await page.getByText(/Error loading users/).count()).toBe(0);
    },
  );

  itAtFullSize("User Management shows 'Unknown error' if the server is unreachable", async () => {
    await page.route(listAddress, (route) => route.abort());
    await page.goto('/admin/users');
    await page.getByText('Error loading users: Unknown error', { exact: true }).waitFor();
  });

  it("User Management shows 'No users yet' for an empty tenant, and offers to create one", async () => {
    await page.route(listAddress, answer(200, []));
    await openUsers(page);
    await page.getByText('No users yet', { exact: true }).waitFor();
    await page.getByRole('table').getByRole('button', { name: 'Create User' }).click();
    await page.getByRole('dialog', { name: 'Create User' }).waitFor();
  });

  itAtFullSize(
    'User Management shows the status by shape and word, and the block reason on hover and focus',
    async () => {
      await openUsers(page);
      const words = await page.locator('tr[data-row] td:nth-child(5)').allInnerTexts();
      expect(words).toEqual(['Active', 'Active', 'Blocked', 'Inactive', 'Active']);
      const shapes = page.locator('tr[data-row] td:nth-child(5) svg');
      expect(new Set(await shapes.evaluateAll((all) => all.map((shape) => shape.innerHTML))).size).toBe(3);

      const blocked = rowOf(page, 'Lena Fischer').getByRole('button', { name: 'Blocked' });
      const reason = page.getByRole('tooltip', { name: blockReason });
      await blocked.hover();
      await reason.waitFor();
      await page.mouse.move(0, 0);
      await reason.waitFor({ state: 'detached' });
      await search().focus();
      await page.keyboard.press('Tab');
      await blocked.focus();
      await reason.waitFor();
    },
  );
});

describe('the search of users', () => {
  itAtFullSize(
    'User Management shows users who are both inactive and blocked, and reserved tokens next to used tokens',
    async () => {
      const both = { is_active: false, is_blocked: true, blocked_reason: null };
      const usage = { current_daily_usage: 1_200, held_daily_usage: 512 };
      await page.route(listAddress, answer(200, [describePerson(7, 'Noor Al-Amin', { ...both, ...usage })]));
      await openUsers(page);
      const marks = rowOf(page, 'Noor Al-Amin')
        .locator('td:visible')
        .getByText(/^(Inactive|Blocked)$/);
      await expect
        .poll(() => marks.filter({ visible: true }).allTextContents())
        .toEqual(['Inactive', 'Blocked']);
      const limit = {
        kind: 'tokens_per_day',
        limit: 1_000,
        used: 1_200,
        held: 512,
        resets_at: '2030-01-01T00:00:00Z',
      };
      const nothing = {
        deviation_score: 0,
        teams: [],
        tasks: [],
        recent_requests: [],
        signed_in_tools: 0,
        open_appeal: null,
      };
      await page.route('**/admin/users/7/standing', answer(200, { ...nothing, limits: [limit] }));
      await page.goto('/admin/users?open=7');
      const details = page.getByRole('dialog', { name: 'User details' });
      await details.getByText('512 tokens reserved for running and upcoming requests').waitFor();
    },
  );

  itSampled(3).each([
    ['jONAS', ['Jonas Weber']],
    ['L.FISCHER@', ['Lena Fischer']],
    ['northwind', ['Jonas Weber', 'Lena Fischer', 'Tom Keller']],
  ])('the user search ignores case in names and email addresses: %s', async (text, found) => {
    await openUsers(page);
    await search().fill(text);
    await page.waitForURL(/filter=/);
    await expect.poll(names).toEqual(found);
  });

  itAtFullSize("the user search shows 'No users found' if only another column matches", async () => {
    await openUsers(page);
    for (const text of ['nobody at all', 'inactive', '30,000']) {
      await search().fill(text);
      await page.getByText('No users found', { exact: true }).waitFor();
      await search().fill('');
      await rowOf(page, 'Jonas Weber').waitFor();
    }
  });
});

describe('the URL of the user list', () => {
  itAtFullSize(
    'the user list URL keeps search, status and sorting, for reloads and back navigation',
    async () => {
      await openUsers(page, '?filter=wind');
      await expect.poll(names).toEqual(everybody.slice(1));
      await page.getByRole('button', { name: 'User', exact: true }).click();
      await page.waitForURL(/sort=user/);
      await page.getByRole('button', { name: 'User', exact: true }).click();
      await page.waitForURL(/sort=-user/);
      await page.getByRole('button', { name: /Active/ }).click();
      await page.waitForURL(/status=active/);
      await expect.poll(names).toEqual(['Tom Keller', 'Jonas Weber']);
      await page.reload();
      await expect.poll(names).toEqual(['Tom Keller', 'Jonas Weber']);
      await page.getByRole('button', { name: /Blocked/, pressed: false }).click();
      await expect.poll(names).toEqual(['Lena Fischer']);
      await page.goBack();
      await expect.poll(names).toEqual(['Tom Keller', 'Jonas Weber']);
      expect(await page.getByRole('button', { name: /Active/ }).getAttribute('aria-pressed')).toBe('true');
    },
  );

  itAtFullSize('the user list URL opens the details of a user', async () => {
    const { users } = callsAs(token, sluice);
    const lena = (await users.listUsers({ query: {} })).find(({ name }) => name === 'Lena Fischer');
    await openUsers(page, `?open=${lena?.id}`);
    const details = page.getByRole('dialog', { name: 'User details' });
    await details.getByRole('heading', { name: 'Lena Fischer' }).waitFor();
    await details.getByText('0 of 100 requests').waitFor();
    const text = (await details.innerText()).replace(/\s+/g, ' ');
    expect(text).toContain(blockReason);
    expect(text).toContain('0 of 1,000 tokens');
    expect(text).toContain('0 of 30,000 tokens');
    expect(text).toContain('Last login Never');
    await details.getByText('No API key').waitFor();
    await details.getByRole('button', { name: 'Next' }).click();
    await details.getByRole('heading', { name: 'Noor Al-Amin' }).waitFor();
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('open=');
  });

  itAtFullSize('the user list URL shows an error for an unknown user', async () => {
    await openUsers(page, '?open=987654');
    await page.getByRole('dialog', { name: 'User details' }).getByText('User not found').waitFor();
  });
});

describe('a tenant of 500 users', () => {
  it('a list of 500 users renders only visible rows and finds the last user', async () => {
    const many = Array.from({ length: 500 }, (_, index) =>
      describePerson(index + 1, `Person ${String(index + 1).padStart(3, '0')}`),
    );
    await page.route(listAddress, answer(200, many));
    await openUsers(page);
    await rowOf(page, 'Person 001').waitFor();
    expect(await page.locator('tr[data-row]').count()).toBeLessThanOrEqual(60);
    await page.keyboard.press('End');
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    await rowOf(page, 'Person 500').waitFor();
    expect(await page.locator('tr[data-row]').count()).toBeLessThanOrEqual(60);
    await search().fill('person 417');
    await expect.poll(names).toEqual(['Person 417']);
  });
});

describe('an administrator who is not a super administrator', () => {
  it('a tenant administrator gets no actions on a super administrator, and cannot change their own role or status', async () => {
    await visitAs(await signIn({ ...sluice, email: 'tom@northwind.dev', password: 'secret1' }));
    await openUsers(page);
    const buttonsOf = async (name: string) =>
      (await rowOf(page, name).getByRole('button').all()).length === 0
        ? []
        : rowOf(page, name)
            .getByRole('button')
            .evaluateAll((all) => all.map((button) => button.getAttribute('aria-label')));
    expect(await buttonsOf('Administrator')).toEqual([
      'API key: Administrator',
      'More actions: Administrator',
    ]);
    expect(await buttonsOf('Tom Keller')).toEqual(['API key: Tom Keller', 'More actions: Tom Keller']);

    await page.getByRole('button', { name: 'API key: Administrator' }).click();
    const panel = page.getByRole('dialog', { name: 'API key of Administrator' });
    await panel.getByText("Administrator's key").waitFor();
    expect(await panel.getByRole('button').count()).toBe(1);
    await page.keyboard.press('Escape');

    await actFromMenu(page, 'Edit', 'Tom Keller');
    const editor = page.getByRole('dialog', { name: 'Edit User' });
    await editor.getByText('You cannot change your own role.').waitFor();
    expect(await editor.getByLabel('Role').isDisabled()).toBe(true);
    expect(await editor.getByLabel('User is active').isDisabled()).toBe(true);
  });
});
