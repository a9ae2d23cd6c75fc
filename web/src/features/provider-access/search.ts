import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

export const accessTabs = ['users', 'teams', 'summary'] as const;

const id = z.number().int().positive().optional().catch(undefined);

/** Filters are kept when the tab changes. */
export const accessSearch = tableSearch.extend({
  tab: z.enum(accessTabs).optional().catch(undefined),
  user: id,
  team: id,
  provider: id,
  /** Id of a provider; opens the grant form for it. */
  grant: id,
  /** Opens the explanation drawer. A user id preselects the user. */
  explain: z
    .union([z.number().int().positive(), z.literal('anybody')])
    .optional()
    .catch(undefined),
  model: z.union([z.string(), z.number()]).transform(String).optional().catch(undefined),
});

export type AccessSearch = z.output<typeof accessSearch>;

export const accessPageSize = 100;

export const noAccessFilters = {
  user: undefined,
  team: undefined,
  provider: undefined,
} satisfies Partial<AccessSearch>;

export const hasAccessFilters = ({ user, team, provider }: AccessSearch): boolean =>
  [user, team, provider].some((value) => value !== undefined);
