import { useRouteContext } from '@tanstack/react-router';
import { TeamsScreen } from '#features/teams/screen.tsx';

/** Teams page for users who manage teams without being tenant administrators. */
export function OwnTeamsPage() {
  const viewer = useRouteContext({ from: '/signed-in/dashboard/teams', select: ({ user }) => user });
  return <TeamsScreen viewer={viewer} />;
}
