import type { TeamUsage } from '@sluice/contract';
import type { Page } from 'playwright-core';
import { shareConsole } from './console.ts';
import { describeLooks, type State } from './looks.ts';
import {
  availableAddress,
  describeMember,
  describePicked,
  describeTeam,
  drawer,
  openTeams,
  teamAddress,
  teamsAddress,
  teamUsageAddress,
} from './teams-page.ts';
import { actFromMenu, answer, hold } from './users-page.ts';

const teams = [
  describeTeam(1, 'Platform', {
    description: 'Runs the gateway, the providers and the budgets of everybody else',
    member_count: 6,
    admin_count: 2,
    model_count: 12,
    top_user: { user_id: 2, user_name: 'Jonas Weber', spend_usd_month: 48.2 },
    spend_usd_month: 112.29,
    spend_usd_last_month: 1_204.5,
  }),
  describeTeam(2, 'Customer support', {
    description: 'Answers tickets in five languages; may use small models only',
    member_count: 41,
    admin_count: 3,
    created_at: '2026-10-28T09:00:00.000Z',
  }),
  describeTeam(3, 'Research', { member_count: 12, admin_count: 1, created_at: '2026-09-30T09:00:00.000Z' }),
  describeTeam(4, 'Summer interns 2026', {
    description: 'Ended with August',
    is_active: false,
    member_count: 9,
    created_at: '2026-06-01T09:00:00.000Z',
  }),
];

const members = [
  describeMember(1, 'Maya Ortiz', { role: 'admin', joined_at: '2026-03-02T09:00:00.000Z' }),
  describeMember(2, 'Jonas Weber', { role: 'admin' }),
  describeMember(3, 'Aiko Tanaka'),
  describeMember(4, 'Priya Nair'),
  describeMember(5, 'Lena Fischer', { is_active: false }),
  describeMember(6, null),
];

const people = [
  'Tom Keller',
  'Noor Al-Amin',
  'Samir Haddad',
  'Ida Berg',
  'Chen Wei',
  'Ana Silva',
  'Leo Roy',
].map((name, index) => describePicked(index + 10, name, name === 'Ida Berg'));

const usage: TeamUsage = {
  days: Array.from({ length: 30 }, (_, place) => ({
    date: new Date(Date.UTC(2026, 9, 24 + place)).toISOString().slice(0, 10),
    requests: 40 + place,
    tokens: 280_000,
    cost_usd: 2.1 + (place % 7) * 0.8,
  })),
  models: [
    { model: 'gpt-5', is_granted: true, requests: 812, tokens: 5_600_000, cost_usd: 96.11 },
    { model: 'claude-sonnet-4-5-20250929', is_granted: true, requests: 90, tokens: 700_000, cost_usd: 16.18 },
    { model: 'gpt-4o', is_granted: false, requests: 3, tokens: 9_000, cost_usd: 0.0042 },
  ],
  top_users: [
    { user_id: 2, user_name: 'Jonas Weber', requests: 610, tokens: 4_000_000, cost_usd: 88.2 },
    { user_id: 3, user_name: 'Aiko Tanaka', requests: 292, tokens: 2_300_000, cost_usd: 24.09 },
  ],
};

shareConsole();

const withTeams = async (page: Page, search = '') => {
  await page.route(teamsAddress, answer(200, { teams, total: teams.length }));
  await page.route(teamUsageAddress, answer(200, usage));
  await page.route(teamAddress, answer(200, { ...teams[0], members }));
  await page.route(availableAddress, answer(200, people));
  await openTeams(page, search);
};

const withMembers = async (page: Page) => {
  await withTeams(page, '?open=1');
  await drawer(page).getByText('Unknown User').waitFor();
};

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const states: State[] = [
  { name: 'list', isInEveryLook: true, show: withTeams },
  { name: 'members', isInEveryLook: true, show: withMembers },
  {
    name: 'add-member',
    isInEveryLook: true,
    show: async (page) => {
      await withMembers(page);
      await press(page, 'Add Member');
      const field = page.getByRole('combobox', { name: 'Users' });
      for (const name of ['tom', 'noor']) {
        await field.fill(name);
        await field.press('Enter');
      }
      await page.getByText('more available').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'add-nobody',
    show: async (page) => {
      await withMembers(page);
      await press(page, 'Add Member');
      await page
        .getByRole('dialog', { name: /^Add Member/ })
        .getByRole('button', { name: 'Add Member' })
        .click();
      await page.getByText('Please select at least one user to add.').waitFor();
    },
  },
  {
    name: 'create-refused',
    show: async (page) => {
      await withTeams(page);
      await press(page, 'Create Team');
      const dialog = page.getByRole('dialog', { name: 'Create Team' });
      await dialog.getByLabel('Description').fill('x'.repeat(501));
      await dialog.getByRole('button', { name: 'Create Team' }).click();
      await dialog.getByText('Team name is required').waitFor();
    },
  },
  {
    name: 'deactivate',
    show: async (page) => {
      await withTeams(page);
      await actFromMenu(page, 'Deactivate', 'Customer support');
      await page.getByRole('dialog', { name: 'Deactivate Customer support?' }).waitFor();
    },
  },
  {
    name: 'inactive',
    show: async (page) => {
      await withTeams(page, '?open=4');
      await page.getByText('This team is inactive').waitFor();
    },
  },
  {
    name: 'loading',
    show: async (page) => {
      await hold(page, teamsAddress);
      await page.goto('/admin/teams');
      await page.getByText('Loading teams...').waitFor();
    },
  },
  {
    name: 'failure',
    show: async (page) => {
      await page.route(teamsAddress, answer(500, { detail: 'The database is unavailable' }));
      await page.goto('/admin/teams');
      await page.getByText('The database is unavailable').waitFor();
    },
  },
  {
    name: 'none-yet',
    show: async (page) => {
      await page.route(teamsAddress, answer(200, { teams: [], total: 0 }));
      await openTeams(page);
    },
  },
];

describeLooks('Teams', 'teams', states);
