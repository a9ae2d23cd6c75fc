import { useRouteContext } from '@tanstack/react-router';
import { ShadowRunsScreen } from '#features/shadow-runs/screen.tsx';

export function ShadowRunsPage() {
  const viewer = useRouteContext({ from: '/signed-in/admin/shadow-runs', select: ({ user }) => user });
  return <ShadowRunsScreen viewer={viewer} />;
}
