import { type Appeal, invitationStatuses } from '@sluice/contract';
import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

// Written out, because importing the contract's value would add its routes to the first load of every page.
const appealStatuses = ['open', 'granted', 'denied'] as const satisfies readonly Appeal['status'][];

/** Search parameters of the users; `open` is the id of the user in the drawer. */
export const usersSearch = tableSearch.extend({
  /** Alias of `open`. The route redirects to the same URL with `open`. */
  user: z.number().int().positive().optional().catch(undefined),
  /** Action to start on the user in `open`, set by links such as those of the command palette. */
  act: z.enum(['edit', 'block', 'api-key', 'access']).optional().catch(undefined),
  /** Dialog to open, set by such links. */
  add: z.enum(['create', 'invite']).optional().catch(undefined),
  /** Default: the users. */
  tab: z.enum(['invitations', 'appeals']).optional().catch(undefined),
  status: z.enum(['active', 'blocked']).optional().catch(undefined),
  /** Minimum score level. */
  score: z.enum(['elevated', 'high']).optional().catch(undefined),
  /** Only users who have used at least 80% of a token limit. */
  near: z.literal(true).optional().catch(undefined),
  /** Default: appeals waiting for a decision. */
  appeals: z
    .enum([...appealStatuses, 'all'])
    .optional()
    .catch(undefined),
  invitations: z.enum(invitationStatuses).optional().catch(undefined),
});

export type UsersSearch = z.output<typeof usersSearch>;
