import type { Task, TaskAssignment, User } from '@sluice/contract';
import { statusOf } from '#components/data-table/active-status.tsx';
import { findByText } from '#components/data-table/column.ts';
import { formatLabel } from '#lib/format-label.ts';
import type { TasksSearch } from './search.ts';

/** API access tasks are omitted by default, because there is one per API user. */
export const filterListedTasks = (
  tasks: readonly Task[],
  { api }: Pick<TasksSearch, 'api'>,
): readonly Task[] => (api ? tasks : tasks.filter(({ is_dummy_task }) => !is_dummy_task));

/** Searches title and description, ignoring case. */
export function filterTasks(
  tasks: readonly Task[],
  { filter = '', category, difficulty, status, api }: TasksSearch,
): readonly Task[] {
  const listed = filterListedTasks(tasks, { api }).filter(
    (task) =>
      (category === undefined || task.category === category) &&
      (difficulty === undefined || task.difficulty_level === difficulty) &&
      (status === undefined || statusOf(task) === status),
  );
  return findByText(listed, String(filter), ({ title, description }) => [title, description]);
}

/** Returns users who are active, not blocked, and not assigned yet. */
export function filterAssignableUsers(
  people: readonly User[],
  task: Pick<Task, 'is_dummy_task' | 'user_id'>,
  assignments: readonly TaskAssignment[],
): readonly User[] {
  const taken = new Set(filterActive(assignments).map(({ user_id }) => user_id));
  return people.filter(
    ({ id, is_active, is_blocked }) =>
      is_active && !is_blocked && !taken.has(id) && (!task.is_dummy_task || task.user_id === id),
  );
}

/** Returns active, unblocked users who have no active API access task. */
export function filterUsersWithoutApiAccess(
  people: readonly User[],
  tasks: readonly Task[],
): readonly User[] {
  const taken = new Set(tasks.filter(({ is_active }) => is_active).map(({ user_id }) => user_id));
  return people.filter(({ id, is_active, is_blocked }) => is_active && !is_blocked && !taken.has(id));
}

/** A task with several assignees gets a further one instead of a replacement. */
export const isReassignable = ({ assigned_users_count }: Pick<Task, 'assigned_users_count'>): boolean =>
  assigned_users_count === 1;

export const filterActive = (assignments: readonly TaskAssignment[]) =>
  assignments.filter(({ status }) => status === 'active');

/** Returns only the changed fields, so that two administrators can edit different fields. */
export function pickChanges<Filled extends Partial<Task>>(task: Task, filledIn: Filled): Partial<Filled> {
  // safe because the form's fields are fields of the task
  const names = Object.keys(filledIn) as (keyof Filled & keyof Task)[];
  const changed = names.filter((name) => filledIn[name] !== task[name]);
  // safe because each entry comes from the form
  return Object.fromEntries(changed.map((name) => [name, filledIn[name]])) as Partial<Filled>;
}

export const optionsOf = (names: readonly string[]) =>
  names.map((value) => ({ value, label: formatLabel(value) }));
