import { useRouteContext } from '@tanstack/react-router';
import { TeamsScreen } from '../../features/teams/screen.tsx';

/** For people who are no administrators of the tenant and manage teams of it. */
export function OwnTeamsPage() {
  const viewer = useRouteContext({ from: '/signed-in/dashboard/teams', select: ({ user }) => user });
  return <TeamsScreen viewer={viewer} />;
}
