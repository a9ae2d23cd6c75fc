import { useRouteContext } from '@tanstack/react-router';
import { TeamsScreen } from '#features/teams/screen.tsx';

export function TeamsPage() {
  const viewer = useRouteContext({ from: '/signed-in/admin/teams', select: ({ user }) => user });
  return <TeamsScreen viewer={viewer} />;
}
