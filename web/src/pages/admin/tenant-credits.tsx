import { useRouteContext } from '@tanstack/react-router';
import { TenantCreditsScreen } from '#features/tenant-credits/screen.tsx';
import { TenantAdministration } from '#features/tenants/administration.tsx';
import { lazyPart } from '#lib/lazy-part.tsx';

/** Needed only after a tenant was created. */
const LinkHandover = lazyPart(() => import('#features/outbox/link-handover.tsx'), 'LinkHandover');

export function TenantCreditsPage() {
  const viewer = useRouteContext({ from: '/signed-in/admin/tenant-credits', select: ({ user }) => user });
  if (!viewer.role.permissions.includes('super_admin')) return <TenantCreditsScreen viewer={viewer} />;
  return (
    <TenantAdministration
      handover={(tenantId, address, onDone) => (
        <LinkHandover tenantId={tenantId} address={address} onDone={onDone} />
      )}
    >
      {(parts) => <TenantCreditsScreen viewer={viewer} {...parts} />}
    </TenantAdministration>
  );
}
