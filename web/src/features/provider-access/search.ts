import { z } from 'zod';
import { tableSearch } from '../../components/data-table/table-search.ts';

export const accessTabs = ['users', 'teams', 'summary'] as const;

const id = z.number().int().positive().optional().catch(undefined);

/** What the address of provider access may say; filters outlive a change of the tab. */
export const accessSearch = tableSearch.extend({
  tab: z.enum(accessTabs).optional().catch(undefined),
  user: id,
  team: id,
  provider: id,
  /** Opens the explainer: about a person, or about nobody yet. */
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
