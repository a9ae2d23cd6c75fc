import type { Task, TaskAssignment, User } from '@sluice/contract';
import { findByText } from '../../components/data-table/find-by-text.ts';
import { statusOf } from '../../lib/active-status.ts';
import { formatLabel } from '../../lib/format-label.ts';
import type { TasksSearch } from './search.ts';

/** The tasks that fit the filters; the text is in the title or the description, whatever its case. */
export function findTasks(
  tasks: readonly Task[],
  { filter = '', category, difficulty, status }: TasksSearch,
): readonly Task[] {
  const listed = tasks.filter(
    (task) =>
      (category === undefined || task.category === category) &&
      (difficulty === undefined || task.difficulty_level === difficulty) &&
      (status === undefined || statusOf(task) === status),
  );
  return findByText(listed, String(filter), ({ title, description }) => [title, description]);
}

/** Who may be given a task: nobody blocked or inactive, nobody who works on it already. */
export function findAvailablePeople(
  people: readonly User[],
  task: Pick<Task, 'is_dummy_task' | 'user_id'>,
  assignments: readonly TaskAssignment[],
): readonly User[] {
  const taken = new Set(activeOnes(assignments).map(({ user_id }) => user_id));
  return people.filter(
    ({ id, is_active, is_blocked }) =>
      is_active && !is_blocked && !taken.has(id) && (!task.is_dummy_task || task.user_id === id),
  );
}

/** Who may get an API access task: those among them who have none that is active. */
export function findPeopleWithoutApiAccess(people: readonly User[], tasks: readonly Task[]): readonly User[] {
  const taken = new Set(tasks.filter(({ is_active }) => is_active).map(({ user_id }) => user_id));
  return people.filter(({ id, is_active, is_blocked }) => is_active && !is_blocked && !taken.has(id));
}

export const activeOnes = (assignments: readonly TaskAssignment[]) =>
  assignments.filter(({ status }) => status === 'active');

/** Of a filled-in form, the fields that differ from the task's: two people who edit different ones both succeed. */
export function pickChanges<Filled extends Partial<Task>>(task: Task, filledIn: Filled): Partial<Filled> {
  // safe because the form's fields are fields of the task
  const names = Object.keys(filledIn) as (keyof Filled & keyof Task)[];
  const changed = names.filter((name) => filledIn[name] !== task[name]);
  // safe because each entry is one of the form's
  return Object.fromEntries(changed.map((name) => [name, filledIn[name]])) as Partial<Filled>;
}

/** Names of the API as choices for people. */
export const optionsOf = (names: readonly string[]) =>
  names.map((value) => ({ value, label: formatLabel(value) }));
