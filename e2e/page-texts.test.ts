import { describe, expect, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { loadCharts } from './analytics-page.ts';
import { blacklistAddresses } from './blacklist-page.ts';
import { page, shareConsole, visitAs, visitConsole } from './console.ts';
import { comparisonAddresses } from './llm-comparison-page.ts';
import { specifiedLogColumns } from './log-columns.ts';
import { readOptions } from './select-field.ts';
import { answer, describePerson, listAddress } from './users-page.ts';

shareConsole();
visitConsole({ viewport: { width: 1680, height: 1000 } });

/** Lists are in the order of the specification. */
interface PageTexts {
  readonly path: string;
  readonly heading?: string;
  readonly texts?: readonly string[];
  readonly buttons?: readonly string[];
  readonly fields?: readonly string[];
  readonly placeholders?: readonly string[];
  readonly stats?: readonly string[];
  readonly tabs?: readonly RegExp[];
  readonly columns?: readonly string[];
  readonly sections?: readonly string[];
}

const pages: readonly PageTexts[] = [
  {
    path: '/admin/users',
    heading: 'User Management',
    texts: ['Manage users, quotas, and access permissions'],
    buttons: ['+ Create User', '+ Invite User'],
    placeholders: ['Search users by name or email...'],
    columns: ['User', 'Quotas', 'Usage', 'Status', 'Created', 'Actions'],
  },
  {
    path: '/admin/logs',
    texts: ['Monitor API requests, responses, and system activity'],
    buttons: ['Refresh', 'Export CSV', 'Clear Filters'],
    fields: ['User', 'Model', 'Start Date', 'End Date'],
    columns: specifiedLogColumns,
  },
  {
    path: '/admin/tasks',
    buttons: ['Refresh', 'Create Task', 'Clear Filters'],
    fields: ['Category', 'Difficulty', 'Search tasks'],
    stats: ['Total', 'Active', 'Inactive'],
    columns: ['Task', 'Category', 'Difficulty', 'Limits', 'Usage', 'Assigned', 'Status', 'Actions'],
  },
  {
    path: '/admin/teams',
    buttons: ['Create Team'],
    fields: ['Search teams'],
    stats: ['Total Teams', 'Active Teams', 'Inactive Teams'],
    columns: ['Team Name', 'Description', 'Members', 'Admins', 'Status', 'Created', 'Actions'],
  },
  {
    path: '/admin/provider-access',
    buttons: ['Grant Access', 'Clear Filters'],
    tabs: [/^User Access \(\d+\)$/, /^Team Access \(\d+\)$/, /^Summary$/],
    columns: ['User', 'Provider', 'Instance', 'Allowed Models', 'Created', 'Actions'],
  },
  {
    path: '/admin/provider-access?tab=summary',
    stats: ['User Access Grants', 'Team Access Grants', 'Users with Access', 'Teams with Access'],
    columns: ['Provider', 'Instance', 'User Access', 'Team Access', 'Total'],
  },
  {
    path: '/admin/blacklist',
    buttons: ['Check Status', 'Add to Blacklist'],
    texts: ['Showing 0 of 0 entries'],
    stats: ['Total Entries', 'Providers Affected', 'Complete Blocks', 'Model Specific'],
    columns: ['Provider', 'Model Pattern', 'Block Type', 'Reason', 'Blocked By', 'Date', 'Actions'],
  },
  {
    path: '/admin/budgets',
    buttons: ['Create budget'],
    texts: ['No budgets yet'],
    stats: ['Budgets', 'At least 80% used', 'Used up'],
  },
  {
    path: '/admin/statements?month=2026-01',
    buttons: ['Export CSV', 'Print'],
    fields: ['Month', 'Group by'],
    texts: ['No requests in January 2026'],
  },
  {
    path: '/admin/shadow-runs',
    heading: 'Shadow runs',
    texts: ['No shadow runs yet', 'npx sluice shadow --against URL --requests FILE'],
  },
  {
    path: '/admin/service-accounts',
    buttons: ['Create service account'],
    texts: ['No service accounts yet'],
  },
  {
    path: '/admin/management-tokens',
    buttons: ['Create token'],
    texts: ['No management tokens yet'],
  },
  {
    path: '/admin/llm-comparison',
    texts: ['No comparisons found'],
    buttons: ['Start Comparison'],
    stats: ['Total Comparisons', 'Total Cost', 'Average Cost per Comparison'],
  },
  { path: '/admin/llm-providers', buttons: ['Sluice Managed', 'Self Managed'] },
  {
    path: '/admin/tenant-credits',
    texts: ['Your tenant credit balance'],
    stats: ['Total Tenants', 'With Credits', 'Low Balance'],
    columns: ['Tenant', 'Status', 'Current Balance', 'Lifetime Spent', 'Last Activity', 'Actions'],
  },
  {
    path: '/admin/webhook-monitoring',
    buttons: ['Retry Failed'],
    fields: ['Status', 'Event type', 'Failed Only', 'Rows per page'],
    stats: ['Total Events', 'Successful', 'Failed', 'Success Rate'],
    columns: ['Event ID', 'Type', 'Status', 'Created', 'Processed', 'Retries', 'Actions'],
  },
  {
    path: '/admin/analytics',
    fields: ['User', 'Start Date', 'End Date'],
    stats: ['Total Requests', 'Avg Requests/Day', 'Total Tokens', 'Active Users'],
  },
  {
    path: '/dashboard',
    stats: ['Account Status', 'Total Tokens Used', 'Deviation Score'],
    texts: ['View all tasks'],
    sections: ['Your account', 'Active tasks', 'Quick stats'],
  },
  {
    path: '/dashboard/usage',
    sections: ['Account health', 'Token Usage Trend', 'Token statistics'],
  },
  {
    path: '/dashboard/history',
    buttons: ['Refresh', 'Export CSV'],
    fields: ['Category', 'Status', 'From', 'To', 'Search tasks'],
    columns: ['Assigned', 'Task', 'Category', 'Progress', 'Status', 'Actions'],
  },
  { path: '/dashboard/profile', buttons: ['Edit', 'Change Password'] },
];

/** Filters the shown texts to the specified texts, because other texts may appear between them. */
const only = (wanted: readonly string[], shown: readonly string[]) =>
  shown.map((text) => text.trim()).filter((text) => wanted.includes(text));

async function expectInOrder(selector: string, wanted: readonly string[] | undefined): Promise<void> {
  if (!wanted) return;
  const shown = () => page.locator(selector).allTextContents();
  await expect.poll(async () => only(wanted, await shown())).toEqual([...wanted]);
}

const listSections = () =>
  page
    .locator('main section')
    .evaluateAll((found) =>
      found.map((section) => section.ariaLabel ?? section.ariaLabelledByElements?.[0]?.textContent ?? ''),
    );

describe('texts of pages', () => {
  itSampled(5).each(pages.map((texts) => [texts.path, texts] as const))(
    '%s shows the specified texts',
    async (path, expected) => {
      await page.goto(path);
      if (expected.heading)
        await page.getByRole('heading', { level: 1, name: expected.heading, exact: true }).waitFor();
      for (const text of expected.texts ?? []) await page.getByText(text, { exact: true }).first().waitFor();
      for (const name of expected.buttons ?? [])
        await page.getByRole('button', { name, exact: true }).first().waitFor();
      for (const label of expected.fields ?? [])
        await page.getByLabel(label, { exact: true }).first().waitFor();
      for (const text of expected.placeholders ?? [])
        await page.getByPlaceholder(text, { exact: true }).waitFor();
      for (const name of expected.tabs ?? []) await page.getByRole('tab', { name }).waitFor();
      await expectInOrder('main dt', expected.stats);
      await expectInOrder('main thead th', expected.columns);
      if (!expected.sections) return;
      const { sections } = expected;
      await expect.poll(async () => only(sections, await listSections())).toEqual([...sections]);
    },
  );

  it('analytics shows the specified charts in their order, each with its switches', async () => {
    const charts: readonly [heading: string, ...switches: string[]][] = [
      ['Token Usage Over Time', 'Line', 'Bar'],
      ['Unique Users Over Time', 'Line', 'Bar'],
      ['Intent Classification Distribution', 'Pie', 'Donut', 'Bar'],
      ['Top Models Used', 'Bar', 'Pie', 'Donut'],
      ['Top API Keys Usage', 'Requests', 'Tokens', 'Vertical', 'Horizontal'],
      ['Spend by Provider', 'Breakdown', 'By Provider', 'Line', 'Bar', 'Stacked'],
      ['Top Users by Usage', 'Requests', 'Tokens', 'Bar', 'Pie', 'Donut'],
    ];
    await page.goto('/admin/analytics');
    await expectInOrder(
      'main h2',
      charts.map(([heading]) => heading),
    );
    for (const [heading, ...switches] of charts) {
      const shown = page.getByRole('region', { name: heading }).getByRole('radio');
      await expect
        .poll(async () =>
          only(
            switches,
            await shown.evaluateAll((radios) =>
              radios.map((radio) => radio.parentElement?.textContent ?? ''),
            ),
          ),
        )
        .toEqual(switches);
    }
  });

  itSampled(7).each([
    ['/admin/logs', 'User', 'All Users'],
    ['/admin/logs', 'Model', 'All Models'],
    ['/admin/analytics', 'User', 'All Users'],
    ['/admin/tenant-credits', 'Balance', 'All Tenants', 'Low Balance', 'Zero Balance'],
    ['/admin/tasks', 'Category', 'All categories', 'Coding', 'Testing', 'Documentation', 'Research', 'Other'],
    ['/admin/tasks', 'Difficulty', 'All difficulties', 'Beginner', 'Intermediate', 'Advanced'],
    ['/admin/webhook-monitoring', 'Rows per page', '25 rows', '50 rows', '100 rows', '200 rows'],
  ])('on %s, the options of %s start with %s', async (path, label, ...choices) => {
    await page.goto(path);
    await expect.poll(async () => (await readOptions(page, label)).slice(0, choices.length)).toEqual(choices);
  });

  itSampled(2).each(['/admin/tasks', '/admin/teams'])(
    '%s offers the statuses All, Active and Inactive',
    async (path) => {
      await page.goto(path);
      const radios = page.getByRole('group', { name: 'Status', exact: true }).locator('label');
      await expect.poll(() => radios.allTextContents()).toEqual(['All', 'Active', 'Inactive']);
    },
  );

  itSampled(7).each([
    ['/admin/users', 'No users yet', listAddress],
    ['/admin/users?filter=nobody-is-called-so', 'No users found', ''],
    ['/admin/logs', 'No logs found matching your filters.', '**/api/v1/admin/logs?*'],
    ['/admin/tasks', 'No tasks found. Create your first task to get started.', '**/api/v1/admin/tasks'],
    ['/admin/tasks?category=research', 'No tasks found. Create your first task to get started.', ''],
    ['/admin/llm-providers', 'No LLM Providers', '**/api/v1/llm-providers'],
    ['/admin/llm-comparison', 'No comparisons found', comparisonAddresses.list],
    ['/dashboard/tasks', 'No Tasks Assigned', '**/api/v1/user/tasks'],
    ['/admin/analytics?user=999999', 'No data available for the selected period', ''],
    ['/admin/analytics?user=999999', 'No intent data available', ''],
    ['/admin/analytics?user=999999', 'No model usage data available', ''],
    ['/admin/analytics?user=999999', 'No API key usage data available', ''],
    ['/admin/analytics?user=999999', 'No spend data available', ''],
    ['/admin/analytics?user=999999', 'No user data available', ''],
  ])('%s without rows shows: %s', async (path, text, address) => {
    if (address) await page.route(address, answer(200, []));
    await page.goto(path);
    if (path.startsWith('/admin/analytics')) await loadCharts(page);
    await page.getByText(text, { exact: true }).first().waitFor();
  });

  itAtFullSize('the sign-in page has the specified title and links visitors to the home page', async () => {
    await visitAs(null);
    await page.goto('/login');
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
    await page.getByText('Admin Dashboard Access').waitFor();
    await page.getByRole('banner').getByRole('link').click();
    await page.waitForURL(/\/$/);
    for (const name of ['Features', 'Pricing', 'API Reference', 'Docs'])
      await page.getByRole('tab', { name }).waitFor();
    await page.getByRole('link', { name: 'Login' }).waitFor();
  });

  itAtFullSize(
    'an invitation shows its details to a signed-in user, and the header links to the start page',
    async () => {
      await page.route(
        '**/invitations/public/*/details',
        answer(200, {
          company_name: 'Northwind',
          inviter_name: 'Maya Ortiz',
          role_name: 'user',
          email: 'noor@northwind.dev',
        }),
      );
      await page.goto('/invitation/some');
      for (const text of ['Northwind', 'Maya Ortiz', 'User', 'noor@northwind.dev'])
        await page.getByRole('definition').filter({ hasText: text }).first().waitFor();
      for (const label of ['Full Name', 'Password', 'Confirm Password'])
        await page.getByLabel(label, { exact: true }).waitFor();
      await page.getByText('By creating an account you agree to the terms').waitFor();
      expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/login');
      expect(await page.getByRole('banner').getByRole('link').getAttribute('href')).toBe('/admin');
    },
  );

  itAtFullSize('webhook monitoring denies access to users who are not super administrators', async () => {
    await page.route('**/api/v1/auth/me', async (route) => {
      const response = await route.fetch();
      const user = await response.json();
      const permissions = user.role.permissions.filter((name: string) => name !== 'super_admin');
      return route.fulfill({ response, json: { ...user, role: { name: 'admin', permissions } } });
    });
    await page.goto('/admin/webhook-monitoring');
    await page
      .getByText('Access Denied: Webhook monitoring is only available to super administrators.')
      .waitFor();
    expect(await page.getByRole('link', { name: 'Webhook Monitoring' }).count()).toBe(0);
  });
});

const noor = describePerson(70, 'Noor Haddad', { is_blocked: true });

describe('texts of dialogs', () => {
  const dialog = () => page.getByRole('dialog').last();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();

  itAtFullSize(
    'the form for a new user has the specified fields, placeholders and default role',
    async () => {
      await page.goto('/admin/users');
      await press('+ Create User');
      await dialog().getByLabel('Full Name').waitFor();
      const shown = await dialog()
        .locator('input')
        .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('placeholder')));
      const wanted = ['Min. 6 characters', '1000', '30000', '100'];
      expect(only(wanted, shown.map(String))).toEqual(wanted);
      await expect.poll(() => dialog().getByRole('combobox', { name: 'Role' }).inputValue()).toBe('User');
    },
  );

  itAtFullSize('the form for a team counts the characters of its description', async () => {
    await page.goto('/admin/teams');
    await press('Create Team');
    await dialog().getByText('0/500').waitFor();
    await dialog().getByLabel('Description').fill('Parsers');
    await dialog().getByText('7/500').waitFor();
  });

  itAtFullSize('the form for a new task starts with the specified values', async () => {
    await page.goto('/admin/tasks');
    await press('Create Task');
    for (const name of ['Regular Task', 'API Access Task']) await dialog().getByText(name).first().waitFor();
    const values: readonly (readonly [string, string])[] = [
      ['Category', 'Coding'],
      ['Difficulty', 'Beginner'],
      ['Estimated hours', '1'],
      ['Token limit', '10,000'],
      ['Max tokens per request', '1,000'],
    ];
    for (const [label, value] of values)
      expect(await dialog().getByLabel(label, { exact: true }).inputValue(), label).toBe(value);
    expect(await dialog().getByLabel('Task is active').isChecked()).toBe(true);
  });

  itAtFullSize('the form for a blacklist entry offers the specified reasons', async () => {
    await page.route(blacklistAddresses.models, answer(200, []));
    await page.goto('/admin/blacklist');
    await press('Add to Blacklist');
    expect(await readOptions(dialog(), 'Reason')).toEqual([
      'Select a reason',
      'Policy violation',
      'Security concerns',
      'Cost management',
      'Performance issues',
      'Compliance requirements',
      'Data privacy',
      'Content filtering',
      'Rate limiting',
      'Custom reason',
    ]);
  });

  itAtFullSize('the details of a task in the history have the specified order', async () => {
    const task = {
      id: 4,
      task_id: 9,
      task_title: 'CSV import',
      task_description: 'Read the file and parse it',
      task_category: 'coding',
      task_difficulty: 'beginner',
      status: 'active',
      is_task_active: true,
      tokens_used: 10,
      token_limit: 1000,
      spend_usd_today: 0,
      spend_usd_month: 0.4,
      spend_usd_last_month: 0,
      estimated_hours: 1,
      progress_notes: 'Half of it is done',
      assigned_at: '2026-11-03T09:00:00.000Z',
      completion_date: null,
    };
    await page.route('**/api/v1/user/tasks', answer(200, [task]));
    await page.goto('/dashboard/history?open=4');
    const text = async () => (await dialog().innerText()).toLowerCase();
    const order = [
      'read the file and parse it',
      'half of it is done',
      'category',
      'difficulty',
      'estimated hours',
      'tokens used',
      'token limit',
      'assigned',
      'completed',
    ];
    await expect
      .poll(async () => {
        const shown = await text();
        return order.toSorted((one, other) => shown.indexOf(one) - shown.indexOf(other));
      })
      .toEqual(order);
  });

  it('unblocking a user shows a progress text', async () => {
    await page.route(listAddress, answer(200, [noor]));
    await page.route('**/api/v1/admin/users/70/unblock', () => undefined);
    await page.goto('/admin/users');
    await page.getByRole('button', { name: 'More actions: Noor Haddad' }).click();
    await page.getByRole('menuitem', { name: 'Unblock' }).click();
    await page.getByText('Unblocking user...').waitFor();
  });

  itAtFullSize(
    'the form for a grant has buttons to select and deselect all models, and a count',
    async () => {
      await page.goto('/admin/provider-access');
      await press('Grant Access');
      await dialog().getByText('Selected: 0 of 0').waitFor();
      for (const name of ['Select All', 'Deselect All'])
        await dialog().getByRole('button', { name, exact: true }).waitFor();
    },
  );
});
