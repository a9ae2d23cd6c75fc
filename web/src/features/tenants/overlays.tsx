import type { Tenant } from '@sluice/contract';
import type { useDialogs } from '../../lib/use-dialogs.ts';
import { CreateTenantDialog } from './create-dialog.tsx';
import { EditTenantDialog } from './edit-dialog.tsx';
import type { HandoverSlot } from './handover-slot.ts';
import { SuspendTenantDialog } from './suspend-dialog.tsx';

export type DialogKind = 'create' | 'edit' | 'suspend';

interface TenantOverlaysProps {
  dialogs: ReturnType<typeof useDialogs<DialogKind, Tenant>>;
  handover: HandoverSlot;
}

/** Dialogs of super administrators for a list of tenants. */
export function TenantOverlays({ dialogs, handover }: TenantOverlaysProps) {
  const { about } = dialogs;
  return (
    <>
      <CreateTenantDialog {...dialogs.propsOf('create')} handover={handover} />
      {about && (
        <>
          <EditTenantDialog {...dialogs.propsOf('edit')} tenant={about} />
          <SuspendTenantDialog {...dialogs.propsOf('suspend')} tenant={about} />
        </>
      )}
    </>
  );
}
