import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

export const serviceAccountsSearch = tableSearch.extend({
  state: z.enum(['active', 'inactive']).optional().catch(undefined),
});

export type ServiceAccountsSearch = z.output<typeof serviceAccountsSearch>;
