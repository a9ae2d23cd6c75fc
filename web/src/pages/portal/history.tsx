import { TaskHistoryScreen } from '#features/task-history/screen.tsx';

export function TaskHistoryPage() {
  return <TaskHistoryScreen />;
}
