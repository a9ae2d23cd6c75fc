import { useRouteContext } from '@tanstack/react-router';
import { LogsScreen } from '#features/logs/screen.tsx';
import { useUsageChoices } from './use-usage-choices.ts';

export function LogsPage() {
  const timeZone = useRouteContext({
    from: '/signed-in/admin/logs',
    select: ({ user }) => user.tenant.time_zone,
  });
  return <LogsScreen choices={useUsageChoices()} timeZone={timeZone} />;
}
