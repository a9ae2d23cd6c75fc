import type { Page } from 'playwright-core';
import { shareConsole } from './console.ts';
import { describeLooks, everyLook, type State } from './looks.ts';
import {
  actFromMenu,
  answer,
  describePerson,
  hold,
  listAddress,
  openUsers,
  rolesAddress,
} from './users-page.ts';

const team = [
  describePerson(1, 'Maya Ortiz', {
    role_id: 1,
    role_name: 'super_admin',
    daily_quota: null,
    monthly_quota: null,
    requests_per_hour: null,
    current_daily_usage: 1204,
    current_monthly_usage: 88_920,
  }),
  describePerson(2, 'Jonas Weber', { current_daily_usage: 20_612, current_monthly_usage: 412_900 }),
  describePerson(3, 'Aiko Tanaka', {
    daily_quota: 10_000,
    monthly_quota: 200_000,
    requests_per_hour: 60,
    current_daily_usage: 8804,
    current_monthly_usage: 151_224,
    last_login: '2026-11-19T08:12:00.000Z',
  }),
  describePerson(4, 'Tom Keller', {
    role_id: 2,
    role_name: 'admin',
    daily_quota: 200_000,
    monthly_quota: 4_000_000,
    requests_per_hour: 400,
    current_daily_usage: 14_330,
    current_monthly_usage: 602_771,
  }),
  describePerson(5, 'Lena Fischer', {
    is_blocked: true,
    blocked_reason: 'Shared the key with people outside the company',
    current_monthly_usage: 88_412,
  }),
  describePerson(6, 'Noor Al-Amin', { daily_quota: 1000, monthly_quota: 30_000, is_active: false }),
];

const key = {
  has_api_key: true,
  api_key_status: {
    name: "Jonas Weber's key",
    masked_key: 'slc_…x4f2',
    is_active: true,
    is_expired: false,
    scopes: ['completions', 'embeddings', 'models'],
    created_at: '2026-11-02T08:00:00.000Z',
    last_used_at: null,
    expires_at: null,
  },
  former_key: null,
};

shareConsole();

const withTeam = (page: Page) => page.route(listAddress, answer(200, team));
const withKey = (page: Page) => page.route('**/api-key', answer(200, key));

const openDialog = async (page: Page, action: string, name = 'Jonas Weber') => {
  await withTeam(page);
  await openUsers(page);
  await actFromMenu(page, action, name);
  await page.getByRole('dialog').waitFor();
};

