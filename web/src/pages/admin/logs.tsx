import { useQuery } from '@tanstack/react-query';
import { LogsScreen } from '../../features/logs/screen.tsx';
import { usersQuery } from '../../features/users/queries.ts';

export function LogsPage() {
  const { data: users = [] } = useQuery(usersQuery);
  return <LogsScreen users={users} />;
}
