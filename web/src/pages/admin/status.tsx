import { StatusScreen } from '#features/status/screen.tsx';

export function StatusPage() {
  return <StatusScreen />;
}
