import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { lazyPart } from '#lib/lazy-part.tsx';

// Contents of the other tabs of the users page.

export const InvitationList = lazyPart(
  () => import('#features/invitations/list.tsx'),
  'InvitationList',
  <SkeletonLines count={6} />,
);

export const AppealList = lazyPart(
  () => import('#features/appeals/list.tsx'),
  'AppealList',
  <SkeletonLines count={6} />,
);
