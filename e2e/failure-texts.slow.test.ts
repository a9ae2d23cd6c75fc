import type { Route } from 'playwright-core';
import { describe, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { accessAddresses, describeProvider, describeTeamAccess, describeUserAccess } from './access-page.ts';
import { blacklistAddresses, describeEntry } from './blacklist-page.ts';
import { page, shareConsole, visitAs, visitConsole } from './console.ts';
import { comparisonAddresses, idOf } from './llm-comparison-page.ts';
import { chooseOption } from './select-field.ts';
import { availableAddress, describeTeam, teamAddress, teamsAddress } from './teams-page.ts';
import { act, actFromMenu, answer, describePerson, listAddress } from './users-page.ts';

shareConsole();
visitConsole({ viewport: { width: 1600, height: 900 } });

/** The server gives no explanation. */
const fail = answer(500, 'no json');
const said = (text: string) => page.getByText(text, { exact: true }).first().waitFor();
const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);

/** Requests with other methods get their real response. */
const failing = (method: string) => (route: Route) =>
  route.request().method() === method ? fail(route) : route.fallback();

const status = (text: string) => `${text} (HTTP 500)`;

describe('pages whose data cannot be loaded', () => {
  itSampled(9).each([
    ['/admin/users', listAddress, status('Error loading users: Unknown error')],
    ['/admin/logs', '**/api/v1/admin/logs?*', status('Error loading logs: Unknown error')],
    ['/admin/tasks', '**/api/v1/admin/tasks', status('Error loading tasks: Unknown error')],
    ['/admin/teams', teamsAddress, status('Failed to fetch teams')],
    ['/admin/provider-access', accessAddresses.providers, status('Failed to load provider access data')],
    ['/admin/provider-access', accessAddresses.users, status('Failed to fetch user accesses')],
    ['/admin/provider-access?tab=teams', accessAddresses.teams, status('Failed to fetch team accesses')],
    ['/admin/provider-access?tab=summary', accessAddresses.summary, status('Failed to fetch access summary')],
    ['/admin/llm-providers', '**/api/v1/llm-providers', 'Failed to load LLM providers'],
    ['/admin/blacklist', blacklistAddresses.list, status('Failed to load blacklist data')],
    ['/admin/budgets', '**/api/v1/admin/budgets?*', status('Failed to load budgets')],
    ['/admin/statements', '**/api/v1/admin/statements?*', status('Failed to load the statement')],
    ['/admin/shadow-runs', '**/api/v1/admin/shadow-runs', status('The shadow runs could not be loaded')],
    [
      '/admin/service-accounts',
      '**/api/v1/admin/service-accounts',
      status('Failed to load service accounts'),
    ],
    ['/admin/management-tokens', '**/api/v1/admin/tokens?*', status('Failed to load management tokens')],
    [
      '/admin/tenant-credits',
      '**/api/v1/admin/billing/tenants',
      status('Unable to load tenant information. Please check your permissions.'),
    ],
    ['/admin/webhook-monitoring', '**/webhooks/events?*', status('Failed to load webhook events')],
    ['/admin/llm-comparison', comparisonAddresses.providers, status('Failed to load available providers')],
    ['/admin/llm-comparison', comparisonAddresses.list, 'The history is currently unknown.'],
    [`/admin/llm-comparison?open=${idOf(1)}`, comparisonAddresses.one, status('Failed to load comparison')],
    ['/dashboard/tasks', '**/api/v1/user/tasks', 'Failed to load tasks. Please try again.'],
    ['/dashboard/history', '**/api/v1/user/tasks', status('Error loading request history: Unknown error')],
    ['/dashboard/profile', '**/api/v1/user/profile', 'Error loading profile information'],
    ['/chat', '**/api/v1/chats', 'Failed to load chats'],
    [`/chat?open=${idOf(1)}`, '**/api/v1/chats/*-*', 'Failed to load chat messages'],
    ['/chat?task=1', '**/api/v1/chats/task/**', 'Failed to load task and chat'],
    ['/?tab=pricing', '**/api/v1/billing/plans', status('Failed to fetch plans')],
  ])('%s shows an error if %s fails: %s', async (path, address, text) => {
    await page.route(address, fail);
    await page.goto(path);
    await said(text);
  });

  itAtFullSize(
    'an invitation that cannot be loaded is shown as invalid, with a link to the sign-in page',
    async () => {
      await visitAs(null);
      await page.route('**/invitations/public/*/details', answer(404, {}));
      await page.goto('/invitation/unknown');
      await page.getByRole('heading', { name: 'Invalid Invitation' }).waitFor();
      await said('The invitation link may have expired or is invalid.');
      await page.getByRole('link', { name: 'Go to Login' }).waitFor();
    },
  );

  itAtFullSize('the chat of a task shows which parts of the page failed to load', async () => {
    await page.route('**/api/v1/chats/task/1/context', answer(200, task));
    await page.route('**/api/v1/chats/task/1', fail);
    await page.goto('/chat?task=1');
    await said('Failed to load or create chat');
    await page.unroute('**/api/v1/chats/task/1');
    await page.unroute('**/api/v1/chats/task/1/context');
    await page.route('**/api/v1/chats/task/1', answer(200, chat));
    await page.route(`**/api/v1/chats/${chat.id}`, answer(200, { ...chat, messages: [] }));
    await page.route('**/api/v1/chats/task/1/context', fail);
    await page.goto('/chat?task=1');
    await said('Failed to load task context');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('Failed to load task context').waitFor({ state: 'detached' });
  });
});

