import { type Appeal, invitationStatuses } from '@sluice/contract';
import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

// Duplicated from the contract, because an import would add the contract's routes to the first load of every page.
const appealStatuses = ['open', 'granted', 'denied'] as const satisfies readonly Appeal['status'][];

/** `open` is the id of the user in the drawer. */
export const usersSearch = tableSearch.extend({
  /** Alias of `open`. The route redirects to the same URL with `open`. */
  user: z.number().int().positive().optional().catch(undefined),
  /** Action to start on the user in `open`. Set by links, for example from the command palette. */
  act: z.enum(['edit', 'block', 'password', 'api-key', 'access']).optional().catch(undefined),
  /** Set by links, for example from the command palette. */
  add: z.enum(['create', 'invite']).optional().catch(undefined),
  /** `undefined` is the tab with the users. */
  tab: z.enum(['invitations', 'appeals']).optional().catch(undefined),
  status: z.enum(['active', 'blocked']).optional().catch(undefined),
  /** Minimum score level of the listed users. */
  score: z.enum(['elevated', 'high']).optional().catch(undefined),
  /** Near means at least 80% of a token quota or of a budget that limits the user. */
  near: z.literal(true).optional().catch(undefined),
  /** `undefined` selects appeals that wait for a decision. */
  appeals: z
    .enum([...appealStatuses, 'all'])
    .optional()
    .catch(undefined),
  invitations: z.enum(invitationStatuses).optional().catch(undefined),
});

export type UsersSearch = z.output<typeof usersSearch>;
