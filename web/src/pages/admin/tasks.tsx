import { useQuery } from '@tanstack/react-query';
import { TasksScreen } from '#features/tasks/screen.tsx';
import { usersQuery } from '#features/users/queries.ts';
import { describeSource } from '#lib/describe-failure.ts';

export function TasksPage() {
  const users = useQuery(usersQuery);
  const people = { people: users.data, ...describeSource(users, 'Failed to fetch available users') };
  return <TasksScreen people={people} />;
}
