import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

export const blacklistSearch = tableSearch.extend({
  provider: z.union([z.string(), z.number()]).transform(String).optional().catch(undefined),
});

export type BlacklistSearch = z.output<typeof blacklistSearch>;
