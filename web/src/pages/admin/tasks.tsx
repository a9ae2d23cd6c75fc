import { useQuery } from '@tanstack/react-query';
import { describeSource } from '../../components/forms/describe-source.ts';
import { TasksScreen } from '../../features/tasks/screen.tsx';
import { usersQuery } from '../../features/users/queries.ts';

export function TasksPage() {
  const users = useQuery(usersQuery);
  const people = { people: users.data, ...describeSource(users, 'Failed to fetch available users') };
  return <TasksScreen people={people} />;
}
