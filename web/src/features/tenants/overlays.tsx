import {
  suspendTenantBody,
  suspensionReasonMax,
  type Tenant,
  type TenantDetails,
  updateTenantBody,
} from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Form } from '#components/forms/form.tsx';
import { TextAreaField, TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { Failure, Notice } from '#components/ui/notice.tsx';
import { RecentUse } from '#components/ui/recent-use.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import type { useDialogs } from '#lib/use-dialogs.ts';
import { CreateTenantDialog } from './create-dialog.tsx';
import { LimitFields } from './limit-fields.tsx';
import { tenantQuery, useSuspendTenant, useUpdateTenant } from './queries.ts';

export type DialogKind = 'create' | 'edit' | 'suspend';

interface TenantOverlaysProps {
  dialogs: ReturnType<typeof useDialogs<DialogKind, Tenant>>;
}

export function TenantOverlays({ dialogs }: TenantOverlaysProps) {
  const { about } = dialogs;
  return (
    <>
      <CreateTenantDialog {...dialogs.propsOf('create')} />
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
      submitLabel="Suspend tenant"
      pendingLabel="Suspending tenant..."
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
        All new requests of its users are refused with this reason, which is also shown on every page. Users
        can still sign in and read, and administrators can pay.
      </p>
      <RecentUse of={{}} tenantId={tenant.id} />
      <TextAreaField
        label="Reason"
        characterLimit={suspensionReasonMax}
        data-autofocus
        {...form.bind('reason')}
      />
    </Form>
  );
}

interface EditTenantDialogProps {
  tenant: Tenant;
  isOpen: boolean;
  onClose: () => void;
}

export function EditTenantDialog({ tenant, isOpen, onClose }: EditTenantDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Edit ${tenant.name}`}>
      <LoadedForm id={tenant.id} onSaved={onClose} />
    </Dialog>
  );
}

function LoadedForm({ id, onSaved }: { id: number; onSaved: () => void }) {
  const answer = useQuery(tenantQuery(id));
  const failure = describeFailure(answer, 'Failed to load tenant');
  if (failure) return <Failure {...failure} />;
  if (!answer.data) return <SkeletonLines count={5} />;
  return <EditTenantForm tenant={answer.data} onSaved={onSaved} />;
}

function EditTenantForm({ tenant, onSaved }: { tenant: TenantDetails; onSaved: () => void }) {
  const update = useUpdateTenant();
  const { name, slug, plan_id, user_limit, admin_limit } = tenant;
  const form = useContractForm({
    schema: updateTenantBody,
    initialValues: { name, slug, plan_id, user_limit, admin_limit },
  });
  return (
    <Form
      form={form}
      submitLabel="Update tenant"
      pendingLabel="Updating Tenant..."
      fallbackProblem="Failed to update tenant"
      needsChange
      onSubmit={async (body) => {
        const saved = await update.mutateAsync({ id: tenant.id, body });
        showSuccess(`${saved.name} was updated`);
        onSaved();
      }}
    >
      {tenant.status === 'suspended' && (
        <Notice kind="warn" title="This tenant is suspended.">
          {tenant.suspension_reason ?? 'No reason was given.'}
        </Notice>
      )}
      <TextField label="Name" data-autofocus {...form.bind('name')} />
      <TextField
        label="Slug"
        description="Headers and URLs with the old slug stop working."
        leftSection="@"
        {...form.bind('slug')}
      />
      <LimitFields form={form} inUse={{ users: tenant.user_count, admins: tenant.admin_count }} />
    </Form>
  );
}
