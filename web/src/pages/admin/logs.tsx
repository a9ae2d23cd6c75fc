import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { LogsScreen } from '#features/logs/screen.tsx';
import { usersQuery } from '#features/users/queries.ts';
import { useUsageChoices } from './use-usage-choices.ts';

export function LogsPage() {
  const timeZone = useRouteContext({
    from: '/signed-in/admin/logs',
    select: ({ user }) => user.tenant.time_zone,
  });
  const { data: users = [] } = useQuery(usersQuery);
  return <LogsScreen users={users} choices={useUsageChoices()} timeZone={timeZone} />;
}
