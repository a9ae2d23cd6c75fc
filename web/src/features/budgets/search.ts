import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

/** Search parameters of Budgets. */
export const budgetsSearch = tableSearch.extend({
  /** Default: the budgets. */
  tab: z.enum(['defaults', 'requests']).optional().catch(undefined),
  /** Only budgets of which at least this percentage is used. */
  used: z
    .union([z.literal(80), z.literal(100)])
    .optional()
    .catch(undefined),
});

export type BudgetsSearch = z.output<typeof budgetsSearch>;
