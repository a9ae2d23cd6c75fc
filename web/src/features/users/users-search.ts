import { z } from 'zod';
import { tableSearch } from '../../components/data-table/table-search.ts';

/** What the address of the users may say; `open` is the id of the user whose details are shown. */
export const usersSearch = tableSearch.extend({
  status: z.enum(['active', 'blocked']).optional().catch(undefined),
});
