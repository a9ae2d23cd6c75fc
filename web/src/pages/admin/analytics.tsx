import { useRouteContext } from '@tanstack/react-router';
import { AnalyticsScreen } from '#features/analytics/screen.tsx';
import { useUsageChoices } from './use-usage-choices.ts';

export function AnalyticsPage() {
  const tenant = useRouteContext({ from: '/signed-in/admin', select: ({ user }) => user.tenant });
  return <AnalyticsScreen tenant={tenant} choices={useUsageChoices()} />;
}
