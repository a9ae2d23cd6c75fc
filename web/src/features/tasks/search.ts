import { taskCategories, taskDifficulties } from '@sluice/contract';
import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

/** `open` is the id of the task in the drawer. */
export const tasksSearch = tableSearch.extend({
  category: z.enum(taskCategories).optional().catch(undefined),
  difficulty: z.enum(taskDifficulties).optional().catch(undefined),
  status: z.enum(['active', 'inactive']).optional().catch(undefined),
  /** Whether API access tasks are included. */
  api: z.literal(true).optional().catch(undefined),
  /** Dialog that a link opens. */
  add: z.literal('create').optional().catch(undefined),
});

export type TasksSearch = z.output<typeof tasksSearch>;

export const noTaskFilters = {
  filter: undefined,
  category: undefined,
  difficulty: undefined,
  status: undefined,
} satisfies Partial<TasksSearch>;

export function hasTaskFilters({ filter, category, difficulty, status }: TasksSearch): boolean {
  return [filter, category, difficulty, status].some((value) => value !== undefined);
}
