import { useRouteContext } from '@tanstack/react-router';
import { TenantCreditsScreen } from '#features/tenant-credits/screen.tsx';

export function TenantCreditsPage() {
  const viewer = useRouteContext({ from: '/signed-in/admin/tenant-credits', select: ({ user }) => user });
  return <TenantCreditsScreen viewer={viewer} />;
}
