import { useRouteContext } from '@tanstack/react-router';
import { ServiceAccountsScreen } from '#features/service-accounts/screen.tsx';

export function ServiceAccountsPage() {
  const viewer = useRouteContext({
    from: '/signed-in/admin/service-accounts',
    select: ({ user }) => user,
  });
  return <ServiceAccountsScreen viewer={viewer} />;
}
