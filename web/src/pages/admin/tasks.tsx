import { TasksScreen } from '#features/tasks/screen.tsx';

export function TasksPage() {
  return <TasksScreen />;
}
