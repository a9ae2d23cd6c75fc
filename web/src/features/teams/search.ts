import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

/** `open` is the id of the team in the drawer. */
export const teamsSearch = tableSearch.extend({
  status: z.enum(['active', 'inactive']).optional().catch(undefined),
  /** Dialog that a link opens. */
  add: z.literal('create').optional().catch(undefined),
});
