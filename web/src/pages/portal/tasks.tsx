import { OwnTasksScreen } from '#features/own-tasks/screen.tsx';

export function OwnTasksPage() {
  return <OwnTasksScreen />;
}
