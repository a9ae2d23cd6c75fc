import { useRouteContext } from '@tanstack/react-router';
import { ManagementTokensScreen } from '#features/management-tokens/screen.tsx';

export function ManagementTokensPage() {
  const viewer = useRouteContext({
    from: '/signed-in/admin/management-tokens',
    select: ({ user }) => user,
  });
  return <ManagementTokensScreen viewer={viewer} />;
}
