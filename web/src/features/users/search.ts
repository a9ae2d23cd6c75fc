import { type Appeal, invitationStatuses } from '@sluice/contract';
import { z } from 'zod';
import { tableSearch } from '../../components/data-table/table-search.ts';

// Written out, or the calls of governance would be part of the first load of every page.
const appealStatuses = ['open', 'granted', 'denied'] as const satisfies readonly Appeal['status'][];

/** What the address of the users may say; `open` is the id of the user whose details are shown. */
export const usersSearch = tableSearch.extend({
  /** Another word for `open`, which the route puts in its place. */
  user: z.number().int().positive().optional().catch(undefined),
  /** Absent: the users themselves. */
  tab: z.enum(['invitations', 'appeals']).optional().catch(undefined),
  status: z.enum(['active', 'blocked']).optional().catch(undefined),
  /** Only scores that are yellow or red. */
  score: z.enum(['elevated', 'high']).optional().catch(undefined),
  /** Absent: those that wait for a decision. */
  appeals: z
    .enum([...appealStatuses, 'all'])
    .optional()
    .catch(undefined),
  invitations: z.enum(invitationStatuses).optional().catch(undefined),
});

export type UsersSearch = z.output<typeof usersSearch>;
