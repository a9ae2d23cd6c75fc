import type { invitationsRoutes } from '@sluice/contract';
import { createAddressThrottle } from '#console/auth/throttle.ts';
import type { Handlers } from '#http/console-route.ts';
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
    createInvitation: (ctx, { body }) => createInvitation(deps, ctx, body),
    createInvitations: (ctx, { body }) => createInvitations(deps, ctx, body.invitations),
    listInvitations: (ctx, { query }) => listInvitations(ctx, query),
    getInvitationStats: (ctx) => getInvitationStats(ctx),
    cancelInvitation: (ctx, { params }) => cancelInvitation(deps.mailbox, ctx, params.id),
    resendInvitation: (ctx, { params }) => resendInvitation(deps, ctx, params.id),
    getInvitationDetails: (ctx, { params }) => getInvitationDetails(deps, ctx, params.token),
    acceptInvitation: (ctx, { params, body }) => acceptInvitation(deps, ctx, params.token, body),
  };
}
