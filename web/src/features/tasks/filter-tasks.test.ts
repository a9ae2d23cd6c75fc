import type { Task, TaskAssignment, User } from '@sluice/contract';
import { expect, it } from 'vitest';
import {
  filterAssignableUsers,
  filterTasks,
  filterUsersWithoutApiAccess,
  isReassignable,
  pickChanges,
} from './filter-tasks.ts';

const task = (fields: Partial<Task>): Task => ({
  id: 1,
  title: 'Write the parser',
  description: 'A parser for the new format',
  category: 'coding',
  difficulty_level: 'beginner',
  estimated_hours: 1,
  token_limit: 10_000,
  max_tokens_per_request: 1_000,
  is_active: true,
  created_at: '2026-11-03T09:00:00.000Z',
  assigned_users_count: 0,
  total_requests: 0,
  has_assignments: false,
  is_dummy_task: false,
  user_id: null,
  spend_usd_today: 0,
  spend_usd_month: 0,
  spend_usd_last_month: 0,
  ...fields,
});

const manual = task({
  id: 2,
  title: 'Write the manual',
  description: 'For administrators',
  category: 'documentation',
  difficulty_level: 'advanced',
  is_active: false,
});
const tasks = [task({}), manual];

it('filterTasks combines text, category, difficulty and status', () => {
  const idsOf = (search: Parameters<typeof filterTasks>[1]) => filterTasks(tasks, search).map(({ id }) => id);
  expect(idsOf({})).toEqual([1, 2]);
  expect(idsOf({ filter: ' WRITE ' })).toEqual([1, 2]);
  expect(idsOf({ filter: 'administrators' })).toEqual([2]);
  expect(idsOf({ category: 'coding' })).toEqual([1]);
  expect(idsOf({ difficulty: 'advanced', status: 'inactive' })).toEqual([2]);
  expect(idsOf({ difficulty: 'advanced', status: 'active' })).toEqual([]);
});

it('filterTasks omits API access tasks unless they are requested', () => {
  const all = [...tasks, task({ id: 3, is_dummy_task: true, user_id: 7 })];
  expect(filterTasks(all, {}).map(({ id }) => id)).toEqual([1, 2]);
  expect(filterTasks(all, { api: true }).map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(filterTasks(all, { api: true, status: 'inactive' }).map(({ id }) => id)).toEqual([2]);
});

const person = (id: number, fields: Partial<User> = {}) =>
  ({ id, is_active: true, is_blocked: false, ...fields }) as User; // safe because only these fields are read
const people = [person(1), person(2), person(3, { is_blocked: true }), person(4, { is_active: false })];
const idsOf = (found: readonly User[]) => found.map(({ id }) => id);

it('filterAssignableUsers omits inactive, blocked and assigned users', () => {
  const working = { user_id: 1, status: 'active' } as TaskAssignment; // safe because only these fields are read
  const ended = { user_id: 2, status: 'completed' } as TaskAssignment; // safe because only these fields are read
  expect(idsOf(filterAssignableUsers(people, task({}), [working, ended]))).toEqual([2]);
  expect(idsOf(filterAssignableUsers(people, task({ is_dummy_task: true, user_id: 2 }), []))).toEqual([2]);
});

it('filterUsersWithoutApiAccess omits users with an active API access task', () => {
  expect(idsOf(filterUsersWithoutApiAccess(people, [task({ user_id: 1 })]))).toEqual([2]);
  expect(idsOf(filterUsersWithoutApiAccess(people, [task({ user_id: 1, is_active: false })]))).toEqual([
    1, 2,
  ]);
});

it.each([
  [0, false],
  [1, true],
  [15, false],
])('isReassignable of a task with %d assignees returns %s', (assigned_users_count, expected) => {
  expect(isReassignable(task({ assigned_users_count }))).toBe(expected);
});

it('pickChanges returns changed fields only', () => {
  const filledIn = { title: 'Write the parser', token_limit: 20_000 };
  expect(pickChanges(task({}), filledIn)).toEqual({ token_limit: 20_000 });
});
