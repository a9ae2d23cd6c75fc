import { useRouteContext } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { TenantCreditsScreen } from '../../features/tenant-credits/screen.tsx';
import { TenantAdministration } from '../../features/tenants/administration.tsx';
import { loadPart } from '../../lib/load-part.ts';

/** Only after a tenant was made. */
const LinkHandover = lazy(
  loadPart(async () => ({
    default: (await import('../../features/outbox/link-handover.tsx')).LinkHandover,
  })),
);

export function TenantCreditsPage() {
  const viewer = useRouteContext({ from: '/signed-in/admin/tenant-credits', select: ({ user }) => user });
  if (!viewer.role.permissions.includes('super_admin')) return <TenantCreditsScreen viewer={viewer} />;
  return (
    <TenantAdministration
      handover={(tenantId, address, onDone) => (
        <Suspense>
          <LinkHandover tenantId={tenantId} address={address} onDone={onDone} />
        </Suspense>
      )}
    >
      {(parts) => <TenantCreditsScreen viewer={viewer} {...parts} />}
    </TenantAdministration>
  );
}
