import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

export const balanceFilters = ['low', 'zero'] as const;

export type BalanceFilter = (typeof balanceFilters)[number];

export const tenantCreditsSearch = tableSearch.extend({
  balance: z.enum(balanceFilters).optional().catch(undefined),
  tab: z.enum(['billing']).optional().catch(undefined),
});

export type TenantCreditsSearch = z.output<typeof tenantCreditsSearch>;
