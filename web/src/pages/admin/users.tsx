import { useRouteContext } from '@tanstack/react-router';
import { lazy } from 'react';
import { UsersScreen } from '../../features/users/screen.tsx';
import { loadPart } from '../../lib/load-part.ts';
import { usePreload } from '../../lib/use-preload.ts';
import { AppealList, InvitationList, useWaitingCounts } from './user-tabs.ts';

const loadOverlays = () => import('./user-overlays.tsx');
const Overlays = lazy(loadPart(async () => ({ default: (await loadOverlays()).UserOverlaysWithSlots })));

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
