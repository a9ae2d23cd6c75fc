import type { invitationsRoutes } from '@sluice/contract';
import { createAddressThrottle } from '#console/auth/attempt-throttle.ts';
import type { Handlers } from '#http/console-route.ts';
import { outside, read, write } from '#http/verbs.ts';
import { type AcceptDeps, acceptInvitation } from './accept.ts';
import { cancelInvitation, createInvitation, resendInvitation } from './change.ts';
import { createInvitations } from './invite-many.ts';
import { getInvitationDetails, type IssueDeps } from './link.ts';
import { getInvitationStats, listInvitations } from './list.ts';

export type InvitationsDeps = IssueDeps & Omit<AcceptDeps, 'throttle'>;

export function createInvitationsHandlers(given: InvitationsDeps): Handlers<typeof invitationsRoutes> {
  const kind = { subject: 'invitation', noun: 'invitation attempts' };
  const deps = { ...given, throttle: createAddressThrottle(given.database, given.clock, kind) };
  return {
    createInvitation: write(createInvitation.bind(null, deps), ({ body }) => body),
    createInvitations: write(createInvitations.bind(null, deps), ({ body }) => body.invitations),
    listInvitations: read(listInvitations, ({ query }) => query),
    getInvitationStats: read(getInvitationStats),
    cancelInvitation: write(cancelInvitation.bind(null, deps.mailbox), ({ params }) => params.id),
    resendInvitation: write(resendInvitation.bind(null, deps), ({ params }) => params.id),
    getInvitationDetails: outside('counts attempts', (ctx, { params }) =>
      getInvitationDetails(deps, ctx, params.token),
    ),
    acceptInvitation: outside('counts attempts', (ctx, { params, body }) =>
      acceptInvitation(deps, ctx, params.token, body),
    ),
  };
}
