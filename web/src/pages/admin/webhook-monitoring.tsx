import { useRouteContext } from '@tanstack/react-router';
import { Notice } from '#components/ui/notice.tsx';
import { WebhookMonitoringScreen } from '#features/webhook-monitoring/screen.tsx';

export function WebhookMonitoringPage() {
  const isOperator = useRouteContext({
    from: '/signed-in/admin/webhook-monitoring',
    select: ({ user }) => user.role.permissions.includes('super_admin'),
  });
  if (isOperator) return <WebhookMonitoringScreen />;
  return (
    <Notice kind="bad" title="Access Denied: Webhook monitoring is only available to super administrators." />
  );
}
