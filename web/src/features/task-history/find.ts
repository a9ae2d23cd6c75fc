import type { UserTask } from '@sluice/contract';
import { findByText } from '../../components/data-table/find-by-text.ts';
import type { TaskHistorySearch } from './search.ts';

/** The tasks that pass the filters; days are those of the browser's calendar, in which the list shows them. */
export function findTasks(
  tasks: readonly UserTask[],
  { filter, category, status, from, to }: TaskHistorySearch,
): readonly UserTask[] {
  const named = findByText(tasks, String(filter ?? ''), (task) => [task.task_title, task.task_description]);
  return named.filter((task) => {
    const day = localDayOf(task.assigned_at);
    return (
      (category === undefined || task.task_category === category) &&
      (status === undefined || task.status === status) &&
      (from === undefined || day >= from) &&
      (to === undefined || day <= to)
    );
  });
}

/** `2026-11-20` */
export function localDayOf(instant: string): string {
  const date = new Date(instant);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${date.getFullYear()}-${month}-${day}`;
}
