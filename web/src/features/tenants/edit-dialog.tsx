import { type Tenant, type TenantDetails, updateTenantBody } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Form } from '../../components/forms/form.tsx';
import { TextField } from '../../components/forms/text-field.tsx';
import { useContractForm } from '../../components/forms/use-contract-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { showSuccess } from '../../components/ui/toasts.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { LimitFields } from './limit-fields.tsx';
import { tenantQuery, useUpdateTenant } from './queries.ts';

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
      submitLabel="Update Tenant"
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
        description="Headers and addresses that name the tenant by its old slug stop working."
        leftSection="@"
        {...form.bind('slug')}
      />
      <LimitFields form={form} inUse={{ users: tenant.user_count, admins: tenant.admin_count }} />
    </Form>
  );
}
