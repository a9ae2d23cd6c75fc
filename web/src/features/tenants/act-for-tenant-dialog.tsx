import type { CurrentUser } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { Form } from '#components/forms/form.tsx';
import { PickerField } from '#components/forms/picker-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { actForTenant } from '#lib/acting-tenant.ts';
import { describeSource } from '#lib/describe-failure.ts';
import { tenantsQuery } from './queries.ts';

interface ActForTenantDialogProps {
  user: CurrentUser;
  onClose: () => void;
}

export function ActForTenantDialog({ user, onClose }: ActForTenantDialogProps) {
  return (
    <Dialog isOpen onClose={onClose} title="Act for another tenant">
      <ActForTenantForm user={user} />
    </Dialog>
  );
}

const choice = z.object({ tenant_id: z.string().min(1, 'Please choose a tenant') });

function ActForTenantForm({ user }: Pick<ActForTenantDialogProps, 'user'>) {
  const tenants = useQuery(tenantsQuery);
  const form = useContractForm({ schema: choice, initialValues: { tenant_id: '' } });
  const others = tenants.data?.filter(({ id }) => id !== user.tenant.id);
  return (
    <Form
      form={form}
      isGuarded={false}
      submitLabel="Act for this tenant"
      pendingLabel="Switching..."
      onSubmit={async ({ tenant_id }) => actForTenant(Number(tenant_id))}
    >
      <PickerField
        label="Tenant"
        placeholder="Search tenants by name..."
        emptyText={others?.length === 0 ? 'There is no other tenant' : 'No tenants found'}
        source={{
          choices: others?.map(({ id, name, slug, status }) => ({
            value: String(id),
            label: name,
            detail: `@${slug}`,
            note: status === 'suspended' ? 'Suspended' : undefined,
          })),
          ...describeSource(tenants, 'Failed to load tenants'),
        }}
        data-autofocus
        {...form.bind('tenant_id')}
      />
      <p className="quiet">
        This tab then shows only that tenant. Your changes are recorded under your name.
      </p>
    </Form>
  );
}
