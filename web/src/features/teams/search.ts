import { z } from 'zod';
import { tableSearch } from '../../components/data-table/table-search.ts';

/** What the address of the teams may say; `open` is the id of the team whose members are shown. */
export const teamsSearch = tableSearch.extend({
  status: z.enum(['active', 'inactive']).optional().catch(undefined),
});
