import { useRouteContext } from '@tanstack/react-router';
import { lazy } from 'react';
import { UsersScreen } from '../../features/users/screen.tsx';
import { loadPart } from '../../lib/load-part.ts';
import { usePreload } from '../../lib/use-preload.ts';

const InvitationList = lazy(
  loadPart(async () => ({
    default: (await import('../../features/invitations/list.tsx')).InvitationList,
  })),
);
const AppealList = lazy(
  loadPart(async () => ({ default: (await import('../../features/appeals/list.tsx')).AppealList })),
);
const loadOverlays = () => import('./user-overlays.tsx');
const Overlays = lazy(loadPart(async () => ({ default: (await loadOverlays()).UserOverlaysWithSlots })));

export function UsersPage() {
  const viewer = useRouteContext({ from: '/signed-in/admin/users', select: ({ user }) => user });
  usePreload(loadOverlays);
  return (
    <UsersScreen
      viewer={viewer}
      invitations={(list) => <InvitationList {...list} />}
      appeals={(list) => <AppealList {...list} />}
      overlays={(props) => <Overlays {...props} />}
    />
  );
}
