import type { Comparison } from '@sluice/contract';
import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

// Duplicated from the contract, because an import would add the contract's routes to the first load of every page.
const statuses = ['completed', 'partial', 'pending'] as const satisfies readonly Comparison['status'][];

/** `open` is the id of the displayed comparison. */
export const comparisonSearch = tableSearch.extend({
  status: z.enum(statuses).optional().catch(undefined),
  /** `everyone` lists the comparisons of all users. The default is the user's own. */
  of: z.literal('everyone').optional().catch(undefined),
});

export type ComparisonSearch = z.output<typeof comparisonSearch>;

export const noComparisonFilters = {
  filter: undefined,
  status: undefined,
} satisfies Partial<ComparisonSearch>;

export const hasComparisonFilters = ({ filter, status }: ComparisonSearch): boolean =>
  filter !== undefined || status !== undefined;
