import type { Comparison } from '@sluice/contract';
import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

// Written out, because importing the contract's value would add its routes to the first load of every page.
const statuses = ['completed', 'partial', 'pending'] as const satisfies readonly Comparison['status'][];

/** Search parameters of the comparisons; `open` is the id of the displayed one. */
export const comparisonSearch = tableSearch.extend({
  status: z.enum(statuses).optional().catch(undefined),
  /** Lists everyone's comparisons. Default: the user's own. */
  of: z.literal('everyone').optional().catch(undefined),
});

export type ComparisonSearch = z.output<typeof comparisonSearch>;

export const noComparisonFilters = {
  filter: undefined,
  status: undefined,
} satisfies Partial<ComparisonSearch>;

export const hasComparisonFilters = ({ filter, status }: ComparisonSearch): boolean =>
  filter !== undefined || status !== undefined;
