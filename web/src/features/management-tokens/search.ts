import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

export const tokenStates = ['active', 'ended'] as const;

export const managementTokensSearch = tableSearch.extend({
  state: z.enum(tokenStates).optional().catch(undefined),
});

export const tokensPageSize = 50;

export type ManagementTokensSearch = z.output<typeof managementTokensSearch>;
