import { useRouteContext } from '@tanstack/react-router';
import { LogsScreen } from '#features/logs/screen.tsx';

export function LogsPage() {
  const timeZone = useRouteContext({
    from: '/signed-in/admin/logs',
    select: ({ user }) => user.tenant.time_zone,
  });
  return <LogsScreen timeZone={timeZone} />;
}
