import { SettingsScreen } from '#features/settings/screen.tsx';

export function SettingsPage() {
  return <SettingsScreen />;
}
