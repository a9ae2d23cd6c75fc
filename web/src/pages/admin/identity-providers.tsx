import { IdentityProvidersScreen } from '#features/identity-providers/screen.tsx';

export function IdentityProvidersPage() {
  return <IdentityProvidersScreen />;
}
