import type { Page } from 'playwright-core';
import { shareConsole } from './console.ts';
import { describeLooks, type State } from './looks.ts';
import {
  assignmentsAddress,
  describeAssignment,
  describeTask,
  drawer,
  impactAddress,
  openTasks,
  tasksAddress,
} from './tasks-page.ts';
import { act, actFromMenu, answer, describePerson, hold, listAddress } from './users-page.ts';

const tasks = [
  describeTask(1, 'Payment service', {
    assigned_users_count: 3,
    total_requests: 1_284,
    has_assignments: true,
  }),
  describeTask(2, 'API access of Noor Al-Amin', {
    category: 'other',
    difficulty_level: 'beginner',
    estimated_hours: 1,
    token_limit: null,
    max_tokens_per_request: null,
    is_dummy_task: true,
    user_id: 12,
    assigned_users_count: 1,
    total_requests: 20_417,
    has_assignments: true,
  }),
  describeTask(3, 'Regression tests for the importer of last year’s invoices', {
    category: 'testing',
    difficulty_level: 'advanced',
    estimated_hours: 2.5,
    token_limit: 1_000_000,
    max_tokens_per_request: 10_000,
  }),
  describeTask(4, 'Manual for administrators', {
    category: 'documentation',
    is_active: false,
    token_limit: 20_000,
    max_tokens_per_request: 1_000,
    total_requests: 92,
    created_at: '2026-09-12T09:00:00.000Z',
  }),
];

const assignments = [
  describeAssignment(1, 'Maya Ortiz', {
    tokens_used: 61_204,
    total_requests: 318,
    last_request_at: '2026-11-20T15:58:00.000Z',
    progress_notes: 'Refunds are done; disputes come next.',
  }),
  describeAssignment(2, 'Jonas Weber', { tokens_used: 238_900, total_requests: 954, is_blocked: true }),
  describeAssignment(3, 'Aiko Tanaka'),
  describeAssignment(4, 'Lena Fischer', {
    status: 'completed',
    tokens_used: 12_040,
    total_requests: 12,
    completion_date: '2026-11-10T09:00:00.000Z',
  }),
];

const impact = {
  active_assignments_count: 3,
  affected_users: assignments.slice(0, 3).map((assignment, index) => ({
    user_id: assignment.user_id,
    user_name: assignment.user_name,
    user_email: assignment.user_email,
    assignment_duration_days: index * 8,
    assigned_since: assignment.assigned_at,
  })),
  warnings: [
    '37 requests were made for it in the last hour.',
    'Aiko Tanaka will have no task left, so the gateway will reject their requests.',
    'Its users have 449,896 unused tokens.',
  ],
};

const prompts = [
  'Fix the race condition in the payment service when a refund comes twice',
  'Write unit tests for the retry of failed payments',
  'Suggest a romantic restaurant for Saturday night in Lisbon',
];

const people = ['Tom Keller', 'Noor Al-Amin', 'Samir Haddad', 'Ida Berg'].map((name, index) =>
  describePerson(index + 11, name),
);

shareConsole();

const withTasks = async (page: Page, search = '') => {
  await page.route(tasksAddress, answer(200, tasks));
  await page.route(listAddress, answer(200, people));
  await page.route(assignmentsAddress, answer(200, assignments));
  await page.route(impactAddress, answer(200, impact));
  await openTasks(page, search);
};

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const states: State[] = [
  { name: 'list', isInEveryLook: true, show: withTasks },
  {
    name: 'assignments',
    isInEveryLook: true,
    show: async (page) => {
      await withTasks(page, '?open=1');
      await drawer(page).getByText('Lena Fischer').first().waitFor();
    },
  },
  {
    name: 'create',
    isInEveryLook: true,
    show: async (page) => {
      await withTasks(page);
      await press(page, 'Create Task');
      await page.getByRole('dialog', { name: 'Create Task' }).waitFor();
    },
  },
  {
    name: 'create-refused',
    show: async (page) => {
      await withTasks(page);
      await press(page, 'Create Task');
      const dialog = page.getByRole('dialog', { name: 'Create Task' });
      await dialog.getByLabel('Token limit').fill('2,000');
      await dialog.getByLabel('Max tokens per request').fill('20,000');
      await dialog.getByLabel('Estimated hours').fill('0.25');
      await dialog.getByRole('button', { name: 'Create Task' }).click();
      await dialog.getByText('Title is required').waitFor();
    },
  },
  {
    name: 'rehearsal',
    isInEveryLook: true,
    show: async (page) => {
      await withTasks(page);
      await actFromMenu(page, 'Edit', 'Payment service');
      const form = page.getByRole('dialog', { name: 'Edit Task' });
      await form.getByRole('textbox', { name: 'Prompts' }).fill(prompts.join('\n'));
      await form.getByText('Off task').waitFor();
      await form.getByRole('listitem').last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'api-access',
    show: async (page) => {
      await withTasks(page);
      await press(page, 'Create Task');
      await page.getByText('API Access Task', { exact: true }).click();
      await page.getByRole('combobox', { name: 'User' }).fill('i');
      await page.getByRole('option', { name: /Ida Berg/ }).waitFor();
    },
  },
  {
    name: 'reassign',
    show: async (page) => {
      await withTasks(page);
      await act(page, 'Reassign', 'Payment service');
      await page.getByLabel('Instead of').waitFor();
    },
  },
  {
    name: 'nobody-to-assign',
    show: async (page) => {
      await withTasks(page);
      await page.route(listAddress, answer(200, []));
      await page.reload();
      await act(page, 'Assign', tasks[2]?.title ?? '');
      await page.getByText('No available users found').waitFor();
    },
  },
  {
    name: 'delete',
    isInEveryLook: true,
    show: async (page) => {
      await withTasks(page);
      await actFromMenu(page, 'Delete', 'Payment service');
      await page.getByText('449,896 tokens').waitFor();
    },
  },
  {
    name: 'loading',
    show: async (page) => {
      await hold(page, tasksAddress);
      await page.goto('/admin/tasks');
      await page.getByText('Loading tasks...').waitFor();
    },
  },
  {
    name: 'failure',
    show: async (page) => {
      await page.route(tasksAddress, answer(500, { detail: 'The database is unavailable' }));
      await page.goto('/admin/tasks');
      await page.getByText('Error loading tasks: The database is unavailable').waitFor();
    },
  },
  {
    name: 'none-yet',
    show: async (page) => {
      await page.route(tasksAddress, answer(200, []));
      await openTasks(page);
      await page.getByText('No tasks found. Create your first task to get started.').waitFor();
    },
  },
];

describeLooks('Tasks', 'tasks', states);
