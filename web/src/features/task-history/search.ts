import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

export const historyCategories = ['coding', 'testing', 'documentation', 'research', 'other'] as const;
export const historyStatuses = ['active', 'completed', 'cancelled'] as const;

const day = z.iso.date().optional().catch(undefined);

export const taskHistorySearch = tableSearch.extend({
  category: z.enum(historyCategories).optional().catch(undefined),
  status: z.enum(historyStatuses).optional().catch(undefined),
  from: day,
  to: day,
});

export type TaskHistorySearch = z.output<typeof taskHistorySearch>;
