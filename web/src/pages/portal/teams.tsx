import { useRouteContext } from '@tanstack/react-router';
import { TeamsScreen } from '#features/teams/screen.tsx';

export function OwnTeamsPage() {
  const viewer = useRouteContext({ from: '/signed-in/dashboard/teams', select: ({ user }) => user });
  return <TeamsScreen viewer={viewer} />;
}
