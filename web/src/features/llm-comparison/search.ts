import type { Comparison } from '@sluice/contract';
import { z } from 'zod';
import { tableSearch } from '../../components/data-table/table-search.ts';

// Written out, or the calls of comparisons would be part of the first load of every page.
const statuses = ['completed', 'partial', 'pending'] as const satisfies readonly Comparison['status'][];

/** What the address of the comparisons may say; `open` is the one whose results are shown. */
export const comparisonSearch = tableSearch.extend({
  status: z.enum(statuses).optional().catch(undefined),
  /** Whose are listed: the own ones when absent. */
  of: z.literal('everyone').optional().catch(undefined),
});

export type ComparisonSearch = z.output<typeof comparisonSearch>;

export const noComparisonFilters = {
  filter: undefined,
  status: undefined,
} satisfies Partial<ComparisonSearch>;

export const hasComparisonFilters = ({ filter, status }: ComparisonSearch): boolean =>
  filter !== undefined || status !== undefined;
