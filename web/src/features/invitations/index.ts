import { lazyPart } from '#lib/lazy-part.tsx';

export { InviteUserDialog } from './invite-dialog.tsx';
export { invitationStatsQuery } from './queries.ts';

/** Loaded when the tab opens. */
export const InvitationList = lazyPart(() => import('./list.tsx'), 'InvitationList');
