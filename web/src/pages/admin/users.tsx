import { useRouteContext } from '@tanstack/react-router';
import { UsersScreen } from '#features/users/screen.tsx';
import { lazyFile, lazyPart, usePreload } from '#lib/lazy-part.tsx';
import { useWaitingCounts } from './use-waiting-counts.ts';
import { AppealList, InvitationList } from './user-tabs.tsx';

const loadOverlays = lazyFile(() => import('./user-overlays.tsx'));
const Overlays = lazyPart(loadOverlays, 'UserOverlaysWithSlots');

export function UsersPage() {
  const viewer = useRouteContext({ from: '/signed-in/admin/users', select: ({ user }) => user });
  usePreload(loadOverlays);
  return (
    <UsersScreen
      viewer={viewer}
      counts={useWaitingCounts()}
      invitations={(list) => <InvitationList {...list} />}
      appeals={(list) => <AppealList {...list} />}
      overlays={(props) => <Overlays {...props} />}
    />
  );
}
