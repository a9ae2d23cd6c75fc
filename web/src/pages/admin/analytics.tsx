import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { AnalyticsScreen } from '#features/analytics/screen.tsx';
import { usersQuery } from '#features/users/queries.ts';
import { useUsageChoices } from './use-usage-choices.ts';

export function AnalyticsPage() {
  const tenant = useRouteContext({ from: '/signed-in/admin', select: ({ user }) => user.tenant });
  const { data: users = [] } = useQuery(usersQuery);
  return <AnalyticsScreen tenant={tenant} users={users} choices={useUsageChoices()} />;
}