const task = {
  title: 'Parser',
  description: 'CSV',
  category: 'coding',
  token_limit: null,
  remaining_tokens: null,
};
const chat = {
  id: idOf(7),
  title: 'CSV',
  is_pinned: false,
  updated_at: '2026-11-03T09:00:00.000Z',
  task_id: 1,
  task_title: 'Parser',
  total_tokens_used: 0,
};
const team = describeTeam(7, 'Research', { member_count: 1 });
const provider = describeProvider(9, 'openai', 'main', ['gpt-5', 'gpt-5-mini']);
const noor = describePerson(70, 'Noor Haddad');

async function openTeam(): Promise<void> {
  await page.route(teamsAddress, answer(200, { teams: [team], total: 1 }));
  await page.goto('/admin/teams');
  await page.getByRole('link', { name: 'Research' }).waitFor();
}

async function openGrants(tab: 'users' | 'teams'): Promise<void> {
  await page.route(accessAddresses.providers, answer(200, [provider]));
  await page.route(
    accessAddresses.users,
    answer(200, [describeUserAccess(70, 'Noor Haddad', provider, ['gpt-5'])]),
  );
  await page.route(
    accessAddresses.teams,
    answer(200, [describeTeamAccess(7, 'Research', provider, ['gpt-5'])]),
  );
  await page.route(accessAddresses.people, answer(200, [{ ...noor }]));
  await page.goto(`/admin/provider-access${tab === 'teams' ? '?tab=teams' : ''}`);
}

const grants = '**/api/v1/admin/provider-access/*/*/providers/*';

