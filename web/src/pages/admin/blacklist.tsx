import { BlacklistScreen } from '#features/blacklist/screen.tsx';

export function BlacklistPage() {
  return <BlacklistScreen />;
}
