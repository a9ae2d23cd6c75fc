import type { UserTask } from '@sluice/contract';
import { findByText } from '../../components/data-table/find-by-text.ts';
import { ownDay } from '../../lib/format-day.ts';
import type { TaskHistorySearch } from './search.ts';

/** Returns the filtered tasks. Days are in the user's time zone, like the displayed dates. */
export function findTasks(
  tasks: readonly UserTask[],
  { filter, category, status, from, to }: TaskHistorySearch,
): readonly UserTask[] {
  const named = findByText(tasks, String(filter ?? ''), (task) => [task.task_title, task.task_description]);
  return named.filter((task) => {
    const day = ownDay(Date.parse(task.assigned_at));
    return (
      (category === undefined || task.task_category === category) &&
      (status === undefined || task.status === status) &&
      (from === undefined || day >= from) &&
      (to === undefined || day <= to)
    );
  });
}
