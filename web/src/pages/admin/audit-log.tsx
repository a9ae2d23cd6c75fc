import { useQuery } from '@tanstack/react-query';
import { AuditLogScreen } from '../../features/audit-log/screen.tsx';
import { usersQuery } from '../../features/users/queries.ts';

export function AuditLogPage() {
  const { data: users = [] } = useQuery(usersQuery);
  return <AuditLogScreen people={users.filter(({ role_name }) => role_name !== 'user')} />;
}
