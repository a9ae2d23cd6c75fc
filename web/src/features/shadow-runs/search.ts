import type { ShadowDifference } from '@sluice/contract';
import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

const text = z.union([z.string(), z.number()]).transform(String);

// Duplicated from the contract, because an import would add the contract's routes to the first load of every page.
export const differences = [
  'refused_here',
  'refused_there',
  'other_model',
  'other_cost',
  'not_compared',
  'none',
] as const satisfies readonly ShadowDifference[];

/** Search parameters of the shadow run page: the open run and the filters of its requests. */
export const shadowRunsSearch = tableSearch.extend({
  run: z.number().int().positive().optional().catch(undefined),
  difference: z.enum(differences).optional().catch(undefined),
  /** Error code that this gateway would return. */
  code: text.optional().catch(undefined),
  /** Model named in the request. */
  model: text.optional().catch(undefined),
  user: z.number().int().positive().optional().catch(undefined),
});

export type ShadowRunsSearch = z.output<typeof shadowRunsSearch>;

export const requestsPageSize = 50;

export const noRequestFilters = {
  difference: undefined,
  code: undefined,
  model: undefined,
  user: undefined,
} satisfies Partial<ShadowRunsSearch>;

export function hasRequestFilters({ difference, code, model, user }: ShadowRunsSearch): boolean {
  return [difference, code, model, user].some((value) => value !== undefined);
}

export function toRequestFilters({ difference, code, model, user }: ShadowRunsSearch) {
  return { difference, error_code: code, model_requested: model, user_id: user };
}
