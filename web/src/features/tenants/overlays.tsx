import { suspendTenantBody, suspensionReasonMax, type Tenant } from '@sluice/contract';
import { Form } from '../../components/forms/form.tsx';
import { TextAreaField } from '../../components/forms/text-area-field.tsx';
import { useContractForm } from '../../components/forms/use-contract-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { showSuccess } from '../../components/ui/toasts.tsx';
import type { useDialogs } from '../../lib/use-dialogs.ts';
import { CreateTenantDialog } from './create-dialog.tsx';
import { EditTenantDialog } from './edit-dialog.tsx';
import type { HandoverSlot } from './handover-slot.ts';
import { useSuspendTenant } from './queries.ts';

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

interface SuspendTenantDialogProps {
  tenant: Tenant;
  isOpen: boolean;
  onClose: () => void;
}

export function SuspendTenantDialog({ tenant, isOpen, onClose }: SuspendTenantDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Suspend ${tenant.name}`} size="sm">
      <SuspendTenantForm tenant={tenant} onSuspended={onClose} />
    </Dialog>
  );
}

function SuspendTenantForm({ tenant, onSuspended }: { tenant: Tenant; onSuspended: () => void }) {
  const suspend = useSuspendTenant();
  const form = useContractForm({ schema: suspendTenantBody, initialValues: { reason: '' } });
  return (
    <Form
      form={form}
      submitLabel="Suspend Tenant"
      pendingLabel="Suspending Tenant..."
      fallbackProblem="Failed to suspend tenant"
      isDanger
      needsChange
      onSubmit={async ({ reason }) => {
        await suspend.mutateAsync({ id: tenant.id, reason });
        showSuccess(`${tenant.name} is suspended`);
        onSuspended();
      }}
    >
      <p>
        All new requests of its people are refused with this reason, which they also see on every page. They
        can still sign in and read, and administrators can pay.
      </p>
      <TextAreaField
        label="Reason"
        characterLimit={suspensionReasonMax}
        data-autofocus
        {...form.bind('reason')}
      />
    </Form>
  );
}
