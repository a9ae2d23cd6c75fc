import { useRouteContext } from '@tanstack/react-router';
import { OverviewScreen } from '#features/overview/screen.tsx';

export function OverviewPage() {
  const user = useRouteContext({ from: '/signed-in/admin', select: (context) => context.user });
  return <OverviewScreen user={user} />;
}
