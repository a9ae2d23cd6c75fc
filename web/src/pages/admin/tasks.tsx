import { useQuery } from '@tanstack/react-query';
import { TasksScreen } from '../../features/tasks/screen.tsx';
import { usersQuery } from '../../features/users/queries.ts';
import { messageOf } from '../../lib/message-of.ts';

export function TasksPage() {
  const { data, error, refetch } = useQuery(usersQuery);
  const problem = error && !data ? messageOf(error, 'Failed to fetch available users') : undefined;
  return <TasksScreen people={{ people: data, problem, onRetry: () => void refetch() }} />;
}
