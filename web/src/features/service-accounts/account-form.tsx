import { type ServiceAccount, serviceAccountRoles } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { SwitchField } from '#components/forms/checked-fields.tsx';
import { Form } from '#components/forms/form.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { showSuccess } from '#components/ui/toasts.tsx';
import { owningTeamsQuery, useCreateServiceAccount, useUpdateServiceAccount } from './queries.ts';

const accountForm = z.object({
  name: z.string().trim().min(1, 'Name is required').max(100, 'Name must be at most 100 characters'),
  team_id: z.string().transform((id) => (id === '' ? null : Number(id))),
  role: z.enum(serviceAccountRoles),
  scores_deviation: z.boolean(),
});

const roleOptions = [
  { value: 'user', label: 'User: can call models within its grants and tasks' },
  { value: 'admin', label: 'Admin: can also have management tokens with the scopes of administrators' },
];

interface AccountFormProps {
  account?: ServiceAccount | undefined;
  onSaved: (account: ServiceAccount) => void;
}

export function AccountForm({ account, onSaved }: AccountFormProps) {
  const create = useCreateServiceAccount();
  const update = useUpdateServiceAccount();
  const form = useContractForm({
    schema: accountForm,
    initialValues: {
      name: account?.name ?? '',
      team_id: String(account?.team_id ?? ''),
      role: account?.role ?? 'user',
      scores_deviation: account?.scores_deviation ?? false,
    },
  });
  const { value: isScored, ...scores } = form.bind('scores_deviation');
  return (
    <Form
      form={form}
      submitLabel={account ? 'Save changes' : 'Create service account'}
      pendingLabel={account ? 'Saving...' : 'Creating...'}
      fallbackProblem={
        account ? 'Failed to save the service account' : 'Failed to create the service account'
      }
      onSubmit={async (body) => {
        const saved = await (account
          ? update.mutateAsync({ params: { id: account.id }, body })
          : create.mutateAsync({ body }));
        showSuccess(account ? 'Service account saved' : 'Service account created');
        onSaved(saved);
      }}
    >
      <TextField label="Name" placeholder="Deployment pipeline" data-autofocus {...form.bind('name')} />
      <OwnerField {...form.bind('team_id')} />
      {form.values.team_id === '' && (
        <SelectField label="Role" options={roleOptions} {...form.bind('role')} />
      )}
      <SwitchField
        label="Score deviation"
        description="Requests change the account's deviation score, and a high score can block the account."
        checked={isScored === true}
        {...scores}
      />
    </Form>
  );
}

function OwnerField(props: Partial<Parameters<typeof SelectField>[0]>) {
  const { data: teams = [], isPending } = useQuery(owningTeamsQuery);
  return (
    <SelectField
      label="Owner"
      description="An account that a team owns uses the team's grants. Administrators of the owner get an email before a key expires."
      placeholder="Organization"
      isLoading={isPending}
      options={teams.map(({ id, name }) => ({ value: id, label: name }))}
      {...props}
    />
  );
}