const states: State[] = [
  {
    name: 'list',
    isInEveryLook: true,
    show: async (page) => {
      await withTeam(page);
      await openUsers(page);
    },
  },
  {
    name: 'create-refused',
    isInEveryLook: true,
    show: async (page) => {
      await withTeam(page);
      await page.route(
        rolesAddress,
        answer(200, [
          {
            id: 2,
            name: 'admin',
            description: '',
            can_assign: false,
            current_count: 3,
            max_allowed: 3,
            limit: { taken: 3, allowed: 3, plan: 'Pro' },
          },
          { id: 3, name: 'user', description: 'Standard user with task access only', can_assign: true },
        ]),
      );
      await openUsers(page);
      await page.getByRole('button', { name: '+ Create User' }).click();
      const form = page.getByRole('dialog', { name: 'Create User' });
      await form.getByLabel('Email').fill('mira.novak@northwind');
      await form.getByLabel('Daily quota').fill('0');
      await form.getByText(/Admin limit reached/).waitFor();
      await form.getByRole('button', { name: 'Create User' }).click();
      await form.getByText('Please enter a valid email').waitFor();
    },
  },
  {
    name: 'details',
    isInEveryLook: true,
    show: async (page) => {
      await withTeam(page);
      await withKey(page);
      // The filter matches another user than the URL.
      await openUsers(page, '?open=5&filter=noor');
      await page.getByRole('dialog', { name: 'User details' }).getByText('slc_…x4f2').waitFor();
    },
  },
  {
    name: 'new-key',
    isInEveryLook: true,
    show: async (page) => {
      await page.route('**/api-key', (route) =>
        route.request().method() === 'POST'
          ? answer(201, { api_key: `slc_${'k7Qw'.repeat(9)}` })(route)
          : answer(200, { has_api_key: false, api_key_status: null, former_key: null })(route),
      );
      await openDialog(page, 'API key');
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page
        .getByRole('dialog', { name: 'Create API key' })
        .getByRole('button', { name: 'Create' })
        .click();
      await page.getByText(/This key is shown only once/).waitFor();
      await page.getByRole('dialog', { name: 'Create API key' }).waitFor({ state: 'detached' });
    },
  },
  {
    name: 'loading',
    show: async (page) => {
      await hold(page, listAddress);
      await page.goto('/admin/users');
      await page.getByText('Loading users...').waitFor();
    },
  },
  {
    name: 'failure',
    show: async (page) => {
      await page.route(listAddress, answer(500, { detail: 'The database is unavailable' }));
      await page.goto('/admin/users');
      await page.getByText(/Error loading users/).waitFor();
    },
  },
  {
    name: 'nobody-yet',
    show: async (page) => {
      await page.route(listAddress, answer(200, []));
      await openUsers(page);
    },
  },
  {
    name: 'nobody-found',
    show: async (page) => {
      await withTeam(page);
      await openUsers(page, '?filter=nobody');
      await page.getByText('No users found').waitFor();
    },
  },
  { name: 'edit', show: (page) => openDialog(page, 'Edit', 'Tom Keller') },
  {
    name: 'selected',
    isInEveryLook: true,
    show: async (page) => {
      await withTeam(page);
      await openUsers(page);
      await page.getByRole('checkbox', { name: 'Select all rows' }).check();
      await page.getByRole('region', { name: 'Selected rows' }).waitFor();
    },
  },
  {
    name: 'limits-of-many',
    isInEveryLook: true,
    show: async (page) => {
      await withTeam(page);
      await openUsers(page);
      await page.getByRole('checkbox', { name: 'Select all rows' }).check();
      await page.route('**/api/v1/admin/users/bulk', (route) =>
        answer(
          200,
          team.map((_, index) => ({ index, error: index === 1 ? 'The plan has no free seat' : null })),
        )(route),
      );
      await page.getByRole('button', { name: 'Set limits', exact: true }).click();
      await page.getByLabel('Daily quota').fill('50,000');
      await page.getByRole('dialog').getByRole('button', { name: 'Set limits', exact: true }).click();
      await page.getByText('could not be changed', { exact: false }).first().waitFor();
    },
  },
  {
    name: 'invite-many',
    isInEveryLook: true,
    show: async (page) => {
      await withTeam(page);
      await page.goto('/admin/users?add=invite');
      await page.getByRole('radio', { name: 'Several addresses' }).check({ force: true });
      await page
        .getByLabel('Email addresses')
        .fill('mara.lind@northwind.dev, tom@northwind.dev, not an address@');
    },
  },
  {
    name: 'block',
    show: async (page) => {
      await openDialog(page, 'Block');
      await page.getByLabel('Reason').fill('Shared the key with people outside the company');
    },
  },
  {
    name: 'blocking',
    show: async (page) => {
      await hold(page, '**/block*', 'POST');
      await openDialog(page, 'Block');
      await page.getByLabel('Reason').fill('Shared the key with people outside the company');
      await page.getByRole('button', { name: 'Block User' }).click();
      await page.getByText('Blocking user...').waitFor();
    },
  },
  {
    name: 'key',
    show: async (page) => {
      await withKey(page);
      await openDialog(page, 'API key');
      await page.getByText('slc_…x4f2').waitFor();
    },
  },
  {
    name: 'key-question',
    show: async (page) => {
      await withKey(page);
      await openDialog(page, 'API key');
      await page.getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('This cannot be undone.').waitFor();
    },
  },
  {
    name: 'password-set',
    show: async (page) => {
      await page.route('**/change-password', answer(200, team[1]));
      await withTeam(page);
      await openUsers(page);
      await actFromMenu(page, 'Set password', 'Jonas Weber');
      await page.getByRole('button', { name: 'Generate' }).click();
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByText(/It is shown only once/).waitFor();
    },
  },
];

describeLooks('User Management', 'users', states, [
  ...everyLook,
  { width: 1024, colorScheme: 'light' },
  { width: 1024, colorScheme: 'dark' },
]);
