import { UsageScreen } from '../../features/usage/screen.tsx';

export function UsagePage() {
  return <UsageScreen />;
}
