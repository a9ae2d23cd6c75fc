import { lazyPart } from '#lib/lazy-part.tsx';

export { InviteUserDialog } from './invite-dialog.tsx';
export { invitationStatsQuery } from './queries.ts';

/** Invitations with their status. Loaded when their tab opens. */
export const InvitationList = lazyPart(() => import('./list.tsx'), 'InvitationList');
