import { useRouteContext } from '@tanstack/react-router';
import { AuditLogScreen } from '#features/audit-log/screen.tsx';

export function AuditLogPage() {
  const timeZone = useRouteContext({
    from: '/signed-in/admin/audit-log',
    select: ({ user }) => user.tenant.time_zone,
  });
  return <AuditLogScreen timeZone={timeZone} />;
}
