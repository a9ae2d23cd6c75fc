import { ProviderAccessScreen } from '#features/provider-access/screen.tsx';

export function ProviderAccessPage() {
  return <ProviderAccessScreen />;
}
