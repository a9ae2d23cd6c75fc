import { ProfileScreen } from '#features/profile/screen.tsx';

export function ProfilePage() {
  return <ProfileScreen />;
}
