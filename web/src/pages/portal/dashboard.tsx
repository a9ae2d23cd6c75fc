import { useRouteContext } from '@tanstack/react-router';
import { DashboardScreen } from '#features/account-status/screen.tsx';

export function DashboardPage() {
  const user = useRouteContext({ from: '/signed-in/dashboard', select: (context) => context.user });
  return <DashboardScreen user={user} />;
}
