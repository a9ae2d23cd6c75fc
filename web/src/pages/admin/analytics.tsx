import { useRouteContext } from '@tanstack/react-router';
import { AnalyticsScreen } from '#features/analytics/screen.tsx';

export function AnalyticsPage() {
  const tenant = useRouteContext({ from: '/signed-in/admin', select: ({ user }) => user.tenant });
  return <AnalyticsScreen tenant={tenant} />;
}
