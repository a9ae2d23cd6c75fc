import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

export const budgetsSearch = tableSearch.extend({
  /** `undefined` is the tab with the budgets. */
  tab: z.enum(['defaults', 'requests']).optional().catch(undefined),
  /** In percent. */
  used: z
    .union([z.literal(80), z.literal(100)])
    .optional()
    .catch(undefined),
  /** Dialog that a link opens. */
  add: z.literal('create').optional().catch(undefined),
});

export type BudgetsSearch = z.output<typeof budgetsSearch>;
