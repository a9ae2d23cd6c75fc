import { useRouteContext } from '@tanstack/react-router';
import { UsersScreen } from '#features/users/screen.tsx';

export function UsersPage() {
  const viewer = useRouteContext({ from: '/signed-in/admin/users', select: ({ user }) => user });
  return <UsersScreen viewer={viewer} />;
}