describe('failed requests after a user action', () => {
  itSampled(6).each<[text: string, address: string | RegExp, method: string, change: () => Promise<void>]>([
    [
      status('Failed to fetch team details'),
      teamAddress,
      'GET',
      async () => {
        await openTeam();
        await page.getByRole('link', { name: 'Research' }).click();
      },
    ],
    [
      status('Failed to save team'),
      '**/api/v1/admin/teams',
      'POST',
      async () => {
        await page.goto('/admin/teams');
        await press('Create Team');
        await fill('Team Name', 'Support');
        await page.getByRole('dialog').getByRole('button', { name: 'Create Team' }).click();
      },
    ],
    [
      status('Failed to update team status'),
      teamAddress,
      'PUT',
      async () => {
        await openTeam();
        await actFromMenu(page, 'Deactivate', 'Research');
        await press('Deactivate');
      },
    ],
    [
      status('Failed to delete team'),
      teamAddress,
      'DELETE',
      async () => {
        await openTeam();
        await actFromMenu(page, 'Delete', 'Research');
        await press('Delete team');
      },
    ],
    [
      status('Failed to fetch available users'),
      availableAddress,
      'GET',
      async () => {
        await openTeam();
        await act(page, 'Add member', 'Research');
        await page.getByRole('combobox', { name: 'Users' }).click();
      },
    ],
    [
      status('Failed to add member to team'),
      '**/api/v1/admin/teams/7/members',
      'POST',
      async () => {
        await page.route(teamAddress, answer(200, { ...team, members: [] }));
        await page.route(availableAddress, answer(200, [noor]));
        await openTeam();
        await act(page, 'Add member', 'Research');
        await page.getByRole('combobox', { name: 'Users' }).fill('Noor');
        await page.getByRole('option', { name: /^Noor/ }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Add Member' }).click();
      },
    ],
    [
      status('Failed to create access'),
      '**/api/v1/admin/provider-access/users',
      'POST',
      async () => {
        await openGrants('users');
        await press('Grant Access');
        await page.getByRole('combobox', { name: 'Users' }).fill('Noor');
        await page.getByRole('option', { name: /^Noor/ }).click();
        await chooseOption(page.getByRole('dialog'), 'Provider', /^main/);
        await press('Select All');
        await page.getByRole('dialog').getByRole('button', { name: 'Grant Access' }).click();
      },
    ],
    [
      status('Failed to update access'),
      grants,
      'PUT',
      async () => {
        await openGrants('users');
        await act(page, 'Edit models', 'Noor Haddad, main');
        await press('Select All');
        await press('Update Access');
      },
    ],
    [
      status('Failed to delete user access'),
      grants,
      'DELETE',
      async () => {
        await openGrants('users');
        await actFromMenu(page, 'Remove', 'Noor Haddad, main');
        await press('Remove');
      },
    ],
    [
      status('Failed to delete team access'),
      grants,
      'DELETE',
      async () => {
        await openGrants('teams');
        await actFromMenu(page, 'Remove', 'Research, main');
        await press('Remove');
      },
    ],
    [
      status('Failed to fetch user provider summary'),
      accessAddresses.userProviders,
      'GET',
      async () => {
        await openGrants('users');
        await actFromMenu(page, 'View summary', 'Noor Haddad, main');
      },
    ],
    [
      status('Failed to load provider list'),
      '**/api/v1/provider-registry',
      'GET',
      async () => {
        await page.goto('/admin/blacklist');
        await press('Check Status');
      },
    ],
    [
      status('Failed to load enabled models'),
      blacklistAddresses.models,
      'GET',
      async () => {
        await page.goto('/admin/blacklist');
        await press('Check Status');
      },
    ],
    [
      status('Failed to check blacklist status'),
      blacklistAddresses.check,
      'POST',
      async () => {
        await page.goto('/admin/blacklist');
        await press('Check Status');
        await chooseOption(page.getByRole('dialog'), 'Provider', 'OpenAI');
        await page.getByRole('combobox', { name: 'Model name' }).fill('gpt-5');
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').getByRole('button', { name: 'Check Status' }).click();
      },
    ],
    [
      status('Failed to add to blacklist'),
      blacklistAddresses.list,
      'POST',
      async () => {
        await page.goto('/admin/blacklist');
        await press('Add to Blacklist');
        await chooseOption(page.getByRole('dialog'), 'Provider', 'OpenAI');
        await chooseOption(page.getByRole('dialog'), 'Reason', 'Cost management');
        await page.getByRole('dialog').getByRole('button', { name: 'Add to Blacklist' }).click();
      },
    ],
    [
      status('Failed to remove blacklist entry'),
      blacklistAddresses.entry,
      'DELETE',
      async () => {
        await page.route(blacklistAddresses.list, answer(200, [describeEntry(5, 'openai', null)]));
        await page.goto('/admin/blacklist');
        await act(page, 'Remove', 'openai');
        await said('Are you sure you want to remove this blacklist entry?');
        await press('Remove');
      },
    ],
    [
      status('Failed to retry webhooks'),
      '**/webhooks/retry-failed',
      'POST',
      async () => {
        await page.goto('/admin/webhook-monitoring');
        await press('Retry Failed');
      },
    ],
    [
      status('Failed to update profile'),
      '**/api/v1/user/profile',
      'PUT',
      async () => {
        await page.goto('/dashboard/profile');
        await press('Edit');
        await fill('Name', 'Another Name');
        await press('Save Changes');
      },
    ],
    [
      status('Failed to change password'),
      '**/api/v1/user/change-password',
      'POST',
      async () => {
        await page.goto('/dashboard/profile');
        await press('Change Password');
        await fill('Current password', 'old-password');
        await fill('New password', 'new-password');
        await fill('Confirm new password', 'new-password');
        await press('Change Password');
      },
    ],
  ])('a failed change shows the error %s', async (text, address, method, change) => {
    await page.route(address, failing(method));
    await change();
    await said(text);
  });

  it.each<[text: string, address: string, path: string, change: () => Promise<void>]>([
    [
      status('Login failed'),
      '**/api/v1/auth/login',
      '/login',
      async () => {
        await fill('Email', 'noor@northwind.dev');
        await fill('Password', 'secret1');
        await press('Sign in');
      },
    ],
    [
      status('Failed to accept invitation'),
      '**/invitations/public/*/accept',
      '/invitation/some',
      async () => {
        await fill('Full Name', 'Noor');
        await fill('Password', 'secret1');
        await fill('Confirm Password', 'secret1');
        await press('Create Account');
      },
    ],
  ])('a failed change of a visitor shows the error %s', async (text, address, path, change) => {
    await visitAs(null);
    const details = {
      company_name: 'Northwind',
      inviter_name: 'Maya',
      role_name: 'user',
      email: 'noor@northwind.dev',
    };
    await page.route('**/invitations/public/*/details', answer(200, details));
    await page.route(address, fail);
    await page.goto(path);
    await change();
    await said(text);
  });
});
