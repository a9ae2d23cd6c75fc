import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { AuditLogScreen } from '#features/audit-log/screen.tsx';
import { usersQuery } from '#features/users/queries.ts';

export function AuditLogPage() {
  const { data: users = [] } = useQuery(usersQuery);
  const timeZone = useRouteContext({
    from: '/signed-in/admin/audit-log',
    select: ({ user }) => user.tenant.time_zone,
  });
  const people = users.filter(({ role_name }) => role_name !== 'user');
  return <AuditLogScreen people={people} timeZone={timeZone} />;
}
